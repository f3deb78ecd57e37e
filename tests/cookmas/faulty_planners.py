"""Planners that fail in every way a person's code can, and what is said of each."""

from __future__ import annotations

PLANNERS = """
import asyncio, json, os, signal, sys
from cookmas.orchestrator.planner import Plan
from cookmas.solving.corridor.planners import EmbeddedPlanner
from cookmas.solving.corridor.planners import WalkerTeam

class Base:
    name, planner_class = "own", "assisted"
    def answer(self):
        return None
    async def plan(self, observation):
        return self.answer()

class InConstructor(Base):
    def __init__(self):
        raise ValueError("not today \\x1b[31m\\nnor tomorrow")

class ExitsInConstructor(Base):
    def __init__(self):
        sys.exit()

class InPlan(Base):
    def answer(self):
        raise OSError(28, "No space left on \\x1b]0;device\\x07")

class OddError(Exception):
    def __str__(self):
        raise KeyError("no words")

class WithoutWords(Base):
    def answer(self):
        raise OddError

class ClosesOutput(Base):
    def answer(self):
        sys.stdout.close()

class ClosesAll(Base):
    def answer(self):
        os.closerange(3, 65536)

class Interrupts(Base):
    def answer(self):
        raise KeyboardInterrupt

class AnswersNone(Base):
    pass

class AnswersText(Base):
    def answer(self):
        return "wait"

class AnswersDict(Base):
    def answer(self):
        return {"schedule": []}

class IntReasoning(Base):
    def answer(self):
        return Plan(schedule=(), reasoning=7)

class UnwritableMemory(Base):
    def answer(self):
        return Plan(schedule=(), memory={"me": object()})

class EndlessMemory(Base):
    def answer(self):
        memory = {}
        memory["me"] = memory
        return Plan(schedule=(), memory=memory)

class NotANumber(Base):
    def answer(self):
        return Plan(schedule=(), memory={"so many": float("nan")})

class Surrogates(Base):
    def answer(self):
        return Plan(schedule=[{"walker_1": "ring(\\ud800)"}])

class LongNumber(Base):
    def answer(self):
        return Plan(schedule=(), memory={"so many": 10 ** 6000})

class NotAsync(Base):
    def plan(self, observation):
        return Plan(schedule=())

class Recurses(Base):
    def answer(self):
        return self.answer()

class Exits(Base):
    def answer(self):
        print("bye \\x1b[2J")
        sys.exit(0)

class ExitsAtOnce(Base):
    def answer(self):
        os._exit(0)

class Crashes(Base):
    def answer(self):
        os.kill(os.getpid(), 11)

class EatsMemory(Base):
    def answer(self):
        eaten = []
        while True:
            eaten.append(bytearray(1 << 24))

class Babbles(Base):
    def answer(self):
        for name in os.listdir("/proc/self/fd"):
            if os.path.exists(f"/proc/self/fd/{name}") and int(name) > 2:
                try:
                    os.write(int(name), b"GET / HTTP/1.0\\r\\n\\r\\n" * 9)
                except OSError:
                    pass
        os._exit(0)

class LoopsForEver(Base):
    def answer(self):
        while True:
            pass

class Busy(Base):
    def answer(self):
        open(f"{__file__}.busy", "w").close()
        while True:
            pass

class BusyWhenMade(Base):
    def __init__(self):
        Busy.answer(self)

class WaitsForEver(Base):
    async def plan(self, observation):
        await asyncio.sleep(3600)

class WillNotEnd(Base):
    def answer(self):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

class Detaches(Base):
    def answer(self):
        if os.fork() == 0:
            os.setsid()
            if pid := os.fork():
                with open(f"{__file__}.new", "w") as file:
                    file.write(str(pid))
                os.rename(f"{__file__}.new", f"{__file__}.detached")
                os._exit(0)
            os.closerange(0, 256)
            while True:
                signal.pause()
        os.wait()

class DetachesAndExits(Detaches):
    def answer(self):
        super().answer()
        os._exit(0)

class DetachesAndWaits(Detaches):
    def answer(self):
        super().answer()
        signal.pause()

class Good(EmbeddedPlanner):
    name = "good"
    async def plan(self, observation):
        print("planning")
        plan = await super().plan(observation)
        return Plan(schedule=plan.schedule, reasoning=f"process {os.getpid()}")

class LooksUp(Base):
    looks_up = True
    async def plan(self, observation):
        due = observation.world.lookups(observation.state)
        found = [await observation.look_up(key) for key in due]
        try:
            await observation.look_up("nothing")
        except LookupError:
            pass
        except Exception as error:
            found.append(str(error))
        return Plan(schedule=(), gave_up=json.dumps(found))

class OwnTeam(WalkerTeam):
    pass

class FailingMember:
    async def turn(self, observation):
        return "my turn"

class FailingTeam(WalkerTeam):
    def __init__(self, workers):
        super().__init__(workers)
        self.members[workers[0]] = FailingMember()
"""


