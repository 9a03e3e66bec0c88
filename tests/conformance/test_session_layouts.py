"""One session, turn by turn, as each vendor is told it: reviewed texts, and requests that the vendors' types allow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as AnthropicParams
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as ChatParams
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming as ResponsesParams
from pydantic import TypeAdapter

from frieze.emit import write_bundle
from support import sessions
from support.golden import check_golden

GOLDEN = Path(__file__).parent / "golden/sessions"
START = {"approval": "ask", "documents": "Run the tests first.", "place": "/srv/shop"}
TURNS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("It begins.", START, "warm"),
    ("Nothing is different.", START, "warm"),
    ("Another approval, and a mode.", {**START, "approval": "never", "mode": "plan"}, "warm"),
    (
        "Other documents, the mode goes on.",
        {**START, "approval": "never", "mode": "plan", "documents": "Ask first."},
        "warm",
    ),
    (
        "Something is announced, in another manner.",
        {**START, "approval": "never", "mode": "plan", "told": True},
        "brisk",
    ),
    ("No manner, no mode, no documents.", {"approval": "never", "place": "/srv/shop"}, "plain"),
    ("Everything is back.", {**START, "mode": "build"}, "warm"),
)
STYLES: dict[str, tuple[str, Any]] = {
    "openai_responses": ("alpha", TypeAdapter(ResponsesParams)),
    "openai_chat": ("beta", TypeAdapter(ChatParams)),
    "anthropic": ("claude-sonnet-4-6", TypeAdapter(AnthropicParams)),
    "plain": ("gamma", None),
}


def shown(message: Any) -> str:
    """Return a message with its role, a bar before each line, and a `+` between two content parts."""
    content = message["content"]
    parts = [content] if isinstance(content, str) else [part["text"] for part in content]
    lines = "\n+\n".join("\n".join(f"| {line}".rstrip() for line in part.split("\n")) for part in parts)
    return f"[{message['role']}]\n{lines}\n"


def request(result: Any, style: str, history: list[Any]) -> Any:
    options = {"max_tokens": 64} if style == "anthropic" else {}
    made = getattr(result, style)(history, **options)
    if STYLES[style][1] is not None:
        STYLES[style][1].validate_python(made)
    return made


@pytest.mark.parametrize("style", STYLES)
def test_the_session_is_the_reviewed_one(style: str) -> None:
    model = STYLES[style][0]
    history: list[Any] = []
    snapshot: Any = {}
    text = ""
    for number, (what, desk, manner) in enumerate(TURNS, 1):
        prompt = sessions.bundle().prompt("clerk", model=model, personality=manner)
        result = prompt.render({"desk": desk}, previous=snapshot)
        added = [*getattr(result.updates, style)(), {"role": "user", "content": f"Question {number}."}]
        history += added
        sent = request(result, style, history)
        text += f"=== {number}. {what}\n\n" + "\n".join(map(shown, added)) + "\n"
        history.append({"role": "assistant", "content": f"Answer {number}."})
        snapshot = json.loads(json.dumps(result.snapshot()))
    left = [
        *({"role": "user", "content": f"Question {number}."} for number in (6, 7)),
        {"role": "user", "content": "So far: all is well."},
    ]
    put = result.restate([*history[:2], *left], summary="So far:", style=style)
    request(result, style, put)
    text += "=== A compaction in the middle of the turn.\n\n" + "\n".join(map(shown, put))
    front = (
        json.dumps({key: value for key, value in sent.items() if key not in ("messages", "input")}, indent=2)
        if isinstance(sent, dict)
        else ""
    )
    check_golden(GOLDEN / f"{style}.txt", f"{text}\n=== Beside the conversation.\n\n{front}\n")


def test_no_golden_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(STYLES)


def test_an_emitted_package_is_told_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    write_bundle(sessions.files(), tmp_path / sessions.files().package)
    monkeypatch.syspath_prepend(tmp_path)
    package = importlib.import_module(sessions.files().package)
    snapshot: Any = {}
    own: Any = {}
    for _, desk, manner in TURNS:
        here = sessions.bundle().prompt("clerk", personality=manner).render({"desk": desk}, previous=snapshot)
        there = package.prompt("clerk", personality=manner).render({"desk": desk}, previous=own)
        assert there.updates == here.updates
        assert there.messages.openai_responses() == here.messages.openai_responses()
        snapshot, own = here.snapshot(), there.snapshot()
        assert own == snapshot
    history = [*there.messages.openai_responses(), {"role": "user", "content": "Hello."}]
    assert package.strip(history) == history[-1:]
    assert package.restate(history, there) == history
