"""F82 and above, permission policies and the tools that they speak of."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

_TOOL = "kind: tool\nname: show-file\ndescription: Shows a file.\naction: read\n"
_ONE_PATH = "input: {type: object, properties: {path: {type: string}}}\n"

_AGENT = "kind: agent\nname: helper\ninstructions: Be kind.\n"
_MODE = "modes:\n  work: {can_edit: true, can_run_tests: true, actions: {run: ask, install: ask, network: ask, delete: ask, "
_MODE += "move: ask, commit: ask, push: ask, pull-request: ask, secrets: ask, deploy: ask}}\n"
_POLICY = "kind: permissions\nname: careful\n" + _MODE

ENTRIES: tuple[Code, ...] = (
    Code(
        code="F820",
        name="no-such-argument",
        severity=Severity.ERROR,
        message="the tool has no argument `{name}`",
        meaning="`paths`, `commands` and `hosts` of a tool say which of its arguments hold such; the guard looks at these. "
        "A name that `input` does not have would leave an argument unguarded.",
        help="write the argument's name as `input.properties` has it",
        bad=_TOOL + "paths: [file]\n" + _ONE_PATH,
        good=_TOOL + "paths: [path]\n" + _ONE_PATH,
    ),
    Code(
        code="F821",
        name="allow-of-a-weak-layer",
        severity=Severity.ERROR,
        message="the rule `{name}` allows something, and the {layer} layer may only ask and deny",
        meaning="Rules of the project's and the user's layer come with a repository or a session, so nobody vouches for "
        "them. They can make a policy stricter and never looser.",
        help="write `effect: ask` or `deny`, or move the rule into a policy of the developer's layer",
        bad=_POLICY + "rules:\n  lists: {layer: project, action: read, effect: allow, commands: [[ls]], match: [ls]}\n",
        good=_POLICY + "rules:\n  lists: {layer: project, action: read, effect: ask, commands: [[ls]], match: [ls]}\n",
    ),
    Code(
        code="F822",
        name="unknown-mode",
        severity=Severity.ERROR,
        message="the policy `{policy}` has no mode `{name}`",
        meaning="The modes of an agent are those of its permission policy.",
        help="name one of the policy's modes",
        bad=_AGENT + "permissions: std/coding\ndefaults: {mode: implementing}\n",
        good=_AGENT + "permissions: std/coding\ndefaults: {mode: implement}\n",
    ),
    Code(
        code="F823",
        name="policy-without-modes",
        severity=Severity.ERROR,
        message="the policy `{name}` has no modes, so no agent can have it",
        meaning="A policy without modes is a part of others: a floor below them, or the table of what programs do.",
        help="name a policy with `modes:`, such as `std/coding`",
        bad=_AGENT + "permissions: std/floor\n",
        good=_AGENT + "permissions: std/coding\ndefaults: {mode: implement}\n",
    ),
    Code(
        code="F824",
        name="unknown-sentence",
        severity=Severity.ERROR,
        message="there is no sentence `{name}`",
        meaning="`wording` puts sentences in the place of the library's, which stand in `std/wording`. The program that "
        "arranges them knows these and no others.",
        help="take an id from `profiles/permissions/wording.yaml` of the library",
        bad=_POLICY + "wording: {modes: Ready.}\n",
        good=_POLICY + "wording: {several: All of a line are judged.}\n",
    ),
    Code(
        code="F825",
        name="unlike-placeholders",
        severity=Severity.ERROR,
        message="the sentence `{name}` needs just these placeholders: {wanted}",
        meaning="A sentence says what is filled into its placeholders, so another sentence in its place needs the same ones. "
        "Braces that are meant as such are doubled.",
        help="write the sentence with the placeholders of the library's",
        bad=_POLICY + 'wording: {mode: "You are ready."}\n',
        good=_POLICY + 'wording: {mode: "Mode {mode}. {description}"}\n',
    ),
)