MODULES = {
    "own_planners": PLANNERS,
    "raises_at_import": "def at_import():\n    raise RuntimeError('closed')\nat_import()\n",
    "exits_at_import": "import sys\nsys.exit(0)\n",
    "no_python": "class Planner\n",
    "needs_more": "import no_such_package_at_all\n",
}


FAULTS = {
    "raises_at_import:Planner": r"RuntimeError: closed at raises_at_import\.py:2",
    "exits_at_import:Planner": r"SystemExit: 0 at exits_at_import\.py:2",
    "no_python:Planner": r"SyntaxError: expected ':' at no_python\.py:1",
    "needs_more:Planner": r"ModuleNotFoundError: No module named '\w+' at needs_more\.py:1",
    "InConstructor": r"ValueError: not today \[31m nor tomorrow at own_planners\.py:\d+",
    "ExitsInConstructor": r"SystemExit at own_planners\.py:\d+",
    "InPlan": r"OSError: \[Errno 28\] No space left on \]0;device at own_planners\.py:\d+",
    "WithoutWords": r"OddError: \(a message that cannot be read\) at own_planners\.py:\d+",
    "Interrupts": r"KeyboardInterrupt at own_planners\.py:\d+",
    "AnswersNone": r"TypeError: plan answers None; expected a Plan at own_planners\.py:\d+",
    "AnswersText": r"TypeError: plan answers a str; expected a Plan at .+",
    "AnswersDict": r"TypeError: plan answers a dict; expected a Plan at .+",
    "IntReasoning": r"ValueError: reasoning of the answer: Input should be a valid string at .+",
    "UnwritableMemory": r"TypeError: an answer is plain data; an object is not at .+",
    "EndlessMemory": r"ValueError: Circular reference detected at .+",
    "NotANumber": r"ValueError: Out of range float values are not JSON compliant.* at .+",
    "Surrogates": r"UnicodeEncodeError: .+ surrogates not allowed at own_planners\.py:\d+",
    "LongNumber": r"ValueError: Exceeds the limit .+ at own_planners\.py:\d+",
    "NotAsync": r"TypeError: plan is not async; expected 'async def' at own_planners\.py:\d+",
    "Recurses": r"RecursionError: maximum recursion depth exceeded.* at own_planners\.py:\d+",
    "Exits": r"SystemExit: 0 at own_planners\.py:\d+",
    "ExitsAtOnce": r"its process ended with exit code 0",
    "ClosesOutput": r"TypeError: plan answers None; expected a Plan at own_planners\.py:\d+",
    "ClosesAll": r"its process ended with exit code 0",
    "Crashes": r"its process was killed by SIGSEGV",
    "EatsMemory": r"MemoryError at own_planners\.py:\d+",
    "Babbles": r"its process sent a message of \d+ bytes",
    "LoopsForEver": r"TimeLimitError: no answer within 1 s at own_planners\.py:\d+",
    "WaitsForEver": r"TimeLimitError: no answer within 1 s.*",
    "WillNotEnd": r"no answer within 1 s, and it did not stop",
    "FailingTeam": r"TypeError: turn answers a str; expected a Turn at own_planners\.py:\d+",
}


OF_A_PROCESS = {"ExitsAtOnce", "ClosesAll", "Crashes", "Babbles", "WillNotEnd"}
"""Faults of which there is no traceback."""


SCENARIO = "corridor/one"
