"""A conversation with a coding agent that goes on: documents, permissions, models and personalities, compaction."""

from __future__ import annotations

import copy
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import frieze
from frieze.runtime import Bundle, Override, Saved, restate, strip
from support.projects import split_files, write_files
from support.terminal import PROJECT

USER = {"role": "user", "content": "Mend the test."}
ANSWER = {"role": "assistant", "content": "It is mended."}
SUMMARY = {"role": "user", "content": "Summary: one test was mended."}
REPLACED = "These take the place of all earlier AGENTS.md instructions."


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    result = frieze.compile(write_files(tmp_path_factory.mktemp("project"), split_files(PROJECT)))
    assert result.bundle, [(each.code, each.message) for each in result.diagnostics]
    return Bundle.from_files(result.bundle.files)


class Talk:
    """A conversation as a service keeps it; the model's own base of the first turn stays in front of it."""

    def __init__(self, bundle: Bundle, keeps_base: bool = True) -> None:
        self.bundle = bundle
        self.keeps_base = keeps_base
        self.base: str | None = None
        self.history: list[Any] = []
        self.snapshot: Any = {}

    def turn(self, context: Any = None, **selectors: Any) -> list[str]:
        """Take a turn and return the parts that were said in it."""
        self.result = self.render(context, **selectors)
        self.base = self.base or self.result.base.text
        self.history += [*self.result.updates.openai_responses(), USER, ANSWER]
        self.snapshot = json.loads(json.dumps(self.result.snapshot()))
        return [part for message in self.result.updates for part in message.parts]

    def render(self, context: Any = None, **selectors: Any) -> Any:
        base = Saved(self.base) if self.base and self.keeps_base else None
        return self.bundle.prompt("coder", **selectors).render(context, base=base, previous=self.snapshot)


@pytest.fixture(params=[True, False], ids=["first base kept", "own base each time"])
def talk(request: pytest.FixtureRequest, bundle: Bundle) -> Talk:
    return Talk(bundle, request.param)


def documents(bundle: Bundle, root: Path, text: str | None) -> dict[str, Any]:
    """Write or delete the project's document, and return the context that holds what is on the disk."""
    write_files(root, {".git/x": ""})
    if text is None:
        (root / "AGENTS.md").unlink()
    else:
        write_files(root, {"AGENTS.md": text})
    return dict(bundle.prompt("coder").project_docs(root).context())


def about(parts: list[str], start: str) -> list[str]:
    return [part for part in parts if part.startswith(start)]


def test_case_21_documents_that_change_and_go(talk: Talk, tmp_path: Path) -> None:
    heading = "# AGENTS.md instructions"
    first = talk.turn(documents(talk.bundle, tmp_path, "Use tabs."))
    assert about(first, heading) == [f"{heading} for {tmp_path}\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"]
    assert talk.turn(documents(talk.bundle, tmp_path, "Use tabs.")) == []
    changed = talk.turn(documents(talk.bundle, tmp_path, "Use blanks."))
    assert changed == [f"{heading} for {tmp_path}\n{REPLACED}\n\n<INSTRUCTIONS>\nUse blanks.\n</INSTRUCTIONS>"]
    assert talk.turn(documents(talk.bundle, tmp_path, "Use blanks.")) == []
    gone = talk.turn(documents(talk.bundle, tmp_path, None))
    assert len(gone) == 1
    assert gone[0].startswith(heading)
    assert "no longer hold" in gone[0]
    assert talk.turn({}) == []


def test_case_21_without_a_snapshot_a_document_in_the_history_is_possibly_there(bundle: Bundle, tmp_path: Path) -> None:
    talk = Talk(bundle)
    talk.turn(documents(bundle, tmp_path, "Use tabs."))
    for text in ("Use tabs.", "Use blanks."):
        context = documents(bundle, tmp_path, text)
        parts = [
            part
            for message in bundle.prompt("coder").render(context, history=talk.history).updates
            for part in message.parts
        ]
        assert REPLACED in about(parts, "# AGENTS.md")[0]
    removed = bundle.prompt("coder").render({}, history=talk.history).updates
    assert len(about([part for message in removed for part in message.parts], "# AGENTS.md")) == 1
    fresh = bundle.prompt("coder").render(documents(bundle, tmp_path, "Use tabs."), history=[USER])
    assert REPLACED not in str(fresh.updates)


