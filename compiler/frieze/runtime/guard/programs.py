"""What programs do with their arguments: the program table, prepared for look-ups.

The table is data (`profiles/permissions/programs.yaml`, in a decision table under `programs`, `wrappers`, `assignments` and
`executables`). Nothing that it does not name is harmless: an unknown program, verb, flag or argument asks.

    programs, wrappers: {NAME: PROGRAM}          a wrapper is a program with an argument of the role `command`
    assignments: {harmless: [NAME...]}           `FOO=1 program` is harmless for these names alone
    executables: {ABSOLUTE PATH: NAME}           a program's other spellings that count as the bare name

PROGRAM, every field optional; FLAGS is a text of flags with blanks between them (`-a --all`), ROLES the same of roles:

    action: ACTION           what running it with harmless arguments is; left out: run
    risk, reason: TEXT       what is at stake in that action, and one sentence about it
    flags: FLAGS             flags that take no value and change nothing
    options: {ROLE: FLAGS}   flags with a value (`-n 3`, `-n3`, `--lines 3`, `--lines=3`), by the value's role
    attached: {ROLE: FLAGS}  flags whose value may be missing and else hangs on them (`--color=auto`, `-i.bak`)
    effects: [EFFECT...]     {flags: FLAGS, arguments: PATTERNS, action, risk, reason}: one of the flags, or an argument
                             that matches (`*` stands for anything), adds the action. Such flags are known ones; where
                             they stand in `options` or `attached` too they take a value.
    arguments: ROLES         roles of what is not a flag, in order; `read*` is any number; left out: none may follow
    first: FLAGS             flags that give the first argument (`grep -e`): its role is then left out
    become: {ROLE: FLAGS}    with such a flag the arguments of the roles read and search have this role (`sed -i`)
    with_arguments: ACTION   the action that it becomes when an argument follows (`git branch NAME`) ...
    listing: FLAGS           ... unless one of these flags is there
    numbers: true            `-5` is a harmless number
    style: gnu | words       gnu (left out): `-la` is a cluster; words: `-name` is one flag, `--name` the same
    stop: true               flags end where the arguments begin
    commands: {VERB: PROGRAM}    the first argument is a verb; unknown verbs ask
    anywhere: true           the flags may follow the verb as well
    grammar: NAME            what does not fit this table: an argument grammar in `grammars.py`
    transparent: true        of a wrapper: the answer is that of the inner command alone
    fetches, interpreter: true   brings something from the network; runs what is given as text or on its input
    like: NAME               the same as another program of the table; its own fields win

ROLE, a closed vocabulary:

    text            never a path: harmless
    word            of unknown meaning: denied paths in it are found, nothing else
    read search write delete     a path and what is done with it
    tree            everything below a path is read
    destination     a path that is written, or a folder into which the other arguments are written
    move            a path that is taken away
    directory       a folder in which the program works: harmless only where it is the present one
    enter           a folder that becomes the present one (`cd`)
    revision        a revision of git; `REV:PATH` reads the path
    url host        an address: network
    upload          a text, or `@PATH` and `name=@PATH`, which are read and sent
    package         what is installed
    execute         names code that is run
    code            is program text, of another language than the shell's
    shell           is a command line
    assignment      `NAME=value` in front of an inner command
    command         from here on an inner command
"""

from __future__ import annotations

ROLES = (
    "text",
    "word",
    "read",
    "search",
    "write",
    "delete",
    "tree",
    "destination",
    "move",
    "directory",
    "enter",
    "revision",
    "url",
    "host",
    "upload",
    "package",
    "execute",
    "code",
    "shell",
    "assignment",
    "command",
)
STYLES = ("gnu", "words")
