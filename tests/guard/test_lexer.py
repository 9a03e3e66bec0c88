"""Which command lines are read exactly, into which words, and why others are refused."""

from __future__ import annotations

import shlex
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.guard.lexer import LONGEST, Redirect, Refused, Script, lex
from support.command_lines import Lines


def words(text: str) -> list[tuple[str, ...]]:
    """Return the words of every simple command of an accepted text."""
    script = lex(text)
    assert isinstance(script, Script), script
    return [simple.argv for pipeline in script.pipelines for simple in pipeline]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ls -la src", [("ls", "-la", "src")]),
        ("  ls\t-la  ", [("ls", "-la")]),
        ("\n\nls\n\n", [("ls",)]),
        ("l''s 'a b' \"c d\" e\\ f", [("ls", "a b", "c d", "e f")]),
        ("echo '' \"\"", [("echo", "", "")]),
        ("echo 'a'\\''b'", [("echo", "a'b")]),
        ('echo "a\\"b\\\\c\\$d\\e"', [("echo", 'a"b\\c$d\\e')]),
        ('echo "a\\\nb"', [("echo", "ab")]),
        ("echo 'a\\\nb'", [("echo", "a\\\nb")]),
        ("echo 'a\nb' \"c\nd\"", [("echo", "a\nb", "c\nd")]),
        ("a\\\nb c\\\n d", [("ab", "c", "d")]),
        ("a&\\\n&b", [("a",), ("b",)]),
        ("a && b || c; d\ne | f", [("a",), ("b",), ("c",), ("d",), ("e",), ("f",)]),
        ("a &&\n\n b |\n c;", [("a",), ("b",), ("c",)]),
        (
            "echo a#b x=1 HEAD~2 HEAD@{1} {} {a} a^b [ ] %x 50% a!",
            [("echo", "a#b", "x=1", "HEAD~2", "HEAD@{1}", "{}", "{a}", "a^b", "[", "]", "%x", "50%", "a!")],
        ),
        ('grep "x$" f', [("grep", "x$", "f")]),
        ("find . ! -name x \\( -a \\) \\;", [("find", ".", "!", "-name", "x", "(", "-a", ")", ";")]),
        ("echo é 漢字 'ñ'", [("echo", "é", "漢字", "ñ")]),
        ("'if' x", [("if", "x")]),
        ("echo if then", [("echo", "if", "then")]),
        ("time -p ls", [("time", "-p", "ls")]),
        ('"A"=1 x', [("A=1", "x")]),
    ],
)
def test_accepted_words(text: str, expected: list[tuple[str, ...]]) -> None:
    assert words(text) == expected


def test_connectors() -> None:
    script = lex("a && b | c || d; e\nf")
    assert isinstance(script, Script)
    assert script.connectors == ("", "&&", "||", ";", ";")
    assert [len(pipeline) for pipeline in script.pipelines] == [1, 2, 1, 1, 1]


def test_redirects_and_assignments() -> None:
    script = lex("A=1 B='x y' C= > 'o p' D=2 run x=1 2>&1 >>log 2>err < in >| f &> g &>>h 1>&2 x2>i \\2>j")
    assert isinstance(script, Script)
    ((simple,),) = script.pipelines
    assert simple.assignments == (("A", "1"), ("B", "x y"), ("C", ""), ("D", "2"))
    assert simple.argv == ("run", "x=1", "x2", "2")
    assert simple.redirects == (
        Redirect(">", "o p"),
        Redirect(">>", "log"),
        Redirect(">", "err"),
        Redirect("<", "in"),
        Redirect(">|", "f"),
        Redirect("&>", "g"),
        Redirect("&>>", "h"),
        Redirect(">", "i"),
        Redirect(">", "j"),
    )


@pytest.mark.parametrize("text", ["> f", "2>&1", "A=1", "A=1 > f < g"])
def test_commands_without_a_program(text: str) -> None:
    assert words(text) == [()]