def test_case_22_permissions_are_said_again_when_they_change(talk: Talk) -> None:
    first = talk.turn({"session": {"interactive": True}})
    assert len(about(first, "<permissions instructions>")) == 1
    assert talk.turn({"session": {"interactive": True}}) == []
    asked = talk.turn({"session": {"interactive": False}})
    assert len(asked) == len(about(asked, "<permissions instructions>")) == 1
    assert asked != about(first, "<permissions instructions>")
    assert talk.turn({"session": {"interactive": False}}) == []
    mode = talk.turn({"session": {"interactive": False}}, mode="investigate")
    assert len(about(mode, "<permissions instructions>")) == 1
    assert talk.turn({"session": {"interactive": False}}, mode="investigate") == []


def test_case_23_model_and_personality_together_are_one_switch(talk: Talk) -> None:
    talk.turn(personality="friendly")
    switch = talk.turn(model="two", personality="pragmatic")
    assert len(switch) == len(about(switch, "<model_switch>")) == 1
    assert "Two works here.\nBe brief.\nBe exact." in switch[0]
    assert talk.turn(model="two", personality="pragmatic") == []
    back = talk.turn(model="one", personality="pragmatic")
    assert len(back) == len(about(back, "<model_switch>")) == 1
    assert "You are One.\n\nBe brief." in back[0]


@pytest.mark.parametrize("before", ["friendly", "none"])
@pytest.mark.parametrize("model", ["two", "plain"])
def test_case_23_a_switch_also_ends_the_personality(talk: Talk, before: str, model: str) -> None:
    talk.turn(personality="friendly")
    talk.turn(personality="pragmatic" if before == "friendly" else "friendly")
    switch = talk.turn(model=model, personality="none")
    assert len(switch) == len(about(switch, "<model_switch>")) == 1
    assert talk.turn(model=model, personality="none") == []


def test_case_23_a_personality_alone_is_one_message_and_none_ends_it(talk: Talk) -> None:
    assert about(talk.turn(personality="friendly"), "<personality_spec>") == []
    brief = talk.turn(personality="pragmatic")
    assert len(brief) == len(about(brief, "<personality_spec>")) == 1
    assert "Be brief." in brief[0]
    assert talk.turn(personality="pragmatic") == []
    ended = talk.turn(personality="none")
    assert len(ended) == len(about(ended, "<personality_spec>")) == 1
    assert "Be brief." not in ended[0]
    assert talk.turn(personality="none") == []


def test_case_23_none_also_ends_what_only_the_base_says(talk: Talk) -> None:
    talk.turn(personality="friendly")
    ended = talk.turn(personality="none")
    assert len(ended) == len(about(ended, "<personality_spec>")) == 1
    assert talk.turn(personality="none") == []
    again = talk.turn(personality="friendly")
    assert len(again) == len(about(again, "<personality_spec>")) == 1


def test_case_24_in_the_middle_of_a_turn(bundle: Bundle, tmp_path: Path) -> None:
    talk = Talk(bundle)
    context = {**documents(bundle, tmp_path, "Use tabs."), "environment": {"cwd": "/srv/shop", "shell": "bash"}}
    talk.turn(context, personality="friendly")
    talk.turn(context, personality="pragmatic")
    own = {"role": "user", "content": "<project_context>\nIt is a shop.\n</project_context>"}
    full = talk.result.messages.openai_responses()
    assert "<environment_context>" in str(full)
    assert "Be brief." in str(full)
    left = [own, USER, SUMMARY]
    before = copy.deepcopy(left)
    assert restate(left, talk.result, summary="Summary:") == [own, *full, USER, SUMMARY]
    assert restate([SUMMARY], talk.result, summary="Summary:") == [*full, SUMMARY]
    assert left == before
    whole = restate([*talk.history, own, SUMMARY], talk.result, summary="Summary:")
    assert whole == [USER, ANSWER, USER, ANSWER, *full, own, SUMMARY]
    talk.history, talk.snapshot = whole, talk.result.snapshot()
    assert talk.turn(context, personality="pragmatic") == []


def test_case_24_an_end_is_put_back_where_the_kept_base_says_otherwise(bundle: Bundle) -> None:
    talk = Talk(bundle)
    talk.turn(personality="friendly")
    talk.turn(personality="none")
    kept = restate([USER], talk.result)
    assert "Speak as a friend." in talk.result.base.text
    assert str(kept).count("<personality_spec>") == 1
    own = bundle.prompt("coder", personality="none").render(previous=talk.snapshot)
    assert str(restate([USER], own)).count("<personality_spec>") == 0


