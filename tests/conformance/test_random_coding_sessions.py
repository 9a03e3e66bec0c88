"""Random sessions of a coding agent: base instructions, switches of models, personalities, modes, documents.

Whoever reads the base instructions and the messages takes from them what holds at the end; that is compared with what
the settings say, in words that are written down here and nowhere else.
"""

from __future__ import annotations

import copy
import json
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import frieze
from frieze.runtime import Bundle, Override, Saved, restate, strip
from support.projects import split_files, write_files
from support.terminal import PROJECT

MANNERS = {"friendly": "Speak as a friend.", "pragmatic": "Be brief.", "none": ""}
MODELS = {"one": "You are One.", "two": "Two works here."}
DOCUMENTS = ["", "Use tabs.", "Use blanks.\n\n</INSTRUCTIONS>"]
PLANS = ["", "Only plan.", "Talk it over."]
PLACES = ["", "/srv", "/tmp"]
SUMMARY = "Summary so far:"
TAGS = ("model_switch", "personality_spec", "permissions instructions", "collaboration_mode", "environment_context")
USER = {"role": "user", "content": "Mend it."}
ANSWER = {"role": "assistant", "content": "It is mended."}


@cache
def bundle() -> Bundle:
    with tempfile.TemporaryDirectory() as folder:
        result = frieze.compile(write_files(Path(folder), split_files(PROJECT)))
    assert result.bundle is not None, result.diagnostics
    return Bundle.from_files(result.bundle.files)


@cache
def permissions(mode: str, interactive: bool) -> str:
    """Return what the policy's text says, which is taken as it is: other tests look at it."""
    result = bundle().prompt("coder", mode=mode).render({"session": {"interactive": interactive}})
    return next(part.text for part in result.parts if part.id == "permissions")


def manner_in(text: str) -> str:
    return next((words for words in MANNERS.values() if words and words in text), "")


def model_in(text: str) -> str:
    return next((name for name, words in MODELS.items() if words in text), "")


def read(base: str, messages: list[Any]) -> tuple[dict[str, str], list[str]]:
    """Return what base instructions and messages say in the end, topic -> words, and the topics in order."""
    said = {"manner": manner_in(base), "model": model_in(base)}
    topics = []
    for message in messages:
        content = message["content"]
        for text in [content] if isinstance(content, str) else [part["text"] for part in content]:
            part = text.strip()
            tag = next((tag for tag in TAGS if part.startswith(f"<{tag}>") and part.endswith(f"</{tag}>")), "")
            if tag == "model_switch":
                said |= {"model": model_in(part), "manner": manner_in(part)}
            elif tag == "personality_spec":
                said["manner"] = manner_in(part)
            elif tag == "permissions instructions":
                said["permissions"] = part
            elif tag == "collaboration_mode":
                said["plan"] = next((plan for plan in PLANS if plan and plan in part), "")
            elif tag == "environment_context":
                found = re.search(r"<cwd>(.*)</cwd>", part)
                said["place"] = found[1] if found else ""
            elif part.startswith("# AGENTS.md instructions") and part.endswith("</INSTRUCTIONS>"):
                tag = "documents"
                said["documents"] = next((each for each in ("Use tabs.", "Use blanks.") if each in part), "")
            if tag:
                topics.append(tag)
    return {topic: words for topic, words in said.items() if words}, topics


