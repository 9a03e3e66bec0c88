"""Every prompt of every example: what must hold whatever the request says."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import frieze
from frieze.runtime import Bundle, Prompt
from support import examples
from support.contexts import NOWS, contexts, merged

NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
LATER = datetime(2027, 1, 3, 23, 59, 59, tzinfo=UTC)
TARGETS = [(name, target) for name in examples.NAMES for target in examples.bundle(name).targets()]
RELAXED = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def prompt_of(name: str, target: dict) -> Prompt:
    return examples.bundle(name).prompt(**target)


def zone_text(result, *zones: str) -> str:
    return "\n\n".join(part.text for part in result.parts if part.zone in zones)


@pytest.mark.parametrize("name", examples.NAMES)
def test_every_line_has_a_provenance_and_the_lines_are_the_prompt(name: str) -> None:
    sources = {path.as_posix(): path for path in (examples.ROOT / "examples" / name).rglob("*") if path.is_file()}
    seen = 0
    for target in examples.bundle(name).targets():
        prompt = prompt_of(name, target)
        for context in [{}, *examples.given_contexts(name).values()]:
            explanation = prompt.explain(context, NOW)
            assert "\n".join(line.text for line in explanation.lines) == prompt.render(context, NOW).text
            for line in explanation.lines:
                base = "profiles" if line.file.startswith("std/") else f"examples/{name}"
                path = examples.ROOT / base / line.file.removeprefix("std/")
                assert path.as_posix() in sources or path.is_file(), line
                assert 1 <= line.line <= len(path.read_text("utf-8").splitlines()), line
                seen += 1
            in_layout = [state.block for state in explanation.blocks]
            assert len(in_layout) == len(set(in_layout))
            assert all(state.why and state.line for state in explanation.blocks)
    assert seen


def test_a_fixed_line_names_the_very_line_that_it_was_written_on() -> None:
    prompt = examples.bundle("support-desk").prompt("concierge", platform="line")
    checked = 0
    for line in prompt.explain(examples.given_contexts("support-desk")["line-tokyo"], NOW).lines:
        if line.file.startswith("profiles/") and line.file.endswith(".md") and line.text:
            written = (examples.ROOT / "examples/support-desk" / line.file).read_text("utf-8").splitlines()
            if "{" not in written[line.line - 1]:
                assert line.text == written[line.line - 1]
                checked += 1
    assert checked > 10


@pytest.mark.parametrize("name", examples.NAMES)
def test_the_never_zone_is_the_same_for_every_context(name: str) -> None:
    @RELAXED
    @given(
        st.sampled_from([target for known, target in TARGETS if known == name]),
        contexts(examples.manifest(name)["contract"]),
        NOWS,
    )
    def same(target: dict, context: dict, now: datetime) -> None:
        prompt = prompt_of(name, target)
        empty = prompt.render({}, NOW)
        result = prompt.render(context, now)
        assert zone_text(result, "never") == zone_text(empty, "never")

    same()


def without_turn_fields(context: dict, contract: dict) -> dict:
    """Leave out what changes every turn inside lists that do not, such as whether a knowledge base can be reached."""
    result = context
    for path, row in contract.items():
        of = row.get("of")
        fields = of.get("fields", {}) if isinstance(of, dict) else {}
        fast = {field for field, options in fields.items() if isinstance(options, dict) and "zone" in options}
        section, _, name = path.partition(".")
        rows = context.get(section, {}).get(name) if fast and isinstance(context.get(section), dict) else None
        if isinstance(rows, list):
            kept = [{key: row[key] for key in row if key not in fast} if isinstance(row, dict) else row for row in rows]
            result = merged(result, {section: {name: kept}})
    return result


@pytest.mark.parametrize("name", examples.NAMES)
def test_what_changes_every_turn_never_reaches_the_session_zone(name: str) -> None:
    contract = examples.manifest(name)["contract"]

    def zone(row, audience: str) -> str:
        return row["zones"][audience == "group"]

    @RELAXED
    @given(st.data(), st.sampled_from([target for known, target in TARGETS if known == name]))
    def same(data: st.DataObject, target: dict) -> None:
        audience = target["audience"]
        conversation = data.draw(contexts(contract, lambda row: zone(row, audience) != "turn"))
        one = data.draw(contexts(contract, lambda row: zone(row, audience) == "turn"))
        other = data.draw(contexts(contract, lambda row: zone(row, audience) == "turn"))
        prompt = prompt_of(name, target)
        first = prompt.render(merged(one, conversation), NOW)
        second = prompt.render(merged(other, without_turn_fields(conversation, contract)), LATER)
        assert zone_text(first, "never", "session") == zone_text(second, "never", "session")

    same()


def test_the_state_of_the_knowledge_bases_never_reaches_the_session_zone() -> None:
    """Their number may: it stays the same for a conversation."""
    for target in examples.bundle("support-desk").targets():
        prompt = prompt_of("support-desk", target)
        stable, tails = set(), set()
        for statuses in (("ok", "ok"), ("failed", "ok"), ("failed", "failed"), (None, "no status")):
            rows = [{"name": "handbook", "status": statuses[0]}, {"name": "neighbourhood", "status": statuses[1]}]
            result = prompt.render({"retrieval": {"knowledge_bases": rows}}, NOW)
            stable.add(zone_text(result, "never", "session"))
            tails.add(zone_text(result, "turn"))
        assert len(stable) == 1
        assert len(tails) == 3


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Support-desk with an agent whose two models differ in `prompt_cache` alone."""
    root = tmp_path_factory.mktemp("twins") / "project"
    shutil.copytree(examples.ROOT / "examples/support-desk", root, ignore=shutil.ignore_patterns("dist"))
    (root / "profiles/models").mkdir()
    (root / "profiles/models/uncached.yaml").write_text(
        "kind: model\nname: uncached\nextends: std/claude-sonnet-4-6\nprompt_cache: false\n", "utf-8"
    )
    (root / "profiles/agents/twin.yaml").write_text(
        "kind: agent\nname: twin\nextends: concierge\nallows: {models: [claude-sonnet-4-6, uncached]}\n", "utf-8"
    )
    result = frieze.compile(root)
    assert result.bundle is not None, result.diagnostics
    return Bundle.from_files(result.bundle.files)


