"""Whole requests of the coding agent, as reviewed: one conversation for each vendor, from its first turn to its compaction."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as AnthropicParams
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming as ResponsesParams
from pydantic import TypeAdapter

from frieze.runtime import Result
from support import coding, examples
from support.golden import check_golden

GOLDEN = Path(__file__).parent / "golden-agent"
NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
STYLES: dict[str, tuple[str, str, Any]] = {
    "anthropic": ("claude-sonnet-5-5", "claude-opus-4-8", TypeAdapter(AnthropicParams)),
    "openai_responses": ("gpt-6.2-sol", "gpt-5.6", TypeAdapter(ResponsesParams)),
    "plain": ("gemini-3.1-pro", "gpt-5.6", None),
}
"""API -> the model that begins, the one that goes on, and what the vendor's client takes."""

START = {"mode": "investigate", "personality": "pragmatic"}
TURNS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("The first turn.", "at-work", START),
    ("The second turn: nothing is different.", "at-work", START),
    ("Other documents, and a developer's wish.", "documents-changed", START),
    ("Another mode.", "documents-changed", {**START, "mode": "implement"}),
    ("Another manner of speaking.", "documents-changed", {"mode": "implement", "personality": "friendly"}),
    ("No manner of speaking, and no documents.", "no-documents", {"mode": "implement", "personality": "none"}),
    (
        "Another model, in the mode for reviews, with a rule of the project.",
        "with-rules",
        {"mode": "review", "personality": "friendly"},
    ),
    ("Nobody can be asked any more.", "unattended", {"mode": "review", "personality": "friendly"}),
)


def shown(message: Any) -> str:
    """Return a message with its role, a bar before each line, and a `+` between two content parts."""
    content = message["content"]
    parts = [content] if isinstance(content, str) else [part["text"] for part in content]
    lines = "\n+\n".join("\n".join(f"| {line}".rstrip() for line in part.split("\n")) for part in parts)
    return f"[{message['role']}]\n{lines}\n"


def beside(request: Any) -> str:
    """Return what a request holds besides the conversation: system text readable, the rest as JSON."""
    if isinstance(request, list):
        return ""
    front = {"role": "system", "content": request.get("system") or request.get("instructions") or ""}
    rest = {
        key: value
        for key, value in request.items()
        if key not in ("messages", "input", "system", "instructions", "tools")
    }
    return f"{json.dumps(rest)}\n\n{shown(front) if front['content'] else ''}"


def asked(result: Result, style: str, history: list[Any]) -> Any:
    options = {"max_tokens": 16_000} if style == "anthropic" else {}
    return getattr(result, style)(history, **options)


def render(context: str, model: str, target: dict[str, str], previous: Any) -> Result:
    prompt = examples.bundle(coding.PROJECT).prompt("coder", model=model, **target)
    return prompt.render(examples.given_contexts(coding.PROJECT)[context], NOW, previous=previous)


@pytest.mark.parametrize("style", STYLES)
def test_a_conversation_is_the_reviewed_one(style: str) -> None:
    first, later, form = STYLES[style]
    history: list[Any] = []
    snapshot: Any = {}
    text = ""
    for number, (what, context, target) in enumerate(TURNS, 1):
        result = render(context, first if number < 7 else later, target, snapshot)
        added = [*getattr(result.updates, style)(), {"role": "user", "content": f"Question {number}."}]
        history += added
        request = asked(result, style, history)
        if form is not None:
            form.validate_python(request)
        changes = {"model": later if number >= 7 else first, **target}
        text += f"=== {number}. {what} {json.dumps(changes)}\n\n" + "\n".join(map(shown, added)) + "\n"
        if number == 1:
            talk = request if style == "plain" else request["input" if "input" in request else "messages"]
            front = talk[:1] if style == "plain" else talk[: len(talk) - len(history)]
            text = f"=== In front of the conversation.\n\n{beside(request)}{''.join(map(shown, front))}\n{text}"
        history.append({"role": "assistant", "content": f"Answer {number}."})
        snapshot = json.loads(json.dumps(result.snapshot()))
    left = [{"role": "user", "content": "So far: all is well."}, {"role": "user", "content": "Question 8."}]
    put = result.restate(left, summary="So far:", style=style)
    text += "=== A compaction in the middle of the turn.\n\n" + "\n".join(map(shown, put))
    check_golden(GOLDEN / f"{style}.txt", text)


@pytest.mark.parametrize("style", ["anthropic", "openai_responses"])
def test_tools_are_the_reviewed_ones(style: str) -> None:
    """Plain messages have no place for tools."""
    request = asked(render("at-work", STYLES[style][0], START, None), style, [{"role": "user", "content": "Hello."}])
    check_golden(GOLDEN / f"tools.{style}.json", json.dumps(request["tools"], indent=2, ensure_ascii=False) + "\n")


def test_the_summary_is_asked_for_as_reviewed() -> None:
    result = examples.bundle(coding.PROJECT).prompt("summary").render({}, NOW)
    check_golden(GOLDEN / "summary.txt", f"{result.text}\n")


def test_every_context_of_the_example_is_used_and_no_golden_is_left_over() -> None:
    assert {context for _, context, _ in TURNS} == set(examples.given_contexts(coding.PROJECT))
    written = {path.name for path in GOLDEN.iterdir()}
    assert written == {
        "demo.txt",
        "summary.txt",
        *(f"{style}.txt" for style in STYLES),
        *(f"tools.{style}.json" for style in STYLES if style != "plain"),
    }


def test_a_model_for_each_task() -> None:
    prompt = examples.bundle(coding.PROJECT).prompt("coder")
    assert {task: prompt.model_for(task) for task in ("classify", "loop", "architecture", "large-codebase")} == {
        "classify": "claude-haiku-4-5",
        "loop": "claude-sonnet-5-5",
        "architecture": "claude-opus-4-8",
        "large-codebase": "claude-fable-5-1",
    }


def test_the_example_compiles_without_a_finding() -> None:
    import frieze

    assert frieze.compile(coding.FOLDER).diagnostics == ()
