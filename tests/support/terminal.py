"""A project with a coding agent, two models that hold the manner of speaking, and one that does not."""

from __future__ import annotations

PROJECT = """# file: frieze.yaml
kind: project
name: terminal
# file: profiles/agent.yaml
kind: agent
name: coder
instructions: Look before you leap.
layout: std/coding
permissions: std/coding
allows: {models: [one, two, plain], personalities: [friendly, pragmatic, none], modes: [investigate, implement]}
defaults: {model: one, platform: api, mode: implement, personality: none}
# file: profiles/one.yaml
kind: model
name: one
vendor: openai
prompt_cache: true
roles: {static: instructions, later: developer, notices: developer, data: user}
template: "You are One.\\n\\n{{ personality }}\\n\\nWork in the terminal.\\n"
# file: profiles/two.yaml
kind: model
name: two
vendor: openai
prompt_cache: true
roles: {static: instructions, later: developer, notices: developer, data: user}
template: "Two works here.\\n{{ personality }}\\nBe exact.\\n"
# file: profiles/plain.yaml
kind: model
name: plain
vendor: openai
instructions: Plain work.
# file: profiles/friendly.yaml
kind: personality
name: friendly
text: Speak as a friend.
# file: profiles/pragmatic.yaml
kind: personality
name: pragmatic
text: Be brief.
"""
