import sys
from browsers.playing import *
from tests.companion.pads.evenings import PadEvening, pads_of
from engine.sides import Side
from engine.ranks import Rank
from engine.play.clocks import TimeControl
import tests.companion.table.evening as ev
lang = sys.argv[1] if len(sys.argv)>1 else "en"
e = PadEvening.begun(control=TimeControl.of(each=900, delay=10))
with pads_of(e, languages=("en",lang,lang)) as pads, chromium() as b:
  for size,name in ((LARGE,"large"),(SMALL,"small")):
    pads.renew(Side.RED); pads.renew(Side.BLUE)
    rc,bc=phone(b,size),phone(b,size)
    errs=[]
    red,blue=rc.new_page(),bc.new_page()
    for p in (red,blue):
        p.on("console", lambda m: errs.append(m.text)); p.on("pageerror", lambda m: errs.append(str(m)))
    red.goto(pads.address(Side.RED)); blue.goto(pads.address(Side.BLUE))
    until(pads, red, lambda: pads.presence(Side.RED).value=="here" and pads.presence(Side.BLUE).value=="here")
    until(pads, red, lambda: red.locator("#board rect").count() and blue.locator("#board rect").count())
    n=e.table.referee.plies
    if name=="large":
        e.play("e4-e5 e7-e6"); ev.attack(e)
    else:
        pass
    red.wait_for_timeout(300); pads.tick(); red.wait_for_timeout(500)
    red.screenshot(path=f"/tmp/pads-shots/{lang}-{name}-declare.png")
    blue.screenshot(path=f"/tmp/pads-shots/{lang}-{name}-waits.png")
    print(red.url, errs)
    red.locator(".tile[data-rank=captain]").tap(); red.wait_for_timeout(200)
    red.screenshot(path=f"/tmp/pads-shots/{lang}-{name}-armed.png", full_page=True)
    print(red.evaluate("[document.documentElement.scrollWidth, innerWidth, document.documentElement.scrollHeight]"))
  e.declare(Side.RED, Rank.CAPTAIN); pads.tick(); 
  bc.pages[0].wait_for_timeout(500)
  w=phone(b,LARGE).new_page(); w.goto(pads.spectators_address); w.wait_for_timeout(500); w.screenshot(path=f"/tmp/pads-shots/{lang}-watch.png")
