"""Codes about names that mean nothing, where one might think that they do."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

_POLICY = (
    "kind: permissions\nname: careful\nmodes:\n  work: {can_edit: true, can_run_tests: true, actions: {run: ask, "
    "install: ask, network: ask, delete: ask, move: ask, commit: ask, push: ask, pull-request: ask, secrets: ask, deploy: ask}}\n"
)

_FOR_SLACK = """# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: slack, model: claude-sonnet-4-6}
instructions: |
  You answer questions.
  {% if platform.name == "NAME" %}
  Mention people by their handle.
  {% endif %}
"""

_AGENT = "kind: agent\nname: example\ninstructions: You answer questions.\n"

_TOPICS = """# file: profiles/first.yaml
kind: rule
name: quick-tests
topic: tests
scope: ["src/**"]
text: Run the test that is about your change first.
# file: profiles/second.yaml
kind: rule
name: all-tests
topic: TOPIC
scope: ["docs/**"]
text: Run all tests after each change.
# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
instructions: You write code.
layout: {insert: {rules: {after: instructions}}}
rules: [quick-tests, all-tests]
"""

ENTRIES: tuple[Code, ...] = (
    Code(
        code="F704",
        name="unknown-value",
        severity=Severity.WARNING,
        message="`{part}` {never} `{text}`{so}",
        meaning="Names of agents, platforms, models, personalities, modes and so on are those that are declared, and some "
        "fields and inputs have a closed list of words. A comparison with any other text comes out the same for every "
        "target and every request, so what hangs on it is always in or always out.",
        help="correct the text",
        bad=_FOR_SLACK.replace("NAME", "slak"),
        good=_FOR_SLACK.replace("NAME", "slack"),
    ),
    Code(
        code="F705",
        name="near-name",
        severity=Severity.WARNING,
        message="`{name}` is nearly {what} `{near}`",
        meaning="`attachments` says by the name of a tool what the tool reads, and `removes` which sections of a model's "
        "base instructions a personality takes out. Both may name something that only the service knows; a name that "
        "is one of the project's own but for a letter or two is mostly a slip, and does nothing.",
        help="write `{near}`",
        bad=_AGENT + "tools: [search_files]\nattachments: {serch_files: text files}\n",
        good=_AGENT + "tools: [search_files]\nattachments: {search_files: text files}\n",
    ),
    Code(
        code="F732",
        name="near-topic",
        severity=Severity.WARNING,
        message="the topics `{topic}` and `{near}` are two, so the rules `{name}` and `{other}` are never compared",
        meaning="Rules can only contradict each other where their topics are the same, letter for letter. Of two topics "
        "that differ by a plural, a hyphen, a doubled letter or the order of two letters one is mostly a slip, and what "
        "the rules say against each other goes unnoticed.",
        help="write the same topic in both, or give one of them another word",
        bad=_TOPICS.replace("TOPIC", "test"),
        good=_TOPICS.replace("TOPIC", "tests"),
    ),
    Code(
        code="F852",
        name="names-nothing",
        severity=Severity.WARNING,
        message="there is no {what} `{name}`",
        meaning="What is said of programs names others: `aliases` and `executables` the program that they stand for, "
        "`modules` those that `-m` starts, `arguments` the roles of its arguments, `grammar` how they are read. What "
        "means nothing to the guard opens nothing and closes nothing, so the command is asked about as an unknown one. "
        "`enforced_by` names rules of a policy.",
        help="correct the name",
        bad=_POLICY + "aliases: {python4: pyhton}\n",
        good=_POLICY + "aliases: {python4: python}\n",
    ),
    Code(
        code="F853",
        name="policy-of-another-sort",
        severity=Severity.WARNING,
        message="`{key}` names the policy `{name}`, which holds {what}",
        meaning="`programs` names the policy whose table says what programs do, and without a table every command is "
        "asked about. `floor` names the policy whose rules, paths and secrets count below this one.",
        help="name another policy",
        bad=_POLICY + "programs: std/floor\n",
        good=_POLICY + "programs: std/programs\n",
    ),
    Code(
        code="F854",
        name="misspelt-command",
        severity=Severity.WARNING,
        message="the rule `{name}` speaks of `{word}`, which is nearly `{near}`",
        meaning="Rules compare words as they are written. One with a slip in it speaks of a program, or of a command of a "
        "program, that nobody runs, so what it should deny goes on. Programs that the table does not know are fine; "
        "this one is a known one but for a letter.",
        help="write `{near}`; what the table of programs knows by name is never taken for a slip",
        bad=_POLICY + "rules:\n  sends: {action: push, effect: deny, commands: [[git, psuh, ...]]}\n",
        good=_POLICY + "rules:\n  sends: {action: push, effect: deny, commands: [[git, push, ...]]}\n",
    ),
)
