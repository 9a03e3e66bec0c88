"""`frieze render` as a vendor's request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commands import Outcome, frieze
from support.projects import write_files

FILES = {
    "frieze.yaml": "kind: project\nname: desk\nversion: 1.0.0\n",
    "profiles/helper.yaml": "kind: agent\nname: helper\ninstructions: Help.\n"
    "defaults: {platform: api, model: claude-sonnet-4-6, personality: none}\n"
    "allows: {models: [claude-sonnet-4-6, gpt-5.6]}\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_files(tmp_path, FILES)


def render(project: Path, *arguments: str, stdin: bytes = b"") -> Outcome:
    return frieze("render", project, *arguments, stdin=stdin)


@pytest.mark.parametrize(
    ("form", "keys"),
    [
        ("anthropic", ["model", "max_tokens", "system", "messages"]),
        ("openai-chat", ["model", "messages"]),
        ("openai-responses", ["model", "input"]),
    ],
)
def test_a_request_is_json_with_the_arguments_of_the_client(project: Path, form: str, keys: list[str]) -> None:
    outcome = render(project, "--format", form)
    assert (outcome.code, outcome.err) == (0, "")
    found = json.loads(outcome.out)
    assert list(found) == keys
    assert found[keys[-1]][-1] == {"role": "user", "content": "Hello."}


def test_the_messages_come_from_a_file_or_stdin(project: Path) -> None:
    messages = [{"role": "user", "content": "Wo?"}, {"role": "assistant", "content": "Hier."}]
    (project / "talk.json").write_text(json.dumps(messages))
    for source, stdin in ((str(project / "talk.json"), b""), ("-", json.dumps(messages).encode())):
        outcome = render(project, "--format", "anthropic", "--messages", source, stdin=stdin)
        assert json.loads(outcome.out)["messages"] == messages


def test_notes_still_go_to_stderr(project: Path) -> None:
    outcome = render(project, "--format", "openai-chat", "--context", "-", stdin=b'{"nonsense": 1}')
    assert "note[unknown-path]" in outcome.err
    assert json.loads(outcome.out)["model"] == "claude-sonnet-4-6"


@pytest.mark.parametrize(
    ("stdin", "words"), [(b"[{]", "<stdin>:1:3"), (b"[NaN]", "write null"), (b"\xff", "not UTF-8")]
)
def test_what_is_not_json_is_f806(project: Path, stdin: bytes, words: str) -> None:
    outcome = render(project, "--format", "anthropic", "--messages", "-", stdin=stdin)
    assert (outcome.code, outcome.out) == (1, "")
    assert "error[F806]: the messages are not JSON" in outcome.err
    assert words in outcome.err


@pytest.mark.parametrize(
    ("stdin", "words"),
    [
        (b'"Hello."', "`messages` must be a list of messages, not text"),
        (
            b'[{"role": "bot", "content": "Hi"}]',
            "`messages[0].role` must be `user`, `assistant` or `system`, not `bot`",
        ),
        (b"[]", "`messages` must be at least one message, not an empty list"),
    ],
)
def test_a_wrong_shape_is_f807(project: Path, stdin: bytes, words: str) -> None:
    outcome = render(project, "--format", "anthropic", "--messages", "-", stdin=stdin)
    assert (outcome.code, outcome.out) == (1, "")
    assert f"error[F807]: {words}" in outcome.err
    assert "--> <stdin>" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--messages", "-"], "--messages is for --format anthropic | openai-chat | openai-responses."),
        (
            ["--format", "anthropic", "--messages", "-", "--context", "-"],
            "Only one of --context, --messages and --base",
        ),
        (["--format", "anthropic", "--messages", "nowhere.json"], "Invalid value for --messages"),
    ],
)
def test_wrong_usage(project: Path, arguments: list[str], words: str) -> None:
    outcome = render(project, *arguments)
    assert outcome.code == 2
    assert words in outcome.err


def test_the_help_names_the_formats() -> None:
    outcome = frieze("render", "--help")
    for word in ("anthropic|openai-chat|openai-responses", "--messages FILE", "max_tokens"):
        assert word in outcome.out