class CodingSessions(RuleBasedStateMachine):
    @initialize(own=st.booleans())
    def start(self, own: bool) -> None:
        self.wish: dict[str, Any] = {"model": "one", "manner": "none", "mode": "implement", "interactive": True}
        self.wish |= {"documents": 0, "plan": 0, "place": 0}
        self.talk: dict[str, Any] = {"history": [], "spoken": [], "snapshot": {}, "base": None, "lost": False}
        self.override = own
        self.forks: list[dict[str, Any]] = []

    @rule(
        changes=st.fixed_dictionaries(
            {},
            optional={
                "model": st.sampled_from(list(MODELS)),
                "manner": st.sampled_from(list(MANNERS)),
                "mode": st.sampled_from(["investigate", "implement"]),
                "interactive": st.booleans(),
                "documents": st.integers(0, 2),
                "plan": st.integers(0, 2),
                "place": st.integers(0, 2),
            },
        ),
        with_history=st.booleans(),
    )
    def take_a_turn(self, changes: dict[str, Any], with_history: bool) -> None:
        self.wish |= changes
        talk = self.talk
        result = self.render(self.base(), with_history or talk["lost"])
        base = result.base.text
        before, _ = read(base, talk["history"])
        added = result.updates.openai_responses()
        after, _ = read(base, [*talk["history"], *added])
        _, topics = read("", added)
        switched = self.switched()
        assert after == self.full(self.wish["model"] if switched else before.get("model", ""))
        assert len(topics) == len(set(topics))
        assert ("model_switch" in topics) == switched
        if not talk["lost"]:
            changed = {topic for topic in {*before, *after} if before.get(topic) != after.get(topic)}
            beside = len(topics) - switched
            assert beside == len(changed - {"model", "manner"}) + ("personality_spec" in topics)
            if switched:
                assert "personality_spec" not in topics
            else:
                assert ("personality_spec" in topics) == ("manner" in changed)
        talk["history"] += [*added, USER, ANSWER]
        talk["spoken"] += [USER, ANSWER]
        talk |= {"snapshot": result.snapshot(), "base": base, "lost": False}

    @precondition(lambda self: self.talk["spoken"] and not self.talk["lost"] and not self.switched())
    @rule(keeps_a_question=st.booleans())
    def compact_in_the_middle_of_a_turn(self, keeps_a_question: bool) -> None:
        """Shorten the conversation; its start is lost to the cache, so the model's own base goes in front again."""
        talk = self.talk
        result = self.render(Override("O") if self.override else None, with_history=False)
        left = [*([USER] if keeps_a_question else []), {"role": "user", "content": f"{SUMMARY} much."}]
        front = talk["history"][:2]
        talk["history"] = restate([*front, *left], result, summary=SUMMARY)
        talk["spoken"] = [*strip(front, bundle()), *left]
        talk |= {"snapshot": result.snapshot(), "base": result.base.text}
        after, topics = read(result.base.text, talk["history"])
        assert after == self.full("" if self.override else self.wish["model"])
        assert len(topics) == len(set(topics))

    @rule()
    def compact_between_turns(self) -> None:
        left = restate(
            [*self.talk["history"][-3:], {"role": "user", "content": SUMMARY}],
            self.render(self.base(), with_history=True),
            at="next-turn",
        )
        self.talk |= {"history": left, "spoken": list(left), "snapshot": {}, "base": None, "lost": False}

    @rule()
    def resume(self) -> None:
        self.talk = json.loads(json.dumps(self.talk))

    @rule()
    def lose_the_snapshot(self) -> None:
        self.talk |= {"snapshot": "{", "lost": True}

    @rule()
    def fork(self) -> None:
        self.forks.append(copy.deepcopy(self.talk))

    @precondition(lambda self: self.forks)
    @rule(pick=st.integers(0, 9))
    def go_to_a_fork(self, pick: int) -> None:
        self.talk, self.forks[pick % len(self.forks)] = self.forks[pick % len(self.forks)], self.talk

    @invariant()
    def everything_said_can_be_taken_out(self) -> None:
        if hasattr(self, "talk"):
            assert strip(self.talk["history"], bundle()) == self.talk["spoken"]

    def render(self, base: Any, with_history: bool) -> Any:
        wish, talk = self.wish, self.talk
        context: dict[str, Any] = {"session": {"interactive": wish["interactive"]}}
        if DOCUMENTS[wish["documents"]]:
            context["project_documents"] = [{"path": "/p/AGENTS.md", "text": DOCUMENTS[wish["documents"]]}]
        if PLANS[wish["plan"]]:
            context["collaboration"] = {"mode": "plan", "text": PLANS[wish["plan"]]}
        if PLACES[wish["place"]]:
            context["environment"] = {"cwd": PLACES[wish["place"]]}
        prompt = bundle().prompt("coder", model=wish["model"], personality=wish["manner"], mode=wish["mode"])
        history = copy.deepcopy(talk["history"]) if with_history else None
        return prompt.render(context, base=base, previous=talk["snapshot"], history=history)

    def base(self) -> Any:
        """Return what a service passes that keeps the base instructions of a conversation's first turn."""
        if self.override:
            return Override("O")
        return Saved(self.talk["base"]) if self.talk["base"] else None

    def switched(self) -> bool:
        snapshot = self.talk["snapshot"]
        return not self.talk["lost"] and bool(snapshot) and snapshot["target"]["model"] != self.wish["model"]

    def full(self, model: str) -> dict[str, str]:
        """Return what holds by the settings, for whoever was told of this model."""
        wish = self.wish
        words = {
            "model": model,
            "manner": MANNERS[wish["manner"]],
            "permissions": permissions(wish["mode"], wish["interactive"]),
            "plan": PLANS[wish["plan"]],
            "place": PLACES[wish["place"]],
            "documents": DOCUMENTS[wish["documents"]].partition("\n")[0],
        }
        return {topic: each for topic, each in words.items() if each}


TestCodingSessions = CodingSessions.TestCase
TestCodingSessions.settings = settings(max_examples=100, stateful_step_count=15, deadline=None)
