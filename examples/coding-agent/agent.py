"""A coding agent in a terminal: it sends, carries out what the model asks for and the guard lets, and sends again.

    frieze compile
    PYTHONPATH=dist python agent.py /path/to/a/repository

Nothing here needs frieze: `coding_agent` is the package that it made of the profiles.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import termios
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import coding_agent
from coding_agent.resolver import UnknownSelector
from executor import Ask, Executor
from vendors import Event, carried_over, transcript, vendor_of

ROUNDS = 50
"""How often the model may ask for tools in one turn."""

LONGEST = 600_000
"""Characters of a conversation that is sent; a longer one is summed up."""

TOLD = ("rule-overruled", "unknown-model", "unreadable-snapshot")
"""Notes of a render that the person is told; the others are for a log."""

SUMMARY = "What happened so far:"
CUT = "Not run: your answer was cut off before its end. Ask for less at once."
INTERRUPTED = "Interrupted by the person. It may have been done in part."
COMMANDS = "/mode NAME, /model NAME, /personality NAME, /compact, /diff, /quit"

Client = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Takes the arguments of a vendor's client, returns its reply as JSON data."""


class Session:
    """One conversation in one workspace."""

    def __init__(
        self,
        workspace: str,
        client: Client,
        ask: Ask,
        say: Callable[[str], None] | None = None,
        *,
        state: Path | None = None,
        user_folder: Path | None = None,
        interactive: bool = True,
        longest: int = LONGEST,
        **target: Any,
    ) -> None:
        """Begin a conversation.

        Args:
            workspace: the folder to work in.
            client: asks the model.
            ask: puts a confirmation before a person.
            say: shows a text to the person; without it on the terminal.
            state: a folder for what has to outlive a kill; without it one in the person's own.
            user_folder: where the person's own AGENTS.md is.
            interactive: whether a person can be asked.
            longest: characters of a conversation after which it is summed up.
            target: `mode`, `model`, `personality`, where they are not the agent's own.
        """
        self._client = client
        self._say = say or say_on_terminal
        self._workspace = workspace
        self._user_folder = user_folder
        self._interactive = interactive
        self._longest = longest
        self._target = target
        self._prompt = coding_agent.prompt("coder", **target)
        self._vendor = vendor_of(str(self._prompt.target["model"]))
        self._history: list[Any] = []
        self._snapshot: dict[str, Any] = {}
        guard = self._prompt.guard(workspace=workspace, interactive=interactive)
        self._executor = Executor(guard, self._prompt.render().tools, ask, state or _state(guard.workspace))
        for path in self._executor.recovered:
            self._say(f"Taken back, because an earlier session was stopped in the middle: {path}")
        self._reported: list[str] = []
        self._announce()

    def turn(self, question: str) -> str:
        """Answer the person, with as many tool calls as it takes; return the model's last words."""
        result = self._render(self._snapshot)
        self._history += [*getattr(result.updates, self._vendor.style)(), {"role": "user", "content": question}]
        self._snapshot = result.snapshot()
        for _ in range(ROUNDS):
            raw = self._client(self._vendor.request(result, self._history))
            reply = self._vendor.answer(raw)
            self._history += reply
            events = list(self._vendor.events(reply))
            words = "\n".join(text for event in events for text in event.texts)
            calls = [call for event in events for call in event.calls]
            if not calls:
                self._report()
                self._say(words or "(The model said nothing.)")
                return words
            if words:
                self._say(words)
            self._carry_out(calls, cut=self._vendor.is_cut(raw))
            if len(json.dumps(self._history, default=str)) > self._longest:
                self._compact(result, question)
        self._report()
        words = f"Stopped after {ROUNDS} rounds. The task is not finished."
        self._say(words)
        return words

    def command(self, line: str) -> None:
        """Do what a person's line such as `/mode implement` says."""
        name, _, value = line[1:].partition(" ")
        if name in ("mode", "model", "personality"):
            self._switch(name, value.strip())
        elif name == "compact":
            left = [{"role": "user", "content": self._summed_up()}]
            self._history, self._snapshot = left, {}
            self._say("The conversation was summed up.")
        elif name == "diff":
            self._say(self._executor.changes.diff() or "Nothing has changed.")
        else:
            self._say(f"There is {COMMANDS}.")

    def _render(self, previous: dict[str, Any]) -> Any:
        documents = self._prompt.project_docs(self._workspace, user_folder=self._user_folder)
        for note in documents.notes:
            self._say(f"Project documents: {note.code} {note.detail}")
        context: Any = {
            "session": {"interactive": self._interactive},
            "environment": {"cwd": self._workspace, "shell": "bash"},
            **documents.context(),
        }
        result = self._prompt.render(context, previous=previous)
        for note in result.notes:
            if note.code in TOLD:
                self._say(f"Note: {note.code} {note.detail}")
        return result

    def _carry_out(self, calls: list[Any], *, cut: bool) -> None:
        """Carry out calls one after the other. Each gets a result, also where the person interrupts.

        Half a command is another command, so nothing of an answer that was `cut` off is carried out.
        """
        stopped = {"status": "failed", "message": CUT if cut else INTERRUPTED}
        results: dict[str, dict[str, Any]] = {}
        try:
            for call in [] if cut else calls:
                self._say(f"-> {call.name} {json.dumps(call.args)[:200]}".rstrip())
                results[call.id] = self._executor.call(call.name, call.args)
                self._say(f"   {' - '.join(filter(None, map(results[call.id].get, ('status', 'message'))))}")
        finally:
            told = [results.get(call.id, {"tool": call.name, **stopped}) for call in calls]
            rows = tuple(
                (call.id, json.dumps(row, ensure_ascii=False), row["status"] != "ok")
                for call, row in zip(calls, told, strict=True)
            )
            self._history += self._vendor.entries([Event("user", results=rows)])

    def _switch(self, selector: str, value: str) -> None:
        target: dict[str, Any] = {**self._target, selector: value}
        try:
            prompt = coding_agent.prompt("coder", **target)
        except UnknownSelector as error:
            self._say(str(error))
            return
        vendor = vendor_of(str(prompt.target["model"]))
        self._history = carried_over(self._history, self._vendor, vendor)
        self._target, self._prompt, self._vendor = target, prompt, vendor
        if selector == "mode":
            self._executor.guard = prompt.guard(workspace=self._workspace, interactive=self._interactive)
        self._announce()

    def _announce(self) -> None:
        target = self._prompt.target
        self._say(f"[mode {target['mode']}, model {target['model']}, personality {target['personality']}]")

    def _report(self) -> None:
        """Say which files have changed since the session began, where that is news."""
        changed = [str(change) for change in self._executor.changes.listed()]
        if changed != self._reported:
            self._say(
                "\n".join(["Changed files:", *(f"  {line}" for line in changed)]) if changed else "All is as it was."
            )
        self._reported = changed

    def _compact(self, result: Any, question: str) -> None:
        """Sum up in the middle of a turn: what stands is said again before the question, which goes on."""
        left = [{"role": "user", "content": self._summed_up()}, {"role": "user", "content": question}]
        self._history = coding_agent.restate(left, result, summary=SUMMARY, style=self._vendor.style)
        self._snapshot = result.snapshot()
        self._say("The conversation was summed up, and goes on.")

    def _summed_up(self) -> str:
        """Return the summary of the conversation without the prompt's own parts."""
        said = transcript(self._vendor.events(coding_agent.strip(self._history)))
        summary = coding_agent.prompt(
            "summary", model="claude-haiku-4-5" if self._vendor.style == "anthropic" else "gpt-6.2-sol"
        )
        talk = [{"role": "user", "content": said}, {"role": "user", "content": "Write the summary."}]
        reply = self._vendor.answer(self._client(self._vendor.request(summary.render(), talk)))
        return "\n".join([SUMMARY, *(text for event in self._vendor.events(reply) for text in event.texts)])


