"""The prompt about an observation: the system message, the blocks, and the task.

The system message is the same at every call of an episode, and the blocks that change least come
first, so that a provider can reuse the longest possible prefix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from cookmas.episodes.base import World, overrides
from cookmas.episodes.conversation import Message
from cookmas.episodes.possible import Legal, list_legal
from cookmas.orchestrator.dialogue.answers import LONGEST_BELIEF, TIMESTEP, Pad, rows_of
from cookmas.orchestrator.dialogue.blocks import (
    CALL,
    MOVE_TRIGGER,
    PLAN_TRIGGER,
    PROBLEMS,
    REFUSAL_TRIGGER,
    RUNNING,
    STEP,
    TURN,
    block,
    call_data,
    tell,
    to_json,
)
from cookmas.orchestrator.dialogue.choices import OPTIONS, Offer
from cookmas.orchestrator.dialogue.layouts import (
    ChoiceLayout,
    ColumnsLayout,
    PlanLayout,
    RowsLayout,
    ScheduleLayout,
    StepLayout,
    workers_of_answer,
)
from cookmas.orchestrator.dialogue.memory import NOTHING_KEPT, Memory
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.voice import POSSIBLE, Templates, Voice
from cookmas.orchestrator.planner import Observation, actions_of_worker

SCHEDULE, UNDERWAY, PLANS = "SCHEDULE", "UNDERWAY", "PLANS"
LEGAL, INSTRUCTIONS = "LEGAL", "INSTRUCTIONS"
REPORTS = "REPORTS"
TALK, DID, DECIDED, PARTNERS = "TALK", "DID", "DECIDED", "PARTNERS"
SITUATION, DEMONSTRATION = "SITUATION", "DEMONSTRATION"

NOTHING_INFERRED: Mapping[str, str] = MappingProxyType({})

_LAYOUTS: Mapping[str, type[ScheduleLayout]] = {
    "rows": RowsLayout,
    "columns": ColumnsLayout,
    "plan": PlanLayout,
    "text": PlanLayout,
    "choice": ChoiceLayout,
}
"""The layout of each form of an answer."""


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """The prompt about an observation, for a central planner or a team's agent."""

    observation: Observation[Any]
    voice: Voice
    prompting: Prompting
    templates: Templates
    memory: Memory = NOTHING_KEPT
    legal: Legal | None = None
    """The legal actions that the prompt lists; None if it lists none."""

    @classmethod
    def of(
        cls,
        observation: Observation[Any],
        voice: Voice,
        prompting: Prompting,
        templates: Templates,
        memory: Memory = NOTHING_KEPT,
    ) -> Prompt:
        """Return the prompt about an observation; the arguments are its fields.

        It lists the legal actions if the options say so and the world can list them.
        """
        workers = workers_of_answer(observation, prompting)
        world, state, agent = observation.world, observation.state, observation.agent
        listed = prompting.legal_actions
        return cls(
            observation=observation,
            voice=voice,
            prompting=prompting,
            templates=templates,
            memory=memory,
            legal=list_legal(world, state, agent, workers) if listed else None,
        )

    @cached_property
    def layout(self) -> ScheduleLayout:
        kind = _LAYOUTS[self.prompting.form]
        if self.prompting.per_step and kind is not ChoiceLayout:
            kind = StepLayout
        return kind(
            observation=self.observation,
            prompting=self.prompting,
            listed=self.legal is not None,
            lettered=self.legal is not None and self.voice.lettered,
            actions=self._example(),
            pad=self.pad,
        )

    @cached_property
    def shown(self) -> Mapping[str, Any]:
        """The blocks that change, with as much of the state as the options say."""
        observed, voice = self.observation, self.voice
        return tell(voice.blocks(observed), observed, voice, self.prompting.told, self.memory.told)

    @property
    def pad(self) -> Pad:
        if not self.prompting.scratch_pad:
            return {}
        return self.voice.pad(self.observation.world)

    def messages(self, partners: Mapping[str, str] = NOTHING_INFERRED) -> list[Message]:
        """Return the first messages of the dialogue, with an inference about the partners."""
        inferred = [block(PARTNERS, dict(partners))] if partners else []
        parts = [*self.blocks(), *inferred, block(CALL, self.call())]
        return first_messages(self.templates, self.system(), parts, self._task())

    def call(self, task: str | None = None) -> dict[str, Any]:
        """Return the data of the CALL block; the default `task` is to decide."""
        observation, prompting = self.observation, self.prompting
        form = STEP if prompting.per_step else "schedule"
        return call_data(
            observation,
            task or (form if observation.agent is None else TURN),
            feedback=prompting.feedback,
            last=self._tells_last,
            per_step=prompting.per_step,
            form=prompting.form if self.layout.in_lines else "",
            asked=self._tell_why_asked(),
            told=prompting.told,
        )

    @property
    def _tells_last(self) -> bool:
        """True if CALL names the last timestep, which some planners may not know."""
        asked = self.prompting.last_step or self.observation.world.timed
        return asked and self.observation.last is not None

    def _tell_why_asked(self) -> Mapping[str, str] | None:
        """Return why an agent is asked without a trigger; None if there is no such reason."""
        observation, left = self.observation, self.memory.left
        if observation.agent is None or observation.talk:
            return None
        if not self.prompting.queue:
            return MOVE_TRIGGER
        if not left:
            return PLAN_TRIGGER
        return REFUSAL_TRIGGER if observation.memory.get(PROBLEMS) else None

    def system(self) -> str:
        """Return the system message: the rules, the description of the prompt, and how to answer.

        The messages of two agents have the longest possible beginning in common.
        """
        observation, layout = self.observation, self.layout
        fill = self.templates.fill
        common = self.common_slots()
        slots = {
            **common,
            "hints": self._advise(),
            "demonstration": self._demonstration(),
            "answer": layout.describe(self.templates, fill("until", common)),
            "chain_of_thought": self._ask_for_texts(),
            "lessons": self._ask_for_notes(),
        }
        if observation.agent is None:
            return fill("system", slots)
        talks = observation.rounds > 0
        rounds = {
            "rounds": str(observation.rounds),
            "undecided": "" if layout.is_plan else f" {fill('undecided')}",
            "goes_on": self._tell_listeners(),
        }
        turns = fill("turns_talk" if talks else "turns_silent", rounds)
        say = fill(layout.say) if talks else ""
        return fill("agent_system", {**slots, "turns": turns, "say": say})

    def common_slots(self, *further: str) -> dict[str, str]:
        """Return the values of the slots that the system messages of all calls share.

        `further` names the prompt files about blocks that only this call has.
        """
        world, agent = self.observation.world, self.observation.agent
        told = self.voice.rules_and_actions(world, self.templates, agent)
        return {
            **told,
            "agent": agent or "",
            "workers": self.templates.count(len(world.workers)),
            "goal": self.templates.fill_unless_edited("goal", world.aim),
            "given": self._describe_blocks(told, *further),
        }

    def _describe_blocks(self, told: Mapping[str, str], *further: str) -> str:
        """Return the description of the blocks, which may have the slots that the voice fills.

        `further` is as in `common_slots`.
        """
        agent, prompting, layout = self.observation.agent, self.prompting, self.layout
        remembered = prompting.memory_of if prompting.memory else None
        feedback = prompting.feedback
        narrated = prompting.words and overrides(self.observation.world, "narrate")
        lasting = self.observation.world.lasting
        listed = self.legal is not None
        more = [
            self.templates.variant(name, agent)
            for name, there in (
                ("given_situation", narrated),
                (f"given_schedule{layout.lasting}", layout.keeps),
                ("given_underway", layout.keeps),
                ("given_last", self._tells_last),
                ("given_effect", self.observation.tells_price),
                ("given_plans", layout.is_plan),
                ("given_partners", prompting.theory_of_mind and agent),
                ("given_agent", agent and not lasting),
                ("given_agent_lasting", agent and lasting),
                ("given_talk", agent and self.observation.rounds),
                (f"given_{prompting.told}", prompting.told != "all"),
                ("given_feedback", feedback),
                ("given_legal", listed and not layout.chooses),
                ("given_options", listed and layout.chooses),
                ("given_memory", remembered == "decisions"),
                ("given_memory_actions", remembered == "actions" and feedback),
                ("given_memory_chosen", remembered == "actions" and not feedback),
                ("given_lessons", prompting.lessons),
                ("given_scratch_pad", prompting.scratch_pad),
            )
            if there
        ]
        described = "\n".join(map(self.templates.fill, (*more, *further)))
        texts = describe_texts(prompting, self.templates, self.observation.world)
        slots = {**told, "given_texts": texts, "given_more": described}
        return self.templates.fill("given", slots)

    def _tell_listeners(self) -> str:
        lasting = self.observation.world.lasting
        return self.templates.fill("goes_on") if lasting else ""

    def _advise(self) -> str:
        """Return the world's hints, and for an agent the directive to help its partners."""
        agent, fill = self.observation.agent, self.templates.fill
        whose = fill(f"conventions_{'alike' if self.observation.alike else 'apart'}")
        hints = self.templates.variant("hints", agent)
        advice = [fill(hints, {"whose": whose})] if self.prompting.hints else []
        if self.prompting.helper and agent is not None:
            advice.append(fill("helper"))
        return "\n\n".join(advice)

    def _demonstration(self) -> str:
        how, observation = self.prompting.demonstration, self.observation
        if how == "none":
            return ""
        workers = self.prompting.demonstration_workers or len(observation.world.workers)
        timesteps = 2 if how == "two_steps" else None
        shown = dict(self.voice.demonstration(observation, workers, timesteps))
        slots = {
            "workers": self.templates.count(workers),
            "blocks": block(DEMONSTRATION, shown),
        }
        return self.templates.fill(f"demonstration_{how}", slots)

    def _ask_for_texts(self) -> str:
        """Return what the model is to write beside its decision, and how much of it at most."""
        limits = self.layout.describe_limits(self.templates)
        return "\n\n".join(filter(None, (self._ask_for_thoughts(), limits)))

    def _ask_for_notes(self) -> str:
        prompting, fill = self.prompting, self.templates.fill
        lessons = [fill("lessons")] if prompting.lessons else []
        slots = {"longest": str(LONGEST_BELIEF)}
        pads = [fill("scratch_pad", slots)] if prompting.scratch_pad else []
        return "\n\n".join([*lessons, *pads])

    def _ask_for_thoughts(self) -> str:
        if not self.prompting.chain_of_thought:
            return ""
        fill = self.templates.fill
        several = len(self.observation.world.workers) > 1
        who = {name: fill(name) if several else "" for name in ("who", "who_can")}
        asked = fill(self.templates.variant(self.layout.thought, self.observation.agent), who)
        if self.prompting.guided:
            asked = f"{asked}\n\n{fill('guide')}"
        return f"{asked}\n{fill('thoughts')}" if self.layout.thinks else asked

    def _example(self) -> list[dict[str, str]]:
        """Return the world's example, as actions by worker.

        An agent has those of the first worker; its own if actions last, since they differ.
        """
        world, agent = self.observation.world, self.observation.agent
        rows = self.voice.example(world)
        if agent is not None:
            place = world.workers.index(agent) if world.lasting else 0
            return [{agent: row[place]} for row in rows]
        return [dict(zip(world.workers, row, strict=False)) for row in rows]

    def _task(self) -> str:
        observation, layout = self.observation, self.layout
        slots = {"timestep": str(observation.timestep)}
        if self._keeps:
            assert isinstance(layout, RowsLayout)
            end = layout.keep(observation.timestep + len(observation.underway))
            slots |= {"end": to_json(end), "nothing": layout.empty_schedule()}
            return self.templates.fill("task_replan", slots)
        form = self.templates.variant(f"task_{layout.task}", observation.agent)
        return self.templates.fill(form, slots)

    @property
    def _keeps(self) -> bool:
        return bool(self.observation.underway) and self.layout.keeps

    def blocks(self) -> list[str]:
        """Return the blocks without CALL; those that change least come first."""
        observation, voice, memory = self.observation, self.voice, self.memory
        parts = [block(name, data) for name, data in voice.setting(observation).items()]
        if self.prompting.recipes == "given":
            name, texts = voice.texts(observation)
            parts += [block(name, texts)] if texts else []
        parts += [
            block(name, data)
            for name, data in self.shown.items()
            if name != POSSIBLE or not (self.layout.chooses or self.legal is not None)
        ]
        if self.prompting.words and overrides(observation.world, "narrate"):
            told = observation.world.narrate(observation.state, observation.agent)
            parts.append(block(SITUATION, list(told)))
        if self.layout.keeps:
            parts += self._blocks_of_schedule()
        if self.layout.is_plan and (plans := self._plans()):
            parts.append(block(PLANS, plans))
        if observation.running:
            parts.append(self._block_of_running())
        if observation.reports:
            parts.append(self._block_of_reports())
        if observation.instructions:
            parts.append(self._block_of_instructions())
        if self.legal is not None:
            parts.append(self._block_of_legal(self.legal))
        parts += memory.blocks(self.prompting)
        if observation.agent is not None:
            parts += self._blocks_of_others()
        return parts

    def _blocks_of_schedule(self) -> list[str]:
        """Return two blocks: the active schedule, and the notes and the remarks on it.

        The notes are told also if nothing is left of the schedule.
        """
        observation, now = self.observation, self.observation.timestep
        noted: dict[str, Any] = {
            **({"notes": list(self.memory.notes)} if self.memory.notes else {}),
            **({"reasoning": self.memory.meant} if self.memory.meant else {}),
        }
        if not observation.underway:
            return [block(UNDERWAY, noted)] if noted else []
        rows = rows_of(observation.underway, now, observation.world)
        busy = dict.fromkeys(observation.planned, now)
        for row in rows:
            busy |= {worker: int(row[TIMESTEP]) + 1 for worker in row if worker != TIMESTEP}
        about = {**noted, "free": busy, **self.voice.remarks_on_schedule(observation)}
        return [block(SCHEDULE, self.layout.lay_out(rows)), block(UNDERWAY, about)]

    def _plans(self) -> dict[str, Sequence[str]]:
        """Return the rest of the plan of each worker; leave out workers whose plan is used up."""
        observation = self.observation
        left = {
            worker: self.memory.left
            if self.prompting.queue and observation.agent
            else actions_of_worker(observation.underway, worker, observation.world.idle)
            for worker in observation.planned
        }
        return {worker: actions for worker, actions in left.items() if actions}

    def _block_of_running(self) -> str:
        told = {
            worker: {name: x for name, x in each._asdict().items() if x is not None}
            for worker, each in self.observation.running.items()
        }
        return f"{self.templates.fill('given_running')}\n\n{block(RUNNING, told)}"

    def _block_of_reports(self) -> str:
        entries = []
        for each in self.observation.reports:
            told = {"t" if name == "timestep" else name: x for name, x in each._asdict().items()}
            entries.append({name: x for name, x in told.items() if x not in (None, "")})
        return f"{self.templates.fill('given_reports')}\n\n{block(REPORTS, entries)}"

    def _block_of_instructions(self) -> str:
        given = self.observation.instructions
        entries = [{"t": each.timestep, "words": each.words} for each in given]
        return f"{self.templates.fill('given_instructions')}\n\n{block(INSTRUCTIONS, entries)}"

    @property
    def offer(self) -> Offer | None:
        """The options out of which an answer chooses; None if it chooses out of none."""
        if self.legal is None or not self.layout.chooses:
            return None
        return Offer(self.legal, self.voice.lettered)

    def _block_of_legal(self, legal: Legal) -> str:
        offer, agent = self.offer, self.observation.agent
        if offer is None:
            return block(LEGAL, {**legal})
        if agent is not None:
            return block(OPTIONS, offer.show(agent))
        return block(OPTIONS, {worker: offer.show(worker) for worker in legal})

    def _blocks_of_others(self) -> list[str]:
        observation = self.observation
        decided = {name: list(actions) for name, actions in observation.decided.items()}
        own = self.prompting.told == "own"
        did = {who: what for who, what in observation.did if who == observation.agent or not own}
        said = (*observation.heard, *observation.talk)
        talk = [{"t": each.timestep, "agent": each.agent, "said": each.text} for each in said]
        return [
            *([block(DID, did)] if did else []),
            *([block(DECIDED, decided)] if decided else []),
            *([block(TALK, talk)] if observation.rounds and talk else []),
        ]


def first_messages(
    templates: Templates, system: str, blocks: Sequence[str], task: str
) -> list[Message]:
    """Return the first messages of a dialogue: the system message, then the observation."""
    user = templates.fill("observation", {"blocks": "\n\n".join(blocks), "task": task})
    return [Message(role="system", content=system), Message(role="user", content=user)]


def describe_texts(prompting: Prompting, templates: Templates, world: World) -> str:
    """Return the sentences that say where the model finds texts: in a block, or with the tool.

    The result is empty for a world without texts.
    """
    if not overrides(world, "lookups"):
        return ""
    return templates.fill("given_texts" if prompting.recipes == "given" else "given_tool")
