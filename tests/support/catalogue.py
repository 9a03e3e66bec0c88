"""A small project that meets every condition of the `std` blocks, compiled once."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import frieze
from frieze.runtime import Bundle
from support.projects import split_files, write_files

PROJECT = """\
# file: frieze.yaml
kind: project
name: catalogue
# file: profiles/full.yaml
kind: agent
name: full
allows: {platforms: [rich, bare, half, std/web-chat, std/line], models: [cached, uncached], personalities: [kind, std/none]}
defaults: {platform: rich, model: cached, personality: kind}
instructions: Help people.
inline_citations: true
code_interpreter: true
reranker: true
knowledge_bases: [handbook, prices]
skills: [refunds, late]
attachments: {read-image: photos, read-pdf: PDF files}
# file: profiles/single.yaml
kind: agent
name: single
extends: full
knowledge_bases: [handbook]
skills: null
# file: profiles/plain.yaml
kind: agent
name: plain
allows: {platforms: [rich, bare, half, std/web-chat, std/line], models: [cached, uncached], personalities: [kind, std/none]}
defaults: {platform: rich, model: cached, personality: std/none}
instructions: Help people.
# file: profiles/chat.yaml
kind: agent
name: chat
extends: full
interaction: chat
# file: profiles/many.yaml
kind: agent
name: many
extends: plain
skills: [@MANY@]
# file: profiles/own-voice.yaml
kind: agent
name: own-voice
extends: full
instructions: |
  Help people.
  {{ personality }}
# file: profiles/rich.yaml
kind: platform
name: rich
timezone: Asia/Tokyo
language: en
use_default_language: true
awareness: {time: true, sender_name: true, location: true}
notices: {reference_documents: true, disabled_features: true}
opening_in_context: true
group: {instructions: Several people read this.}
# file: profiles/bare.yaml
kind: platform
name: bare
timezone: Asia/Tokyo
language: en
# file: profiles/half.yaml
kind: platform
name: half
language: en
awareness: {time: true, sender_name: true, location: true}
# file: profiles/cached.yaml
kind: model
name: cached
vendor: anthropic
prompt_cache: true
personalities: {kind: Be kind in the words of this model.}
# file: profiles/uncached.yaml
kind: model
name: uncached
extends: cached
prompt_cache: false
# file: profiles/kind.yaml
kind: personality
name: kind
text: Be kind.
# file: profiles/refunds.yaml
kind: skill
name: refunds
description: Money back.
when_to_use: A customer wants money back.
text: Ask for the order number.
# file: profiles/late.yaml
kind: skill
name: late
description: |
  Arrivals after
  the desk has closed.
text: Say where the key is.
# file: profiles/long.yaml
kind: skill
name: long
when_to_use: @LONG@
text: Long.
"""

MANY = ["long", *(f"s{number:02}" for number in range(52))]
SKILLS = "".join(
    f"# file: profiles/s{number:02}.yaml\nkind: skill\nname: s{number:02}\ntext: x\n" for number in range(52)
)


@cache
def bundle() -> Bundle:
    """Return the bundle of the project."""
    text = PROJECT.replace("@MANY@", ", ".join(MANY)).replace("@LONG@", "word " * 100) + SKILLS
    with tempfile.TemporaryDirectory() as folder:
        result = frieze.compile(write_files(Path(folder), split_files(text)))
    assert result.diagnostics == (), result.diagnostics
    assert result.bundle is not None
    return Bundle.from_files(result.bundle.files)