def say_on_terminal(text: str) -> None:
    """Show a text. What would steer the terminal is shown escaped: a model must not be able to draw over a question."""
    print("".join(each if each.isprintable() or each in "\n\t" else ascii(each)[1:-1] for each in text))


def ask_on_terminal(confirmation: Mapping[str, Any]) -> bool | None:
    """Show a person what is asked for, and return the answer. Anything but a yes is a no."""
    say_on_terminal(f"\n{confirmation['confirmation_prompt']}")
    patch = (confirmation.get("args") or {}).get("patch")
    if isinstance(patch, str):
        say_on_terminal("\n".join(["The patch, line by line:", *(f"| {line}" for line in patch.split("\n"))]))
    if sys.stdin.isatty():
        # What was typed before the question was there is no answer to it.
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    try:
        return input("Do it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return None


def vendors_client(request: dict[str, Any]) -> Mapping[str, Any]:
    """Ask the vendor; the key is in the environment, as its client documents it."""
    if "messages" in request:
        import anthropic

        reply: Any = anthropic.Anthropic().messages.create(**request)
    else:
        import openai

        reply = openai.OpenAI().responses.create(**request)
    data: dict[str, Any] = reply.model_dump(mode="json", exclude_none=True)
    return data


def _state(workspace: str) -> Path:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(base) / "coding-agent" / hashlib.sha256(os.fsencode(workspace)).hexdigest()[:16]


def main() -> None:
    """Talk with the person at the terminal until there is no more to say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workspace", nargs="?", default=".", help="the folder to work in")
    for selector in ("mode", "model", "personality"):
        parser.add_argument(f"--{selector}", help="in place of the agent's own")
    given = vars(parser.parse_args())
    workspace = str(Path(given.pop("workspace")).resolve())
    target = {selector: value for selector, value in given.items() if value}
    folder = Path.home() / ".coding-agent"
    session = Session(workspace, vendors_client, ask_on_terminal, user_folder=folder, **target)
    print(COMMANDS)
    while True:
        try:
            line = input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            return
        if line == "/quit":
            return
        try:
            if line.startswith("/"):
                session.command(line)
            elif line:
                session.turn(line)
        except KeyboardInterrupt:
            print("\nInterrupted.")


if __name__ == "__main__":
    main()
