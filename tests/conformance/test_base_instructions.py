"""Base instructions against a model of their rules, written by itself; overrides through every way out, byte for byte."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import frieze
from frieze.emit import write_bundle
from frieze.runtime import Bundle, Catalog, Override, RequestError, Result, Saved
from support.projects import write_files

NAMES = ("friendly", "pragmatic", "none", "default")
WORDS = st.sampled_from(
    ["Speak", "warmly.", "# Personality", "## Personality", "# Safety", "#", "#\tTabs", "é漢", "a # b", "<x>"]
)
LINES = st.lists(st.lists(WORDS, max_size=3).map(" ".join) | WORDS, max_size=6).map("\n".join)
SPOKEN = LINES.map(lambda text: text.strip("\n"))
PLACES = st.sampled_from(["{{ personality }}", "{{ personality }}\n", "Voice: {{ personality }}."])
TEMPLATES = st.lists(LINES | PLACES, max_size=5).map("".join)
SYNTAX = st.sampled_from(
    ["{{ personality }}", "{% if", "{# x", "{{ 1 / 0 }}", "%}", "# Personality", "# Safety", "\r\n", "\n"]
)
PLAIN = st.lists(LINES | SYNTAX, max_size=6).map("".join).filter(lambda text: bool(text.strip()) or "\r" not in text)
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "template": TEMPLATES,
        "instructions": PLAIN | LINES,
        "personalities": st.dictionaries(st.sampled_from(NAMES), SPOKEN, max_size=3),
    },
)
OWN = st.fixed_dictionaries({}, optional=dict.fromkeys(("friendly", "pragmatic"), SPOKEN))
SLOW = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)


def expected(record: dict[str, Any], own: dict[str, str], personality: str) -> str:
    """The rules once more: a template wins and takes the text, plain instructions lose a section to `none`."""
    if "template" in record:
        text = record.get("personalities", {}).get(personality, own.get(personality, ""))
        return str(record["template"]).replace("{{ personality }}", text)
    plain = str(record.get("instructions", ""))
    if personality != "none":
        return plain
    rows = re.findall(r"[^\n]*\n|[^\n]+", plain)
    heads = [number for number, row in enumerate(rows) if re.fullmatch(r"#(?:[ \t][^\n]*)?\r?\n?", row)]
    start = next((number for number in heads if re.fullmatch(r"# Personality\r?\n?", rows[number])), len(rows))
    end = next((number for number in heads if number > start), len(rows))
    return "".join(rows[:start] + rows[end:])


def blank_is_nothing(text: str) -> str:
    return "" if text.isspace() else text


def in_files(name: str, record: dict[str, Any]) -> dict[str, str]:
    """Return the files of a record: its texts stand in files of their own, but for blank ones."""
    beside = {field: f"{name}-{field}.md" for field in ("template", "instructions") if record.get(field, "").strip()}
    named = {field: {"file": file} for field, file in beside.items()}
    declared = json.dumps({"kind": "model", "name": name, **record, **named}, ensure_ascii=False)
    return {f"profiles/{name}.yaml": declared, **{f"profiles/{file}": record[field] for field, file in beside.items()}}


def compiled(root: Path, records: list[dict[str, Any]], own: dict[str, str]) -> Bundle:
    agent = {
        "kind": "agent",
        "name": "coder",
        "instructions": "Go on.",
        "layout": "std/coding",
        "allows": {"personalities": list(NAMES), "models": [f"m{number}" for number in range(len(records))]},
    }
    files = {"frieze.yaml": "kind: project\nname: probe\n", "profiles/coder.yaml": json.dumps(agent)}
    for name in ("friendly", "pragmatic"):
        files[f"profiles/{name}.yaml"] = json.dumps({"kind": "personality", "name": name, "text": own.get(name, "")})
    for number, record in enumerate(records):
        files |= in_files(f"m{number}", record)
    result = frieze.compile(write_files(root, files))
    assert result.bundle, result.diagnostics
    return Bundle.from_files(result.bundle.files)


@settings(max_examples=12, deadline=None, suppress_health_check=SLOW)
@given(records=st.lists(RECORDS, min_size=4, max_size=8), own=OWN)
@example(
    records=[{"instructions": "a\r\n# Personality\r\nb\r\n# Safety\r\n"}, {"template": "{{ personality }}"}], own={}
)
def test_the_base_is_what_the_rules_say(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]], own: dict[str, str]
) -> None:
    bundle = compiled(tmp_path_factory.mktemp("base"), records, own)
    for number, record in enumerate(records):
        for personality in (*NAMES, None):
            prompt = bundle.prompt("coder", model=f"m{number}", personality=personality)
            result = prompt.render()
            chosen = personality or "default"
            wanted = blank_is_nothing(expected(record, own, chosen))
            assert result.base.text == wanted
            assert result.text.startswith(wanted)
            assert "\n".join(line.text for line in prompt.explain().lines) == result.text
            given_now = Catalog(record.get("instructions"), record.get("template"), record.get("personalities", {}))
            assert prompt.render(base=given_now).base.text == expected(record, own, chosen)


ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)
CURIOUS = [
    "\n\n# Personality\r\n\r\n",
    "\x00\x1b[31m",
    "\ufeff\u202eabc\u2028",
    " ",
    "{{ personality }}{% if %}",
    "\r",
    "</x>\n",
]
MODELS = ["claude-opus-5-5", "gpt-5.5", "gpt-5.6", "gemini-4-argon", "gemma-3-4b-it"]
HELLO = [{"role": "user", "content": "Hello."}]


def everything(result: Result) -> list[Any]:
    parts = [(part.id, part.text, part.place) for part in result.parts]
    requests = [
        result.anthropic(HELLO, max_tokens=9),
        result.openai_chat(HELLO),
        result.openai_responses(HELLO),
        result.plain(HELLO),
    ]
    return [result.base.text, result.base.origin, result.prefix, result.text, parts, *requests]


@pytest.fixture(scope="module")
def bundle_and_package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Bundle, ModuleType]]:
    root = tmp_path_factory.mktemp("package")
    agent = {
        "kind": "agent",
        "name": "coder",
        "instructions": "Go on.",
        "layout": "std/coding",
        "defaults": {"personality": "friendly"},
        "allows": {"models": [f"std/{name}" for name in MODELS]},
    }
    project = "kind: project\nname: base-instructions-probe\n"
    files = {"frieze.yaml": project, "profiles/coder.yaml": json.dumps(agent)}
    result = frieze.compile(write_files(root, files))
    assert result.bundle, result.diagnostics
    write_bundle(result.bundle, root / result.bundle.package)
    sys.path.insert(0, str(root))
    try:
        yield Bundle.from_files(result.bundle.files), importlib.import_module(result.bundle.package)
    finally:
        sys.path.remove(str(root))


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(text=ANY_TEXT | st.sampled_from(CURIOUS), model=st.sampled_from(MODELS), saved=st.booleans())
def test_an_override_leaves_every_way_as_it_came(
    bundle_and_package: tuple[Bundle, ModuleType], text: str, model: str, saved: bool
) -> None:
    bundle, package = bundle_and_package
    result = bundle.prompt("coder", model=model).render(base=Saved(text, "x") if saved else Override(text))
    assert (result.base.text, result.base.origin) == (text, "history" if saved else "override")
    assert result.parts[0].text == text
    assert result.prefix.startswith(text)
    assert result.anthropic(HELLO, max_tokens=9)["system"][0]["text"] == text
    assert result.openai_chat(HELLO)["messages"][0]["content"][0]["text"] == text
    request = result.openai_responses(HELLO)
    if "instructions" in request:
        assert request["instructions"] == text
    else:
        assert request["input"][0]["content"][0]["text"] == text
    assert result.plain(HELLO)[0]["content"].startswith(text)
    given_there = package.Saved(text, "x") if saved else package.Override(text)
    assert everything(package.prompt("coder", model=model).render(base=given_there)) == everything(result)


def test_base_instructions_change_nothing_else(bundle_and_package: tuple[Bundle, ModuleType]) -> None:
    prompt = bundle_and_package[0].prompt("coder", model="gpt-5.5")
    own, one, two = prompt.render(), prompt.render(base=Override("One.")), prompt.render(base=Override("Two."))
    assert one.parts[1:] == two.parts[1:]
    assert [part for part in one.parts[1:] if part.id != "personality"] == list(own.parts[1:])
    assert everything(prompt.render()) == everything(own)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: Override("a\ud800"),
            "`base.text` must be text that UTF-8 can hold, not text with a lone surrogate at offset 1",
        ),
        (lambda: Saved("\udfff"), "lone surrogate at offset 0"),
        (lambda: Override(b"x"), "`base.text` must be text, not"),  # type: ignore[arg-type] # what it has to refuse
        (lambda: Override("x" * 1_000_001), "at most 1,000,000 code points, because it is never cut"),
        (lambda: Catalog(template="\ud800"), "`base.template` must be text that UTF-8 can hold"),
        (lambda: Catalog(personalities={"a": 5}), "`base.personalities` must be text, not a number"),  # type: ignore[dict-item] # the same
    ],
)
def test_what_cannot_be_sent_is_refused(make: Any, said: str) -> None:
    with pytest.raises(RequestError) as caught:
        make()
    assert said in str(caught.value)


def test_what_is_no_base_is_refused(bundle_and_package: tuple[Bundle, ModuleType], tmp_path: Path) -> None:
    bundle, _ = bundle_and_package
    with pytest.raises(RequestError, match="`base` must be an Override, a Saved or a Catalog, not text"):
        bundle.prompt("coder", model="gpt-5.5").render(base="O")  # type: ignore[arg-type] # what it has to refuse
    files = {"frieze.yaml": "kind: project\nname: p\n", "profiles/a.yaml": "kind: agent\nname: a\ninstructions: Go.\n"}
    result = frieze.compile(write_files(tmp_path, files))
    assert result.bundle
    with pytest.raises(RequestError, match="because the layout has no block for base instructions"):
        Bundle.from_files(result.bundle.files).prompt("a").render(base=Override("O"))


def test_a_caller_cannot_say_what_render_knows(bundle_and_package: tuple[Bundle, ModuleType]) -> None:
    bundle, package = bundle_and_package
    for prompt in (bundle.prompt("coder", model="gpt-5.5"), package.prompt("coder", model="gpt-5.5")):
        told = prompt.render({"session": {"origin": "override", "base": "O", "switched": True}})
        assert [part.id for part in told.parts] == [part.id for part in prompt.render().parts]
        assert {(note.code, note.source, note.detail) for note in told.notes} >= {
            ("unknown-path", "session", name) for name in ("origin", "base", "switched")
        }
