"""The records of the generated text: sentences, and the probes that hold the guard to them."""

from __future__ import annotations

from typing import NamedTuple

ALLOW = frozenset({"allow"})
ASK = frozenset({"ask"})
DENY = frozenset({"deny"})
NO_ALLOW = frozenset({"ask", "deny"})

OUTSIDE = "/probe-of-permissions/file.txt"
"""A path outside of the workspace, for probes."""


class Probe(NamedTuple):
    """An action to put before the guard, and the effects that keep the sentence.

    `kind` is an action of the vocabulary; `command` and `path` say what is done. A path is relative to the workspace.
    """

    effects: frozenset[str]
    kind: str
    command: str | None = None
    path: str | None = None

    @property
    def shown(self) -> str:
        """What is done, for a message."""
        return self.command or (f"{self.kind} {self.path}" if self.path else self.kind)


class Sentence(NamedTuple):
    """One sentence or list row of the text.

    `name` is its id in the wording; `rules` are the ids of the rules that it tells of; `probes` what it claims.
    """

    name: str
    text: str
    rules: tuple[str, ...] = ()
    probes: tuple[Probe, ...] = ()

    @property
    def line(self) -> str:
        """The sentence with its rules behind it."""
        return self.text + "".join(f" [{rule}]" for rule in self.rules)


Section = tuple[Sentence, ...]


class PermissionsText(NamedTuple):
    """The text of one mode: sections of sentences. Sections stand apart by a blank line."""

    sections: tuple[Section, ...]

    @property
    def text(self) -> str:
        """What the model reads."""
        return "\n\n".join("\n".join(sentence.line for sentence in section) for section in self.sections if section)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, in order."""
        return tuple(sentence for section in self.sections for sentence in section)