def test_a_personality_that_comes_back_takes_the_place_of_nothing(talk: Talk) -> None:
    notice = "From here on it takes the place of the one before"
    talk.turn(personality="friendly")
    assert notice in talk.turn(personality="pragmatic")[0]
    talk.turn(personality="none")
    assert notice not in talk.turn(personality="pragmatic")[0]


@pytest.mark.parametrize("lost", ["{", None])
def test_without_a_snapshot_a_saved_base_possibly_says_the_personality(bundle: Bundle, lost: Any) -> None:
    talk = Talk(bundle)
    talk.turn(personality="friendly")
    prompt = bundle.prompt("coder", personality="none")
    assert talk.base
    result = prompt.render(base=Saved(talk.base), previous=lost, history=talk.history)
    assert str(result.updates).count("<personality_spec>") == 1
    assert prompt.render(base=Saved(talk.base), previous=result.snapshot()).updates == ()
    assert "<personality_spec>" not in str(prompt.render(previous=lost, history=talk.history).updates)
    same = bundle.prompt("coder", personality="friendly").render(
        base=Saved(talk.base), previous=lost, history=talk.history
    )
    assert "<personality_spec>" not in str(same.updates)


def test_case_24_before_a_turn(bundle: Bundle, tmp_path: Path) -> None:
    talk = Talk(bundle)
    context = {**documents(bundle, tmp_path, "Use tabs."), "environment": {"cwd": "/srv/shop", "shell": "bash"}}
    first = talk.turn(context, personality="friendly")
    own = {"role": "user", "content": "<project_context>\nIt is a shop.\n</project_context>"}
    mention = {"role": "user", "content": "What is <environment_context>?"}
    left = strip([*talk.history, own, mention], bundle)
    assert left == [USER, ANSWER, own, mention]
    assert restate([*talk.history, own, mention], talk.result, at="next-turn") == left
    talk.history, talk.snapshot = [*left, SUMMARY], {}
    assert talk.turn(context, personality="friendly") == first


def test_a_mode_of_working_that_ends_says_so(talk: Talk) -> None:
    talk.turn({"collaboration": {"mode": "plan", "text": "Only plan."}})
    ended = talk.turn({})
    assert len(ended) == len(about(ended, "<collaboration_mode>")) == 1
    assert "Only plan." not in ended[0]
    assert talk.turn({}) == []


def test_an_override_is_told_the_personality_exactly_once(bundle: Bundle) -> None:
    prompt = bundle.prompt("coder", personality="friendly")
    first = prompt.render(base=Override("O"), previous={})
    assert str(first.updates).count("Speak as a friend.") == 1
    assert prompt.render(base=Override("O"), previous=first.snapshot()).updates == ()
    request = first.openai_responses([*first.updates.openai_responses(), USER])
    assert request["instructions"] == "O"


def test_a_session_that_keeps_its_base_keeps_its_prefix(bundle: Bundle) -> None:
    talk = Talk(bundle)
    sent = []
    for selectors in (
        {"personality": "friendly"},
        {"personality": "none"},
        {"model": "two", "personality": "pragmatic"},
    ):
        talk.turn({"environment": {"cwd": "/srv"}}, **selectors)
        sent.append(talk.result.openai_responses(talk.history[:-1]))
    assert len({request["instructions"] for request in sent}) == 1
    for earlier, later in pairwise(sent):
        assert later["input"][: len(earlier["input"])] == earlier["input"]


def test_a_switch_to_plain_instructions_says_them(talk: Talk) -> None:
    talk.turn(personality="none")
    switch = talk.turn(model="plain", personality="none")
    assert len(switch) == len(about(switch, "<model_switch>")) == 1
    assert "Plain work." in switch[0]


def test_case_24_after_a_compaction_the_base_is_the_models_own(bundle: Bundle) -> None:
    talk = Talk(bundle)
    talk.turn(personality="friendly")
    talk.turn(model="two", personality="pragmatic")
    talk.history, talk.snapshot, talk.base = [SUMMARY], {}, None
    said = talk.turn(model="two", personality="pragmatic")
    assert about(said, "<model_switch>") == about(said, "<personality_spec>") == []
    assert talk.result.base.text == "Two works here.\nBe brief.\nBe exact.\n"
