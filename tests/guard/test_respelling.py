"""Spelling a command line in another way never makes the answer more permissive."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from frieze.runtime.guard.vocabulary import EFFECTS
from support.command_lines import quoted
from support.shipped_policy import Workspace, rows

_FIRST = re.compile(r"(?:[A-Za-z_]\w*=[^\s'\"$]* )*([A-Za-z][\w-]+)(?=\s|$)")


def first_word(change: Callable[[str], str]) -> Callable[[str], str]:
    """Return a respelling of the program's name."""

    def respell(text: str) -> str:
        hit = _FIRST.match(text)
        return text if hit is None else text[: hit.start(1)] + change(hit[1]) + text[hit.end(1) :]

    return respell


def outside_quotes(change: Callable[[str], str]) -> Callable[[str], str]:
    """Return a respelling of a text that quotes nothing."""
    return lambda text: text if set(text) & set("'\"\\<#") else change(text)


def around(before: str, behind: str = "") -> Callable[[str], str]:
    """Return a respelling that puts something around a text."""
    return lambda text: f"{before}{text}{behind}"


RESPELLINGS: dict[str, Callable[[str], str]] = {
    "a quoted letter": first_word(lambda word: f"'{word[0]}'{word[1:]}"),
    "empty quotes": first_word(lambda word: f'{word[0]}""{word[1:]}'),
    "an escaped letter": first_word(lambda word: f"\\{word}"),
    "all quoted": first_word(lambda word: f'"{word}"'),
    "another case": first_word(str.upper),
    "an absolute path": first_word(lambda word: f"/usr/local/bin/{word}"),
    "a relative path": first_word(lambda word: f"./{word}"),
    "an alias of the root": first_word(lambda word: f"/proc/self/root/bin/{word}"),
    "a joined line in a word": first_word(lambda word: f"{word[0]}\\\n{word[1:]}"),
    "an expansion in a word": first_word(lambda word: f"{word[0]}${{x}}{word[1:]}"),
    "ANSI quotes": first_word(lambda word: f"$'\\x{ord(word[0]):02x}'{word[1:]}"),
    "a suffix": first_word(lambda word: f"{word}.exe"),
    "doubled blanks": outside_quotes(lambda text: text.replace(" ", "  ")),
    "tabs": outside_quotes(lambda text: text.replace(" ", "\t")),
    "joined lines": outside_quotes(lambda text: text.replace(" ", " \\\n")),
    "separators": outside_quotes(lambda text: text.replace(" ", "${IFS}", 1)),
    "a blank in front": around(" "),
    "an assignment": around("FOO=1 "),
    "a harmless assignment": around("CI=1 "),
    "a loader": around("LD_PRELOAD=./x.so "),
    "env": around("env "),
    "env -i": around("env -i "),
    "env with a variable": around("env A=b "),
    "sudo": around("sudo -n "),
    "timeout": around("timeout 5 "),
    "nice": around("nice -n 5 "),
    "nohup": around("nohup "),
    "time": around("time "),
    "stdbuf": around("stdbuf -o0 "),
    "command": around("command "),
    "exec": around("exec "),
    "xargs": around("xargs "),
    "an unknown wrapper": around("frobnicate --now "),
    "an unknown flag of a wrapper": around("timeout --frob 5 "),
    "two wrappers": around("nice sudo -u root "),
    "a command before": around("true; "),
    "a failing command before": around("false || "),
    "a line before": around("ls\n"),
    "the same folder": around("cd . && "),
    "a deletion behind": around("", "; rm -rf /"),
    "a command behind": around("", " && true"),
    "a line behind": around("", "\nls"),
    "a pipe behind": around("", " | cat"),
    "a redirect": around("", " > /dev/null 2>&1"),
    "a background job": around("", " &"),
    "a comment": around("", " # just a test"),
    "a group": around("{ ", "; }"),
    "a subshell": around("(", ")"),
    "a negation": around("! "),
    "a substitution": around("echo $(", ")"),
    "a quoted substitution": around('echo "$(', ')"'),
    "backquotes": around("echo `", "`"),
    "bash -c": lambda text: f"bash -c {quoted(text)}",
    "sh -c": lambda text: f"sh -c {quoted(text)}",
    "bash -c twice": lambda text: f"bash -c {quoted(f'bash -c {quoted(text)}')}",
    "eval": lambda text: f"eval {quoted(text)}",
    "find -exec": lambda text: text if set(text) & set("|&;\n") else f"find . -exec {text} \\;",
    "a program text": lambda text: f"python -c {quoted(f'import os; os.system({text!r})')}",
    "a loop": around("for i in 1; do ", "; done"),
    "a condition": around("if true; then ", "; fi"),
}

BROKEN = {";ls", "ls | ", "ls &&", "ls \\", "'ls", '"ls', "\\ ls"}
"""No shell runs these, and a respelling may mend them."""

TEXTS = [row[0] for row in rows("commands.tsv") + rows("lines.tsv") if row[0] not in BROKEN]


def loosened(workspace: Workspace, text: str, names: list[str], mode: str) -> list[str]:
    """Return the respellings that got a more permissive answer than the text itself."""
    least = EFFECTS.index(workspace.effect(text, mode))
    found = []
    for name in names:
        other = RESPELLINGS[name](text)
        if EFFECTS.index(workspace.effect(other, mode)) < least:
            found.append(f"{mode}: {name}: {other!r}")
    return found


@pytest.mark.parametrize("mode", ["implement", "investigate"])
def test_respelling_never_loosens(tmp_path: Path, mode: str) -> None:
    workspace = Workspace(tmp_path)
    pick = random.Random(mode)
    found = [line for text in TEXTS for line in loosened(workspace, text, pick.sample(sorted(RESPELLINGS), 12), mode)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        'echo "$(git push $(echo origin) -f)"',
        "echo `git push $(echo origin) -f`",
        'echo "`git push $(echo origin) -f`"',
        'echo "$(rm -rf $(echo src) /)"',
        'echo "a $(echo b $(rm -rf $(echo src) /))"',
        "echo \"$(git push -o 'a;b' --fo\\\nrce $x)\"",
        "python -c 'import os; os.system(\"type C:\\\\w\\\\.env\")'",
    ],
)
def test_what_is_denied_is_found_in_nested_text(tmp_path: Path, text: str) -> None:
    assert Workspace(tmp_path).effect(text, "implement") == "deny"


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["implement", "investigate", "review"])
def test_no_respelling_loosens_any_text(tmp_path: Path, mode: str) -> None:
    workspace = Workspace(tmp_path)
    found = [line for text in TEXTS for line in loosened(workspace, text, sorted(RESPELLINGS), mode)]
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_two_respellings_loosen_nothing(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    pick = random.Random(7)
    found = []
    for text in TEXTS:
        for name in pick.sample(sorted(RESPELLINGS), 4):
            found += loosened(workspace, RESPELLINGS[name](text), pick.sample(sorted(RESPELLINGS), 4), "implement")
    assert not found, "\n".join(found)


def test_respellings_are_many_and_change_something() -> None:
    assert len(RESPELLINGS) > 50
    unchanged = [name for name, respell in RESPELLINGS.items() if respell("git push --force") == "git push --force"]
    assert unchanged == []
