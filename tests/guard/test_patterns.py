"""Path patterns against git's own answer, and by hand where git has none."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.guard.folding import fold, fold_path, fold_pattern
from frieze.runtime.guard.patterns import PatternError, PatternSet, parse

NAMES = ["a", "b", "ab", "abc", ".env", "a.py", "b-1", "x y", "A", "]", "a[b", "a\\b", "aab", "env", "-", "^", "!a"]
PIECES = [
    *(name.replace("\\", "\\\\").replace("[", "\\[") for name in NAMES),
    *("*", "**", "***", "a*", "*b", "?", "a?", "*.py", "a*b*c", "[ab]", "[!a]", "[^ab]c", "[a-c]*", "*\\b*", "*[[]*"),
    *("[]]", "[!]]", "[a", "[a-]", "[[:alpha:]]*", "[[:upper:]]", "[[:none:]]", "\\a", "a\\*", "\\*", "[]-a]", "[^]]"),
    *("[\\]]", "[b-a]", "[--a]", "[a\\-c]", "a**b", "?*", "*?", "[.]env", ".*", "[[:digit:][:lower:]]", "[^-]", "[a-"),
]
PATTERN = st.builds(
    lambda start, pieces, end: start + "/".join(pieces) + end,
    st.sampled_from(["", "/"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4),
    st.sampled_from(["", "/"]),
).filter(lambda text: text.strip("/") and text[0] not in "!#" and not text.endswith("\\"))
PATH = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def git_ignores(repository: Path, pattern: str, paths: list[tuple[list[str], bool]]) -> list[bool]:
    """Return git's answer for paths; a folder is told from a file by the slash at its end."""
    (repository / ".git/info/exclude").write_text(pattern + "\n", "utf-8")
    given = [("/".join(names) + ("/" if folder else "")) for names, folder in paths]
    done = subprocess.run(
        ["git", "-c", "core.ignoreCase=false", "check-ignore", "--no-index", "-z", "--stdin", "-v", "-n"],
        cwd=repository,
        input="\0".join(given).encode() + b"\0",
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    fields = done.stdout.decode().split("\0")[:-1]
    return [bool(fields[at]) for at in range(0, len(fields), 4)]


def random_pattern(random: Random) -> str:
    while True:
        pieces = random.choices(PIECES, k=random.choice((1, 1, 2, 2, 3, 4)))
        pattern = random.choice(("", "", "/")) + "/".join(pieces) + random.choice(("", "", "/"))
        if pattern.strip("/") and pattern[0] not in "!#" and not pattern.endswith("\\"):
            return pattern


@pytest.mark.parametrize("seed", range(4))
def test_patterns_mean_what_git_means(repository: Path, seed: int) -> None:
    random = Random(seed)
    wrong = []
    for _ in range(120):
        pattern = random_pattern(random)
        # With a slash behind it `check-ignore` takes `a/` for the content of `a`, which `a*/**` then matches.
        folders = pattern.endswith("/") and "**" not in pattern
        paths = [(random.choices(NAMES, k=random.randint(1, 4)), folders and random.random() < 0.5) for _ in range(60)]
        expected = git_ignores(repository, pattern, paths)
        parsed = parse(pattern)
        wrong += [
            (pattern, names, folder, answer)
            for (names, folder), answer in zip(paths, expected, strict=True)
            if parsed.covers(names, directory=folder) != answer
        ]
    assert not wrong


@settings(max_examples=300, deadline=None)
@given(st.lists(PATTERN, min_size=1, max_size=5), PATH)
def test_a_set_finds_what_its_patterns_find_and_folders_of_closed_content(
    patterns: list[str], names: list[str]
) -> None:
    one_by_one = [text for text in patterns if parse(text).covers([*names, "\0"])]
    found = PatternSet(patterns).first(names)
    if "~" not in "".join(names):
        assert (found is not None) == bool(one_by_one)
    if found is not None:
        assert parse(found).covers([*names, "\0"])


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=20))
def test_folding_twice_folds_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold_path(fold_path(text)) == fold_path(text)


@settings(max_examples=400, deadline=None)
@given(PATTERN, PATH, st.booleans())
def test_a_folded_pattern_takes_what_the_pattern_takes(pattern: str, names: list[str], upper: bool) -> None:
    spelt = [name.upper() if upper else name for name in names]
    folded = [name for name in fold_path("/".join(names)).split("/") if name]
    if parse(pattern).covers(names) and "[" not in pattern and len(folded) == len(names) and "\\" not in "".join(names):
        assert parse(fold_pattern(pattern)).covers(folded)
        assert fold_path("/".join(spelt)) == fold_path("/".join(names))


@pytest.mark.parametrize("pattern", ["", "/", "!x", "!", "a\nb", "a\0", None, 3, ["x"], b"x"])
def test_what_is_no_pattern(pattern: object) -> None:
    with pytest.raises(PatternError):
        parse(pattern)


@pytest.mark.parametrize(
    ("pattern", "path", "anywhere", "expected"),
    [
        ("config/secrets", "config/secrets/x", False, True),
        ("config/secrets", "home/me/config/secrets/x", False, False),
        ("config/secrets", "home/me/config/secrets/x", True, True),
        ("**/secrets/**", "config/secrets", False, True),
        ("src/*", "src", False, True),
        ("src/*.py", "src", False, False),
        (".env", ".env.local", False, False),
        (".env.*", ".env", False, False),
        ("**/*.pem", "server.pem", False, True),
        ("secrets", "SECRET~1/x", False, True),
        (".git/**", "GIT~1", False, True),
        (".git/**", "HEAD~1", False, False),
    ],
)
def test_sets_by_hand(pattern: str, path: str, anywhere: bool, expected: bool) -> None:
    assert (PatternSet([pattern]).first(path.split("/"), anywhere=anywhere) is not None) == expected


def test_matching_takes_no_exponential_time() -> None:
    pattern = parse("/".join(["**/" + "*a" * 40 + "b"] * 6))
    names = ["a" * 250] * 60
    begun = time.process_time()
    assert not pattern.covers(names)
    assert time.process_time() - begun < 5