def test_each_part_is_the_same_in_both_arrangements(twins: Bundle) -> None:
    bundle = twins
    contract = examples.manifest("support-desk")["contract"]
    pairs = [
        (target, {**target, "model": "uncached"})
        for target in bundle.targets()
        if (target["agent"], target["model"]) == ("twin", "claude-sonnet-4-6")
    ]
    assert pairs

    @RELAXED
    @given(st.sampled_from(pairs), contexts(contract), NOWS)
    def same(pair: tuple, context: dict, now: datetime) -> None:
        tail = bundle.prompt(**pair[0]).render(context, now)
        inline = bundle.prompt(**pair[1]).render(context, now)
        assert {part.id: part.text for part in tail.parts} == {part.id: part.text for part in inline.parts}
        assert inline.tail == ""
        assert inline.text == "\n\n".join(part.text for part in inline.parts)
        for part in tail.parts:
            assert tail.text.count(part.text) >= 1

    same()


@pytest.mark.parametrize("name", examples.NAMES)
def test_no_value_breaks_a_prompt(name: str) -> None:
    """P1 to P4, P9 and P12 of the value semantics, for every slot of the contract at once.

    Documents are left out: they are somebody's own lines, between tags that they cannot close.
    """
    manifest = examples.manifest(name)
    headings = {facts["heading"] for facts in manifest["blocks"].values()} - {None}
    forbidden = re.compile(
        "[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ue000-\uf8ff\U000e0000-\U000e0fff]"
    )
    empty_label = re.compile(r"(?m)^[^\n\"]{1,40}:[ ]*$")

    @RELAXED
    @given(
        st.sampled_from([target for known, target in TARGETS if known == name]),
        contexts(manifest["contract"], lambda row: '"document"' not in json.dumps(row)),
        NOWS,
    )
    def holds(target: dict, context: dict, now: datetime) -> None:
        result = prompt_of(name, target).render(context, now)
        text = result.text
        text.encode("utf-8")
        assert not forbidden.search(text)
        lines = text.split("\n")
        shown = {part.text.split("\n")[0] for part in result.parts}
        for heading in headings:
            assert lines.count(heading) == (heading in shown)
        for tag in ("turn_notices", "turn_context"):
            assert text.count(f"<{tag}>") == text.count(f"</{tag}>") <= 1
            assert len(re.findall(rf"(?i)<\s*/?\s*{tag}", text)) in (0, 2)
        assert not re.search(r"(?im)^\s*\[?(system|assistant|human|developer)\]?\s*:", text)
        baseline = set(empty_label.findall(prompt_of(name, target).render({}, NOW).text))
        for found in empty_label.findall(text):
            assert found in baseline or "Wishes" in found, found
        assert "None" not in text.split()
        assert "{{" not in "".join(part.text for part in result.parts if part.zone == "never")

    holds()