REFUSED = {
    "": "nothing",
    "  \n ": "nothing",
    "ls $x": "expansion",
    "ls ${x}": "expansion",
    "ls $(x)": "expansion",
    "ls $'x'": "expansion",
    'ls $"x"': "expansion",
    'ls "$x"': "quote",
    "ls `x`": "substitution",
    'ls "`x`"': "quote",
    "ls *": "pattern",
    "ls a?": "pattern",
    "ls [a]": "pattern",
    "[a]": "pattern",
    "ls {a,b}": "braces",
    "ls {1..3}": "braces",
    "{a,b}": "braces",
    "{ ls; }": "braces",
    "ls }": "braces",
    "(ls)": "group",
    "ls(){ x; }": "group",
    "ls <(x)": "redirect",
    "ls >(x)": "redirect",
    "ls ~": "home",
    "ls ~/x": "home",
    "ls a=~": "home",
    "ls a:~/x": "home",
    "A=~ ls": "home",
    "# x": "comment",
    "ls # x": "comment",
    "ls &": "background",
    "ls & x": "background",
    "ls |& x": "pipe",
    "ls ;; x": "empty",
    "; ls": "empty",
    "ls; ; x": "empty",
    "ls && ; x": "empty",
    "| ls": "empty",
    "ls && && x": "empty",
    "ls &&": "middle",
    "ls |": "middle",
    "ls ||\n": "middle",
    "ls >": "target",
    "ls > > x": "target",
    "ls > ; x": "target",
    "ls > ''": "target",
    "ls << x": "redirect",
    "ls <<< x": "redirect",
    "ls <> x": "redirect",
    "ls <&0": "redirect",
    "ls >&-": "redirect",
    "ls >&f": "redirect",
    "ls >& 2": "redirect",
    "ls >&2x": "redirect",
    "ls 3>f": "descriptor",
    "ls 12>f": "descriptor",
    "ls 2<f": "descriptor",
    "ls 01>f": "descriptor",
    "ls {v}>f": "descriptor",
    "'ls": "quote",
    'ls "x': "quote",
    "ls \\": "backslash",
    "if x": "grammar",
    "then": "grammar",
    "! ls": "grammar",
    "[[ x ]]": "pattern",
    "coproc x": "grammar",
    "function x": "grammar",
    "time ! x": "grammar",
    "time A=1 x": "grammar",
    "time if": "grammar",
    "A+=1 x": "appends",
    "A[0]=1 x": "pattern",
    "ls\r": "control",
    "ls\0": "control",
    "ls \x1b[0m": "control",
    "ls \u200b": "seen",
    "ls \u00a0x": "seen",
    "ls \u202ex": "seen",
    "ls \ud800": "seen",
    "ls\u2028x": "seen",
    "\u0433it status": "ASCII",
    "\uff4cs": "ASCII",
    "'' x": "empty",
    "echo !x": "`!`",
    'echo "!x"': "quote",
    "a" * (LONGEST + 1): "longer",
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.items(), ids=[repr(text[:20]) for text in REFUSED])
def test_refused(text: str, reason: str) -> None:
    refused = lex(text)
    assert isinstance(refused, Refused), refused
    assert reason in refused.reason
    assert 0 <= refused.where <= len(text)


def test_a_plain_sh_reads_less() -> None:
    assert isinstance(lex("ls &> f"), Script)
    assert isinstance(lex("ls &> f", posix=True), Refused)
    assert isinstance(lex("ls > f 2>&1", posix=True), Script)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gets_an_answer(text: str) -> None:
    assert isinstance(lex(text), (Script, Refused))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.text(st.characters(categories=["L", "N", "P", "S"]) | st.sampled_from(" \n"), max_size=12), min_size=1)
)
def test_quoted_words_come_back(given_words: list[str]) -> None:
    text = " ".join(["run", *map(shlex.quote, given_words)])
    assert words(text) == [("run", *given_words)]


@settings(max_examples=300, deadline=None)
@given(st.text(string.ascii_letters + "-_./ \t", min_size=1).filter(str.strip))
def test_the_short_way_is_the_long_way(text: str) -> None:
    """Texts of plain words are split at once; with a quoted empty string at the end the reader has to go through them."""
    short, long = lex(text), lex(text + " ''")
    assert isinstance(short, Refused) == isinstance(long, Refused)
    if isinstance(short, Script):
        assert words(text + " ''") == [(*words(text)[0], "")]


def test_a_joined_line_changes_nothing() -> None:
    lines = Lines(5)
    tried = 0
    while tried < 300:
        text = lines.line(0)
        script = lex(text)
        if isinstance(script, Script) and not set(text) & set("'\"\\"):
            at = lines.random.randrange(len(text) + 1)
            assert lex(text[:at] + "\\\n" + text[at:]) == script
            tried += 1


@pytest.mark.parametrize(
    "piece", ["a", "'", '"', '"a', "\\", "\\\n", "$(", "a=", "> ", ";", "&&a", "{", "[", "~", "''", '"\\', "1>&2 "]
)
def test_the_time_is_linear(piece: str) -> None:
    def taken(count: int) -> float:
        text = "x " + piece * (count // len(piece))
        best = 1.0
        for _ in range(5):
            begin = time.process_time()
            lex(text)
            best = min(best, time.process_time() - begin)
        return best

    assert taken(9_600) < max(taken(1_200) * 40, 0.3), "eight times the text may take eight times as long"
