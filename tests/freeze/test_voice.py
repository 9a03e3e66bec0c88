"""When the instructions place the personality themselves, the block of that name is out."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.runtime import Bundle
from support.projects import split_files, write_files

AGENT = """# file: frieze.yaml
kind: project
name: probe
# file: profiles/voice.yaml
kind: block
name: voice
body: "Speak so: {{ personality }}"
# file: profiles/helper.yaml
kind: agent
name: helper
defaults: {platform: api, model: claude-sonnet-4-6, personality: friendly}
instructions: |
  Help.
"""


@pytest.mark.parametrize(
    ("line", "block_is_in"),
    [
        ("", True),
        ("{{ personality }}", False),
        ("{{ personality.text }}", False),
        ("{{ personality.text | upper }}", False),
        ("{% set voice = personality %}{{ voice }}", False),
        ('{% include "voice" %}', False),
        ("{{ personality.name }}", True),
        ('{% if personality.name == "friendly" %}Smile.{% endif %}', True),
    ],
)
def test_the_text_stands_in_the_prompt_once(tmp_path: Path, line: str, block_is_in: bool) -> None:
    project = AGENT + f"  {line}\n"
    result = frieze.compile(write_files(tmp_path, split_files(project)))
    assert result.bundle is not None, result.diagnostics
    parts = Bundle.from_files(result.bundle.files).prompt("helper").render({}).parts
    assert ("personality" in {part.id for part in parts}) is block_is_in
    voices = sum(part.text.lower().count("speak like a helpful colleague") for part in parts)
    assert voices == 1
