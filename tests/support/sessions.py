"""A project with parts that stand in a conversation, and what a reader of the conversation takes from it.

The reader and the texts that it expects are written for the tests: they share nothing with the resolver but the words.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import frieze
from frieze.emit import Bundle as Files
from frieze.runtime import Bundle
from support.projects import write_files

MANNERS = {"warm": "Be warm.", "brisk": "Be brisk.", "plain": ""}
MODELS = ("alpha", "beta")
CHANGED = "This replaces what was said before."
OVER = "No document holds any more."
DEFAULT = "That is over."

WRITTEN = {
    "frieze.yaml": """\
kind: project
name: sessions
version: 1.0.0
context:
  desk.approval: {type: line, zone: turn, trust: service, description: Who approves.}
  desk.mode: {type: line, zone: turn, trust: service, description: How to work.}
  desk.documents: {type: document, zone: session, trust: user, description: The documents.}
  desk.place: {type: line, zone: turn, trust: service, description: Where.}
  desk.told: {type: boolean, zone: turn, trust: service, description: Whether something is to be announced.}
""",
    "profiles/desk.yaml": """\
kind: layout
name: desk
ended: That is over.
blocks: {instructions: {}, news: {}, manner: {}, permissions: {}, mode: {}, documents: {}, place: {}, clock: {}}
""",
    "profiles/manner.yaml": """\
kind: block
name: manner
tag: manner_spec
role: developer
send: on-change
when: personality.text
body: "{{ personality }}"
""",
    "profiles/permissions.yaml": """\
kind: block
name: permissions
tag: permissions instructions
role: developer
send: on-change
when: approval
inputs: {approval: {type: line, from: desk.approval}}
body: "Approval: {{ approval | quoted }}"
""",
    "profiles/mode.yaml": """\
kind: block
name: mode
tag: collaboration_mode
role: developer
send: on-change
changed: This replaces what was said before.
when: way
inputs: {way: {type: line, from: desk.mode}}
body: "Mode: {{ way | quoted }}"
""",
    "profiles/documents.yaml": """\
kind: block
name: documents
role: user
markers: {start: "# Documents", end: "</DOCUMENTS>"}
send: on-change
changed: This replaces what was said before.
ended: |
  # Documents

  <DOCUMENTS>
  No document holds any more.
  </DOCUMENTS>
when: documents
inputs: {documents: {type: document, from: desk.documents}}
body: |
  # Documents for the desk

  <DOCUMENTS>
  {{ documents }}
  </DOCUMENTS>
""",
    "profiles/place.yaml": """\
kind: block
name: place
tag: environment_context
role: user
send: on-change
when: place
inputs: {place: {type: line, from: desk.place}}
body: |
  <place>{{ place }}</place>
""",
    "profiles/news.yaml": """\
kind: block
name: news
tag: model_switch
role: developer
transient: true
covers: [manner]
when: told
inputs: {told: {type: boolean, from: desk.told}}
body: |
  You are {{ model.name }} now.
  {{ personality }}
""",
    "profiles/clock.yaml": """\
kind: block
name: clock
heading: Time
inputs: {now: {type: datetime, from: clock}}
body: "{{ now | date }} {{ now | time }}"
""",
    "profiles/clerk.yaml": """\
kind: agent
name: clerk
layout: desk
instructions: Keep the desk.
allows: {platforms: [api], models: [alpha, beta, gamma, claude-sonnet-4-6, gpt-5.5], personalities: [warm, brisk, plain]}
defaults: {platform: api, model: alpha, personality: plain}
""",
    **{f"profiles/{name}.yaml": f"kind: personality\nname: {name}\ntext: {text!r}\n" for name, text in MANNERS.items()},
    "profiles/alpha.yaml": "kind: model\nname: alpha\nvendor: openai\nprompt_cache: true\n"
    "roles: {static: instructions, later: developer, notices: developer, data: user}\n",
    "profiles/beta.yaml": "kind: model\nname: beta\nvendor: openai\nprompt_cache: true\n"
    "roles: {static: developer, later: developer, notices: user, data: user}\n",
    "profiles/gamma.yaml": "kind: model\nname: gamma\nvendor: google\nprompt_cache: false\n"
    "roles: {static: system, later: user, notices: user, data: user}\n",
}


@cache
def bundle(version: str = "1.0.0") -> Bundle:
    """Return the compiled project; another version is another bundle with the same parts."""
    return changed_bundle({"frieze.yaml": WRITTEN["frieze.yaml"].replace("1.0.0", version)})


def changed_bundle(changes: Mapping[str, str]) -> Bundle:
    """Return the project with some files changed; an empty text takes the file away."""
    return Bundle.from_files(_compiled({**WRITTEN, **changes}).files)


@cache
def files() -> Files:
    """Return the files of the project's bundle."""
    return _compiled(WRITTEN)


def _compiled(written: Mapping[str, str]) -> Files:
    with tempfile.TemporaryDirectory() as folder:
        result = frieze.compile(write_files(Path(folder), {name: text for name, text in written.items() if text}))
    assert result.bundle is not None, result.diagnostics
    return result.bundle


def file(name: str) -> str:
    """Return the text of one of the project's profiles."""
    return WRITTEN[f"profiles/{name}.yaml"]


_PATTERNS = {
    "manner": re.compile(r"<manner_spec>\n(.*)\n</manner_spec>", re.DOTALL),
    "permissions": re.compile(r"<permissions instructions>\n(.*)\n</permissions instructions>", re.DOTALL),
    "mode": re.compile(r"<collaboration_mode>\n(.*)\n</collaboration_mode>", re.DOTALL),
    "documents": re.compile(r"# Documents(?: for the desk)?\n(.*\n<DOCUMENTS>\n.*)\n</DOCUMENTS>", re.DOTALL),
    "place": re.compile(r"<environment_context>\n(.*)\n</environment_context>", re.DOTALL),
    "news": re.compile(r"<model_switch>\nYou are \w+ now\.\n?(.*)\n</model_switch>", re.DOTALL),
}


def statement(manner: str, approval: str = "", mode: str = "", documents: str = "", place: str = "") -> dict[str, str]:
    """Return what a state of the desk says in full: topic -> words."""
    said = {
        "manner": MANNERS[manner],
        "permissions": f'Approval: "{approval}"' if approval else "",
        "mode": f'Mode: "{mode}"' if mode else "",
        "documents": documents,
        "place": f"<place>{place}</place>" if place else "",
    }
    return {topic: words for topic, words in said.items() if words}


def texts_of(messages: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the texts of all content parts of messages of any form."""
    contents = [message.get("content", "") for message in messages]
    return [
        text for each in contents for text in ([each] if isinstance(each, str) else [part["text"] for part in each])
    ]


def heard(messages: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return (topic, words) of all parts that a reader finds in a conversation, in order; empty words: it ended."""
    found: list[tuple[str, str]] = []
    for text in texts_of(messages):
        for topic, pattern in _PATTERNS.items():
            match = pattern.fullmatch(text.strip())
            if match:
                words = match[1].replace(CHANGED, "").replace("<DOCUMENTS>", "").strip()
                found.append(("manner" if topic == "news" else topic, "" if words in (DEFAULT, OVER) else words))
    return found


def standing(messages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return what a reader of a conversation takes to hold: the last words on each topic, without what ended."""
    return {topic: words for topic, words in dict(heard(messages)).items() if words}
