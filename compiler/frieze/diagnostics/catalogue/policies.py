"""Codes about permission policies and the tools that they speak of."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

_TOOL = "kind: tool\nname: show-file\ndescription: Shows a file.\naction: read\n"
_ONE_PATH = "input: {type: object, properties: {path: {type: string}}}\n"

_AGENT = "kind: agent\nname: helper\ninstructions: Be kind.\n"
_POLICY = (
    "kind: permissions\nname: careful\nmodes:\n  work: {can_edit: true, can_run_tests: true, actions: {run: ask, "
    "install: ask, network: ask, delete: ask, move: ask, commit: ask, push: ask, pull-request: ask, secrets: ask, deploy: ask}}\n"
)

ENTRIES: tuple[Code, ...] = (
    Code(
        code="F820",
        name="no-such-argument",
        severity=Severity.ERROR,
        message="the tool has no argument `{name}`",
        meaning="`paths`, `commands`, `hosts` and `patches` of a tool say which of its arguments hold such; the guard looks at "
        "these. "
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
    Code(
        code="F826",
        name="weak-layer-alone",
        severity=Severity.ERROR,
        message="a policy of the {layer} layer stands alone; it can only tighten another one",
        meaning="What the project's or the user's layer says makes a policy of a stronger layer stricter. By itself it "
        "allows nothing, so it has to name the policy that it tightens.",
        help="add `extends: std/coding`, for example, or leave `layer` out",
        bad=_POLICY + "layer: project\n",
        good="kind: permissions\nname: careful\nextends: std/coding\nlayer: project\n",
    ),
    Code(
        code="F827",
        name="weak-layer-loosens",
        severity=Severity.ERROR,
        message="the {layer} layer may not give `{name}`",
        meaning="What is known of programs, which floor holds and which paths are exceptions decides what is allowed. "
        "That is for the developer's layer and the system's; the project's and the user's only ask and deny.",
        help="move it into a policy of the developer's layer",
        bad="kind: permissions\nname: careful\nextends: std/coding\nlayer: user\nexecutables: {/opt/git: git}\n",
        good='kind: permissions\nname: careful\nextends: std/coding\nlayer: user\npaths: {deny: [".env", ".env.*", "**/secrets/**", "**/*.pem", "**/*.key", "**/.ssh/**", notes]}\n',
    ),
    Code(
        code="F828",
        name="exception-from-the-floor",
        severity=Severity.ERROR,
        message="`{path}` cannot be an exception: the floor closes `{pattern}`",
        meaning="Nothing loosens the floor. An exception turns a path that the policy itself closes into a question.",
        help="take the exception out, or the pattern out of the floor",
        bad='# file: profiles/ground.yaml\nkind: permissions\nname: ground\npaths: {deny: [".env.*"]}\n# file: profiles/example.yaml\n'
        + _POLICY
        + "floor: ground\npaths: {except: [.env.example]}\n",
        good=_POLICY + 'paths: {deny: [".env.*"], except: [.env.example]}\n',
    ),
    Code(
        code="F829",
        name="floors-in-a-circle",
        severity=Severity.ERROR,
        message="the floors go round in a circle: {path}",
        meaning="A policy stands on its floor, and a floor on its own. None can lie below itself.",
        help="take one of the `floor` fields out",
        bad="# file: profiles/one.yaml\nkind: permissions\nname: one\nfloor: two\n# file: profiles/two.yaml\nkind: permissions\nname: two\nfloor: one\n",
        good="# file: profiles/one.yaml\nkind: permissions\nname: one\nfloor: two\n# file: profiles/two.yaml\nkind: permissions\nname: two\n",
    ),
    Code(
        code="F830",
        name="loosened-by-extends",
        severity=Severity.ERROR,
        message="this is looser than `{base}`: {what}",
        meaning="A policy that extends another may only tighten it, so that whoever knows the base knows what cannot "
        "happen. What must be looser is a policy of its own, without `extends`. Maps are merged, and a list takes the "
        "place of the base's list: one that adds something repeats what the base has.",
        help="make it at least as strict as the base (a list takes the place of the base's: repeat its entries), or write "
        "a policy without `extends`",
        bad="kind: permissions\nname: careful\nextends: std/coding\npaths: {deny: [.env]}\n",
        good="kind: permissions\nname: careful\nextends: std/coding\nmodes: {implement: {actions: {push: deny}}}\n",
    ),
    Code(
        code="F831",
        name="rule-in-an-unknown-mode",
        severity=Severity.ERROR,
        message="the rule `{name}` names a mode that the policy does not have: `{mode}`",
        meaning="A rule holds in the modes that it names, or in all. In a mode that does not exist it would never hold.",
        help="name one of the policy's modes",
        bad=_POLICY + "rules:\n  lists: {action: read, effect: ask, commands: [[ls]], modes: [working], match: [ls]}\n",
        good=_POLICY + "rules:\n  lists: {action: read, effect: ask, commands: [[ls]], modes: [work], match: [ls]}\n",
    ),
    Code(
        code="F832",
        name="contradicting-rules",
        severity=Severity.ERROR,
        message="the rules `{other}` and `{name}` of the {layer} layer are about the same and answer differently",
        meaning="The strictest answer would hold, so one of two such rules says something that is not so. Whoever reads "
        "it is misled.",
        help="take one of them out",
        bad=_POLICY
        + "rules:\n  lists: {action: read, effect: ask, commands: [[ls]], match: [ls]}\n  looks: {action: read, effect: deny, commands: [[ls]], match: [ls]}\n",
        good=_POLICY
        + "rules:\n  lists: {action: read, effect: ask, commands: [[ls]], match: [ls]}\n  looks: {action: read, effect: deny, commands: [[cat]], match: [cat]}\n",
    ),
    Code(
        code="F833",
        name="rule-without-effect",
        severity=Severity.WARNING,
        message="the rule `{name}` never counts: it has {effect}, and `{action}` is {bound} in all its modes",
        meaning="Of everything that matches, the strictest answer holds. A rule that is no stricter than its action in "
        "every mode changes nothing; an allow is only heard where the mode allows the action.",
        help="take the rule out, or change the modes",
        bad=_POLICY + "rules:\n  sends: {action: push, effect: allow, commands: [[git, push, origin, main]]}\n",
        good=_POLICY
        + "rules:\n  sends: {action: push, effect: deny, commands: [[git, push, origin, main]], match: [git push origin main]}\n",
    ),
    Code(
        code="F834",
        name="allow-of-anything",
        severity=Severity.ERROR,
        message="the rule `{name}` allows anything: {what}",
        meaning="Interpreters, wrappers and programs with many commands do whatever their arguments say. Who allows them "
        "without saying more has allowed every program.",
        help="name the command that is meant, such as `[python, -m, pytest, ...]`",
        bad=_POLICY
        + "rules:\n  scripts: {action: test, effect: allow, commands: [[python, ...]], match: [python -m pytest]}\n",
        good=_POLICY
        + "rules:\n  scripts: {action: test, effect: ask, commands: [[python, ...]], match: [python -m pytest]}\n",
    ),
    Code(
        code="F835",
        name="allow-without-example",
        severity=Severity.ERROR,
        message="the rule `{name}` allows `{action}` and has no example",
        meaning="What is allowed without a question needs an example that the guard really allows, so that a rule that "
        "allows nothing, or something else, is found when compiling.",
        help="add `match:` with a command that the rule is for, and `not_match:` with one that it must not allow",
        bad=_POLICY + "rules:\n  units: {action: test, effect: allow, commands: [[unit-tests]]}\n",
        good=_POLICY
        + "rules:\n  units: {action: test, effect: allow, commands: [[unit-tests]], match: [unit-tests]}\n",
    ),
    Code(
        code="F836",
        name="failing-example",
        severity=Severity.ERROR,
        message="in the mode `{mode}` the guard answers `{example}` with {effect}, and the rule `{name}` wants {wanted}",
        meaning="The examples of a rule are put before the guard when compiling. One that fails shows that the rule does "
        "not say what its author means.",
        help="correct the rule or the example",
        bad=_POLICY + "rules:\n  lists: {action: read, effect: deny, commands: [[ls, -l]], match: [cat notes]}\n",
        good=_POLICY + "rules:\n  lists: {action: read, effect: deny, commands: [[ls, -l]], match: [ls -l]}\n",
    ),
    Code(
        code="F837",
        name="matches-nothing",
        severity=Severity.ERROR,
        message="this can never match: {why}",
        meaning="Commands are compared word by word and paths part by part. What can match nothing protects nothing, and "
        "neither does a rule without `commands`, `paths`, `tools` and `hosts`. A rule is about one of these: beside `commands` no paths are "
        "compared, and only commands are allowed by a rule.",
        help="give it something that a command or a path can really be",
        bad=_POLICY + "rules:\n  sends: {action: push, effect: deny, commands: [[git push]]}\n",
        good=_POLICY
        + "rules:\n  sends: {action: push, effect: deny, commands: [[git, push, ...]], match: [git push]}\n",
    ),
    Code(
        code="F838",
        name="negated-pattern",
        severity=Severity.ERROR,
        message="`paths.{key}` holds `{pattern}`, and there is no negation",
        meaning="A pattern with `!` would open again what another one closes, by its place in the list. In policies the "
        "order means nothing.",
        help="take it out; a single path that may be asked for stands under `paths.except`",
        bad=_POLICY + 'paths: {deny: [".env.*", "!.env.example"]}\n',
        good=_POLICY + 'paths: {deny: [".env.*"], except: [.env.example]}\n',
    ),
    Code(
        code="F839",
        name="shadowed-rule",
        severity=Severity.WARNING,
        message="the rule `{name}` never decides: `{other}` speaks of the same and is at least as strict",
        meaning="Of all rules that match, the strictest holds. A rule inside of another one that is no looser adds "
        "nothing.",
        help="take it out, or make it stricter",
        bad=_POLICY
        + "rules:\n  moves: {action: move, effect: deny, commands: [[mv, ...]], match: [mv a b]}\n  places: {action: move, effect: ask, commands: [[mv, -f, ...]]}\n",
        good=_POLICY
        + "rules:\n  moves: {action: move, effect: ask, commands: [[mv, ...]], match: [mv a b]}\n  places: {action: move, effect: deny, commands: [[mv, -f, ...]], match: [mv -f a b]}\n",
    ),
    Code(
        code="F840",
        name="undecided-actions",
        severity=Severity.WARNING,
        message="the mode `{mode}` says nothing of {actions}",
        meaning="What nothing decides asks. That is safe, and it is seldom what somebody meant.",
        help="write them into `requires_confirmation_for`, or into `actions` with their effect",
        bad="kind: permissions\nname: careful\nmodes: {work: {can_edit: true, can_run_tests: true}}\n",
        good=_POLICY,
    ),
    Code(
        code="F841",
        name="example-goes-too-far",
        severity=Severity.ERROR,
        message="in the mode `{mode}` the rule `{name}` also allows `{example}`",
        meaning="Every allowed example is changed a little and put before the guard again: with another command behind "
        "it, a flag that nothing knows, an assignment, a substitution. None of that may be allowed because of the "
        "rule.",
        help="bound what the rule allows; check what the program table says of the program",
        bad=_POLICY
        + "programs: {frob: {flags: --probe-of-permissions}}\nrules: {units: {action: test, effect: allow, commands: [[frob, ...]], match: [frob]}}\n",
        good=_POLICY
        + "programs: {frob: {flags: --verbose}}\nrules: {units: {action: test, effect: allow, commands: [[frob, ...]], match: [frob]}}\n",
    ),
    Code(
        code="F842",
        name="empty-question",
        severity=Severity.ERROR,
        message="the question does not say what is about to happen: {question}",
        meaning='A person can only agree to something that they are told. A question such as "May I proceed?" names '
        "neither the command nor the path.",
        help="name it: `{{command}}`, `{{paths}}`, `{{packages}}`, `{{hosts}}` or `{{files}}`",
        bad=_POLICY + "actions: {install: {confirm: May I proceed?}}\n",
        good=_POLICY + 'actions: {install: {confirm: "Install {packages}?"}}\n',
    ),
    Code(
        code="F843",
        name="unknown-placeholder",
        severity=Severity.ERROR,
        message="nothing fills in the placeholder `{field}`",
        meaning="The guard fills in what it knows of an action: the command, the paths, the packages, the hosts and so "
        "on.",
        help="take one of the placeholders that the guard knows",
        bad=_POLICY + 'actions: {install: {confirm: "Install {package} by {command}?"}}\n',
        good=_POLICY + 'actions: {install: {confirm: "Install {packages} by {command}?"}}\n',
    ),
    Code(
        code="F844",
        name="model-could-confirm",
        severity=Severity.ERROR,
        message="with the argument `{name}` the model could confirm in a person's place",
        meaning="The arguments of a tool are written by the model. If one of them says that the user agreed, the model "
        "agrees with itself. A person's agreement goes from the host to the guard, as a token that the model "
        "never sees.",
        help="take the argument out; the guard asks the person, and the host calls `guard.approve`",
        bad=_TOOL + "input: {type: object, properties: {path: {type: string}, user_confirmed: {type: boolean}}}\n",
        good=_TOOL + _ONE_PATH,
    ),
    Code(
        code="F845",
        name="confirmation-without-effect",
        severity=Severity.WARNING,
        message="the mode `{mode}` has `{action}` confirmed, and {why} denies it",
        meaning="A confirmation cannot open what the mode denies, so the entry has no effect.",
        help="take it out of `requires_confirmation_for`",
        bad="kind: permissions\nname: careful\nmodes: {look: {can_edit: false, requires_confirmation_for: [delete]}}\n",
        good="kind: permissions\nname: careful\nmodes: {look: {can_edit: false, requires_confirmation_for: [network]}}\n",
    ),
    Code(
        code="F846",
        name="secret-just-missed",
        severity=Severity.WARNING,
        message="`{pattern}` closes one kind of secret and not {missed}",
        meaning="These mostly lie beside each other and hold the same.",
        help="close them as well, or name them under `paths.except`",
        bad=_POLICY + "paths: {deny: [.env]}\n",
        good=_POLICY + "paths: {deny: [.env, .envrc]}\n",
    ),
    Code(
        code="F847",
        name="open-sibling",
        severity=Severity.WARNING,
        message="the rule `{name}` denies this for `{program}`, and `{command}` does the same",
        meaning="A rule for one of several programs that do the same is walked around with the other one.",
        help="name the others as well, as alternatives: `[[npm, pnpm, yarn], ...]`",
        bad=_POLICY
        + "rules:\n  publishing: {action: deploy, effect: deny, commands: [[npm, publish, ...]], match: [npm publish]}\n",
        good=_POLICY
        + "rules:\n  publishing: {action: deploy, effect: deny, commands: [[[npm, pnpm, yarn], publish, ...]], match: [npm publish]}\n",
    ),
    Code(
        code="F848",
        name="untrue-sentence",
        severity=Severity.ERROR,
        message='the text says "{sentence}" in the mode `{mode}` ({attendance}), and the guard answers `{probe}` with {effect}',
        meaning="The text about permissions is made from the decision table, and every sentence is put before the guard. "
        "What the model reads must be what happens; here it would be told something else.",
        help="make the rule do what the sentence says, or take it out",
        bad=_POLICY
        + "rules:\n  units: {action: test, effect: allow, commands: [[unit-tests], [frobnicate, ...]], match: [unit-tests]}\n  mine: {action: run, effect: ask, commands: [[frobnicate, ...]], match: [frobnicate]}\n",
        good=_POLICY
        + "rules:\n  units: {action: test, effect: allow, commands: [[unit-tests]], match: [unit-tests]}\n",
    ),
    Code(
        code="F849",
        name="guard-cannot-start",
        severity=Severity.ERROR,
        message="no guard can work with the policy `{name}`: {problem}",
        meaning="The decision table is read by the guard of every service. What it cannot read, it refuses as a whole, so "
        "this would fail when the first agent starts.",
        help="correct what the message names",
        bad=_POLICY + 'secrets: {token: {pattern: "(tok_"}}\n',
        good=_POLICY + "secrets: {token: {pattern: tok_}}\n",
    ),
    Code(
        code="F850",
        name="unenforced-prohibition",
        severity=Severity.WARNING,
        message="the text forbids something that is `{action}`, and the policy `{policy}` lets it happen",
        meaning="What a text forbids, a model mostly leaves alone; what a policy denies, it cannot do. A prohibition that "
        "matters belongs into the policy, and a wish should be known as one.",
        help="add a rule to the policy and name it under `enforced_by`, or write `advice: true` beside the text",
        bad=_AGENT.replace("Be kind.", "Do not edit files below docs.") + "permissions: std/coding\n",
        good=_AGENT.replace("Be kind.", "Do not edit files below docs.") + "permissions: std/coding\nadvice: true\n",
    ),
    Code(
        code="F851",
        name="unknown-enforcing-rule",
        severity=Severity.ERROR,
        message="the policy `{policy}` has no rule `{name}`",
        meaning="`enforced_by` says which rules keep what a text forbids from happening. A rule that is not there keeps "
        "nothing.",
        help="name a rule of the policy, or one of its lists of paths, such as `paths.deny`",
        bad=_AGENT.replace("Be kind.", "Never force-push a branch.")
        + "permissions: std/coding\nenforced_by: [force-pushes]\n",
        good=_AGENT.replace("Be kind.", "Never force-push a branch.")
        + "permissions: std/coding\nenforced_by: [force-push]\n",
    ),
)
