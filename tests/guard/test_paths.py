"""Paths in every spelling that has fooled somebody: links, Unicode, other systems' names, other ways to the same file."""

from __future__ import annotations

import errno
import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.guard.paths import MOST_ENTRIES, PathJudge
from frieze.runtime.guard.patterns import PatternError
from frieze.runtime.guard.resolving import System
from frieze.runtime.guard.vocabulary import RANK
from support.guard_table import PATHS, make_workspace

HOME = "/home/somebody"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    outer = tmp_path_factory.mktemp("outer")
    root = outer / "w"
    root.mkdir()
    make_workspace(root)
    (outer / "workspace-twin").mkdir()
    (outer / "w-twin").mkdir()
    (outer / "w-twin/app.py").write_text("x")
    (outer / "into").symlink_to("w")
    (outer / "into_src").symlink_to("w/src")
    (root / "vendor").mkdir()
    for name, target in {
        "src/chain1": "chain2",
        "src/chain2": "link_env",
        "src/loop2a": "loop2b",
        "src/loop2b": "loop2a/x",
        "src/up": "../..",
        "src/deep": "../config",
        "src/out_dir": "../../w-twin",
        "src/absolute_env": str(root / ".env"),
        "src/absolute_ok": str(root / "src/app.py"),
        "src/twice": "../src/../src/app.py",
        "src/to_root": "/",
        "src/dangle_out": "/nowhere/at/all",
        "src/dangle_ok": "not_there.py",
        "src/case": "../.ENV",
        "vendor/git": "../.git",
        "innocent.txt": "config/secrets/db.yml",
        "loop_dir": ".",
    }.items():
        (root / name).symlink_to(target)
    return root


def judge(workspace: Path, path: str, access: str = "read", cwd: str | None = None, **lists: list[str]) -> str:
    return PathJudge({**PATHS, **lists}, workspace, home=HOME).judge(path, access, cwd).effect


READS = {
    "allow": [
        *("src/app.py", "./src/app.py", "src//app.py", "src/./app.py", "src/app.py/", "src/../README.md", ".", "./", "src"),
        *("src/link_ok", "src/absolute_ok", "src/twice", "src/dangle_ok", "loop_dir/src/app.py", "src/up/w/src/app.py"),
        *("loop_dir/loop_dir/loop_dir/src/app.py", "not/there/yet.txt", "src/app.py/impossible", "environment", ".envrc"),
        *("env", "env.example", "secrets.txt", "secretsX/a", "Xsecrets/a", "my.pem.txt", "pem", "key", "monkey.txt"),
        *("src/é.py", "src/日本語.txt", "src/a b c.txt", "src/a'b.txt", 'src/a"b.txt', "src/#x", "src/!x", "src/-x", "@x"),
        *("src/a:b.py", "a..b", "...x", "src/..x", "x..", "HEAD~1", "build~1", "app/[id]/page.tsx", "src/a,b", "a=b", "$"),
        *("src/$5.txt", "100%", "console.log", "nullable.py", "comma", "aux_file", "lpt", "com", "com10", "/dev/null", "ssh/x"),
        *("dist/x.js", "src/generated/a.py", ".github/workflows/ci.yml", ".git/HEAD", ".bashrc", "id_rsa.pub", "src/ſ.txt"),
        *(".\u0435nv", "\u0455ecrets/x", "src/\U0001f600.txt", "e\u0301.txt", "ŀ.txt"),
    ],
    "ask": [
        *("/etc/passwd", "../other", "..", "src/../../other", "/", "~", "~/notes.txt", "$HOME/notes.txt", "${HOME}/x", "~root/x"),
        *("src/link_out", "src/out_dir/app.py", "src/to_root/etc/passwd", "src/dangle_out", "src/up"),
        *("/proc/self/cwd/src/app.py", "/proc/self/root/etc/passwd", "/proc/self/environ", "/dev/fd/0", "/dev/stdin", "/dev/tcp/h/1"),
        *("$OTHER/x", "src/${X}/y", "src/$HOME/x", "~/$X/y", "$HOME/$HOME/x", "$(id)/x", "`id`", "%APPDATA%/x", "src\\app.py", "..\\other", "src\\..\\..\\other"),
        *("file:///etc/passwd", "http://x/y", "https:/x/y", "src/a\u200bpp.py", "src/app.py\ufeff", "src/\u202egpj.exe", "src/a\ufe0f"),
        *("con", "NUL", "aux.txt", "src/com1", "src/lpt9.log", "COM1:x", "src/prn .txt", "src/CONIN$", "src/nul/x", "ｃｏｎ"),
        *("...", "src/. ./x", "src/.../x", "src/ /x", "*.py", "src/?.py", "．．/other", "／etc/passwd", "src/．．/．．/other", "\u2025/x"),
        *("//etc/passwd", "src/%2e%2e/%2e%2e/x", "//server/share/x"),
    ],
    "deny": [
        *(".env", "./.env", "src/../.env", "packages/api/.env", ".env/x", ".env.example", ".env.local", ".ENV", ".Env.Local"),
        *("config/secrets/x", "config/secrets", "secrets", "secrets/a/b", "Config/SECRETS/x", "a.pem", "x/A.PEM", "a.pem/chain"),
        *("tls/a.key", ".ssh/id_rsa", "x/.ssh", "~/.ssh/id_rsa", "$HOME/.ssh/config", "${HOME}/.ssh/x", "~root/.ssh/x", "/root/.ssh/x"),
        *("/other/project/.env", "../.env", "../../.env", "/etc/ssl/private/a.key", "/proc/self/cwd/.env", "/proc/self/root/x/.env"),
        *("src/link_env", "src/chain1", "src/chain2", "src/link_dir/db.yml", "src/link_dir", "src/absolute_env", "src/case"),
        *("src/deep/secrets/db.yml", "src/dangle", "innocent.txt", "src/up/w/.env", "loop_dir/.env", "loop_dir/loop_dir/.env"),
        *("src/loop", "src/loop/x", "src/loop2a", "src/loop2b", "src/loop/../app.py"),
        *(".env.", ".env ", ".env..", ".env. .", " .env", ".env/", ".env//", ".env/.", "secrets./x", "secrets /x", ".env\u3000"),
        *(".env::$DATA", ".env:x", "secrets::$INDEX_ALLOCATION/x", "config/secrets:x/y", "a.pem::$DATA", ".env:"),
        *(".e\u200bnv", ".e\u200dnv", ".\ufeffenv", "\u2060.env", ".env\u00ad", ".e\u180env", ".e\U000e0061nv", ".e\ufe0fnv", ".e\u034fnv"),
        *("．ｅｎｖ", "․env", ".ｅnv", ".𝐞𝐧𝐯", ".Ⓔnv", "ſecrets/x", "ｓecrets/x", "a．pem", "a.ｐem", "config／secrets／x", "x.KEY", "x.\u212aey"),
        *("config\\secrets\\x", "src\\..\\.env", ".\\.env", "secrets\\", "ENV~1", "SECRET~1/x", "SSH~1/id_rsa", ".ssh\\id_rsa"),
        *("C:\\w\\.env", "C:/w/x", "c:x", "C:", "Z:\\", "\\\\host\\share\\x", "\\\\?\\C:\\x", "//?/C:/x", "//./pipe/x", "\\??\\C:\\x"),
        *(".env\0.txt", "src/a\0b", "\0", "src/a\nb", "a\r", "a\tb", "a\x1b[2Jb", "a\x7fb", "a\x85b", "a\u2028b", ".env\n"),
        *("", "a" * 5000, "src/\udc80", "\ud800", "a/" * 3000, "%2eenv", ".e%6ev", ".env%00.txt", "secrets%2fx", ".[e]nv", "[s]ecrets/x"),
        *("x" * 300 + "/y", "a.pem ", "a.pem.", "nodir/../.env", "src/app.py/../../.env", "file://localhost/x/.env", "file:///w/.env"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("expected", "path"), [(effect, path) for effect, paths in READS.items() for path in paths])
def test_a_read(expected: str, path: str, workspace: Path) -> None:
    assert judge(workspace, path) == expected


WRITES = {
    "allow": ["src/app.py", "new/file.txt", "README.md", "src/link_ok", ".", "src", "dist2/x", "/dev/null", ".gitignore", "src/.github"],
    "ask": [
        *(".git/config", ".git", ".GIT/config", ".git::$INDEX_ALLOCATION/config", "GIT~1/config", ".github/workflows/ci.yml", ".github"),
        *(".g\u200bit/config", ".ｇit/hooks/pre-commit", "vendor/git/hooks/post-checkout", "src/../.git/hooks/x", ".bashrc", "AGENTS.md"),
        *("agents.md", "packages/x/conftest.py", "profiles/permissions/coding.yaml", "src/generated/a.py", "dist/a.js", "src/generated"),
        *("/tmp/x", "../x", "src/link_out", "~/.profile", "src/out_dir/new.py", ".git\\config", ".git./config", ".git /config"),
    ],
    "deny": [".env", "config/secrets/new", "src/link_env", "src/loop", "a.pem", "~/.ssh/authorized_keys", "src/dangle", "C:\\x", "x\0"],
}  # fmt: skip


@pytest.mark.parametrize(("expected", "path"), [(effect, path) for effect, paths in WRITES.items() for path in paths])
def test_a_write(expected: str, path: str, workspace: Path) -> None:
    assert judge(workspace, path, "write") == expected


DELETES = {
    "allow": ["src/app.py", "build/x", "build", "dist", "new", "src/link_ok", "src"],
    "ask": [".bashrc", ".github/workflows/ci.yml", "AGENTS.md", "src/a\u200bpp.py"],
    "deny": [
        *(".", "./", "..", "/", "/etc", "/usr", "/home", "/tmp", "/tmp/x", "~", "~/x", "$HOME", "${HOME}", "src/..", "src/../", "src/../.."),
        *(".git", ".git/", ".git/objects", ".GIT", "src/../.git", "vendor/git", "GIT~1", ".git.", "loop_dir", "loop_dir/.git"),
        *("src/link_out", "src/up", "src/to_root", "src/loop", ".env", "config/secrets", "../w", "../w/", "../w-twin", "/home/somebody"),
        *("/home/somebody/", ". ", "./ ", "//", "/.", "/./", "/etc/..", "src/dangle_out"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("expected", "path"), [(effect, path) for effect, paths in DELETES.items() for path in paths])
def test_a_delete(expected: str, path: str, workspace: Path) -> None:
    assert judge(workspace, path, "delete") == expected


LINKS = {
    "allow": ["src/app.py", "src/link_ok"],
    "ask": ["src", ".", ".git/config", "not_there", "/etc/passwd", "dist/there.js", "src/link_out", "AGENTS.md", "vendor/git/config"],
    "deny": [".env", "src/link_env", "config/secrets/db.yml", "src/loop", "src/link_dir"],
}  # fmt: skip


@pytest.mark.parametrize(("expected", "path"), [(effect, path) for effect, paths in LINKS.items() for path in paths])
def test_another_name_for_a_file(expected: str, path: str, workspace: Path) -> None:
    for there in (".git/config", "dist/there.js", "AGENTS.md"):
        (workspace / there).parent.mkdir(exist_ok=True)
        (workspace / there).touch()
    assert judge(workspace, path, "link") == expected


def test_absolute_paths_through_every_name_of_the_workspace(workspace: Path) -> None:
    outer = workspace.parent
    through = outer / "into"
    for root in (workspace, through):
        for path in (workspace / "src/app.py", through / "src/app.py"):
            finding = PathJudge(PATHS, root, home=HOME).judge(str(path), "read")
            expected = "allow" if root == through or path.is_relative_to(workspace) else "ask"
            assert finding.effect == expected
            assert finding.paths == (str(workspace.resolve() / "src/app.py"),)
            assert PathJudge(PATHS, root, home=HOME).judge(str(path.parent.parent / ".env"), "read").effect == "deny"
        assert judge(root, "src/app.py") == "allow"
        assert judge(root, "src/link_env") == "deny"
    assert judge(workspace, str(outer / "into_src/app.py")) == "ask"
    assert judge(workspace, f"{workspace}//src///app.py") == "allow"
    assert judge(workspace, f"{workspace}/") == "allow"
    assert judge(workspace, f"{workspace}//etc/passwd") == "allow", "there is no such file in the workspace"


@pytest.mark.parametrize("name", ["w-twin/app.py", "workspace-twin", "w.txt", "wx", "W/src/app.py", "w /x"])
def test_names_that_start_like_the_workspace_are_outside(name: str, workspace: Path) -> None:
    assert judge(workspace, f"{workspace.parent}/{name}") == "ask"
    assert judge(workspace, f"../{name}") == "ask"


def test_a_workspace_need_not_exist_and_may_lie_among_closed_names() -> None:
    nowhere = PathJudge(PATHS, "/nowhere/secrets/.ssh/w", home=HOME)
    assert nowhere.judge("src/app.py", "read").effect == "allow"
    assert nowhere.judge("/nowhere/secrets/.ssh/w/x", "read").effect == "allow"
    assert nowhere.judge("../x", "read").effect == "deny"
    assert nowhere.judge("/nowhere/secrets/.ssh/wx", "read").effect == "deny"


def test_the_root_of_the_file_system_as_workspace() -> None:
    whole = PathJudge(PATHS, "/", home=HOME)
    assert whole.judge("/usr/bin/git", "read").effect == "allow"
    assert whole.judge("home/x/.ssh/id", "read").effect == "deny"
    assert whole.judge("/", "delete").effect == "deny"
    assert whole.judge("/home", "delete").effect == "deny"


CWDS = [
    ("src", "app.py", "allow"),
    ("src", "../.env", "deny"),
    ("config", "secrets/db.yml", "deny"),
    ("config/secrets", "db.yml", "deny"),
    ("src/link_dir", "db.yml", "deny"),
    ("src/link_dir", "../../src/app.py", "allow"),
    ("src/deep", "../.env", "deny"),
    ("src/up", "x", "ask"),
    ("/etc", "passwd", "ask"),
    ("/etc", "../root/.ssh/x", "deny"),
    ("..", "w/src/app.py", "allow"),
    ("src/loop", "x", "deny"),
    ("a\0", "x", "deny"),
    ("", "x", "deny"),
    ("C:\\", "x", "deny"),
]


@pytest.mark.parametrize(("cwd", "path", "expected"), CWDS)
def test_the_current_folder_counts(cwd: str, path: str, expected: str, workspace: Path) -> None:
    assert judge(workspace, path, cwd=cwd) == expected
    if not cwd.startswith("/") and cwd and "\0" not in cwd and ":" not in cwd:
        assert judge(workspace, path, cwd=f"{workspace}/{cwd}") == expected


def test_dot_dot_behind_a_link_goes_where_the_kernel_goes(workspace: Path) -> None:
    # Read literally `src/deep/../x` is `src/x`; the kernel says `x`, beside `config`.
    place = PathJudge(PATHS, workspace, home=HOME).place("src/deep/../x")
    assert place.lexical == f"{workspace}/src/x"
    assert place.physical == str(workspace.resolve() / "x")
    assert judge(workspace, "src/out_dir/../w/src/app.py") == "allow"
    assert judge(workspace, "src/out_dir/../other") == "ask"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([".", "..", "src", "deep", "up", "link_dir", "out_dir", "w", "loop_dir", "config", "x", "link_ok", "dangle"]), min_size=1, max_size=7))  # fmt: skip
def test_the_physical_form_is_the_kernels(workspace: Path, names: list[str]) -> None:
    path = "/".join(names)
    expected = os.path.realpath(workspace / path, strict=False)
    assert PathJudge(PATHS, workspace, home=HOME).place(path).physical == expected


SECRET = st.sampled_from([".env", "config/secrets/x", "a/b.pem", "x/.ssh/id_rsa", "tls/server.key", ".env.local"])


def spelt(draw: st.DrawFn) -> str:
    """Spell a closed path in another way that some system takes for it."""
    path = draw(SECRET)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(path)))
        match draw(
            st.sampled_from(["upper", "wide", "invisible", "dots", "stream", "slash", "dot", "back", "nfd", "child"])
        ):
            case "upper":
                path = path[:at] + path[at:].upper()
            case "wide":
                path = path[:at] + "".join(chr(ord(c) + 0xFEE0) if "a" <= c <= "z" else c for c in path[at:])
            case "invisible":
                path = path[:at] + draw(st.sampled_from("\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f")) + path[at:]
            case "dots":
                path = path.rstrip("/") + draw(st.sampled_from([".", " ", ". ", ".."]))
            case "stream":
                path = path.rstrip("/") + "::$DATA"
            case "slash":
                path = path.replace("/", "//")
            case "dot":
                path = f"./src/../{path}"
            case "back":
                path = path.replace("/", "\\")
            case "nfd":
                path = unicodedata.normalize("NFD", path)
            case _:
                path = path.rstrip("/") + "/child"
    return path


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_no_spelling_opens_what_is_closed(workspace: Path, data: st.DataObject) -> None:
    path = data.draw(st.composite(spelt)())
    assert judge(workspace, path) == "deny", path


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30), st.sampled_from(["read", "search", "write", "delete"]))
def test_any_text_gets_an_answer(workspace: Path, path: str, access: str) -> None:
    finding = PathJudge(PATHS, workspace, home=HOME).judge(path, access)
    assert finding.effect in RANK
    assert finding.reason.isascii()
    assert finding.reason.isprintable()


@pytest.mark.parametrize("path", [None, 3, b"src/app.py", ["src"], {"a": 1}, object(), True, Path("src")])
def test_what_is_no_path_is_denied(path: object, workspace: Path) -> None:
    finding = PathJudge(PATHS, workspace, home=HOME).judge(path, "read")  # type: ignore[arg-type]  # on purpose
    assert (finding.effect, finding.rule) == ("deny", "paths.unresolved")


def test_an_exception_asks_for_exactly_one_file(workspace: Path) -> None:
    lists = {"except": [".env.example", "config/secrets/db.yml"]}
    assert judge(workspace, ".env.example", **lists) == "ask"
    assert judge(workspace, "./src/../.env.example", **lists) == "ask"
    assert judge(workspace, f"{workspace}/.env.example", **lists) == "ask"
    assert judge(workspace, "config/secrets/db.yml", **lists) == "ask"
    assert judge(workspace, "src/link_dir/db.yml", **lists) == "deny", "the way through the link has another name"
    assert judge(workspace, "innocent.txt", **lists) == "deny"
    for other in (
        ".ENV.EXAMPLE",
        ".env.example/x",
        "sub/.env.example",
        ".env.example ",
        ".env.e\u200bxample",
        ".env",
        ".env.x",
    ):
        assert judge(workspace, other, **lists) == "deny", other


def test_reasons_and_rules(workspace: Path) -> None:
    judged = PathJudge(PATHS, workspace, home=HOME)
    rows = [
        (".env", "read", "paths.deny", "secrets", "leak"),
        ("/etc/passwd", "read", "paths.outside", "read", "leak"),
        ("src/loop", "read", "paths.unresolved", "read", "leak"),
        (".git/config", "write", "paths.protected", "edit", "change"),
        ("dist/x", "write", "paths.generated", "edit", "change"),
        ("dist/x", "delete", "paths.generated", "delete", "destructive-generated-artifact"),
        ("src/x", "delete", "paths.inside", "delete", "destructive-delete"),
        (".", "delete", "paths.catastrophic", "delete", "destructive-delete"),
        (".git/x", "delete", "paths.catastrophic", "delete", "history-loss"),
        ("src/a\u200b", "read", "paths.unclear", "read", "leak"),
    ]
    for path, access, rule, action, risk in rows:
        finding = judged.judge(path, access)
        assert (finding.rule, finding.action, finding.risk) == (rule, action, risk), path
    assert "leads to `/etc/passwd`" in judged.judge("src/link_out", "read").reason
    assert r"`src/a\u200b`" in judged.judge("src/a\u200b", "read").reason


@pytest.mark.parametrize(
    ("pattern", "path", "effect"),
    [
        ("~/.aws/**", "~/.aws/credentials", "deny"),
        ("~/.aws/**", "/home/other/.aws/credentials", "deny"),
        ("~/.aws/**", ".aws/credentials", "deny"),
        ("./private.txt", "private.txt", "deny"),
        ("./private.txt", "src/private.txt", "allow"),
        ("a//b/./c", "a/b/c", "deny"),
        ("/etc/shadow", "/etc/shadow", "deny"),
        ("/etc/shadow", "etc/shadow", "deny"),
        ("Private/**", "private/x", "deny"),
        ("PRIVATE.TXT", "private.txt", "deny"),
        ("private.txt.", "private.txt", "deny"),
        ("pr\u0456vate.txt", "pr\u0456vate.txt", "deny"),
        ("ＰＲＩＶＡＴＥ", "private", "deny"),
    ],
)
def test_patterns_as_people_write_them(pattern: str, path: str, effect: str, workspace: Path) -> None:
    assert judge(workspace, path, deny=[pattern]) == effect


def test_more_roots_and_an_open_outside(workspace: Path) -> None:
    outer = workspace.parent
    wide = PathJudge(PATHS, workspace, home=HOME, roots=[str(outer / "w-twin"), str(outer / "into_src")])
    assert wide.judge(str(outer / "w-twin/x"), "write").effect == "allow"
    assert wide.judge(str(outer / "w-twin/.env"), "read").effect == "deny"
    assert wide.judge(str(outer / "w-twin/.git/x"), "write").effect == "ask"
    assert wide.judge(str(outer / "w-twin"), "delete").effect == "deny"
    assert wide.judge(str(outer / "workspace-twin/x"), "write").effect == "ask"
    full = PathJudge(PATHS, workspace, home=HOME, outside="allow")
    assert full.judge("/etc/hosts", "write").effect == "allow"
    assert full.judge("/srv/x/.env", "read").effect == "deny"
    for path in ("/", "/etc", "/home", HOME, f"{HOME}/", str(workspace), str(outer), "/srv/.git"):
        assert full.judge(path, "delete").effect == "deny", path


def test_entries_with_paths(workspace: Path) -> None:
    def entry(effect: str, action: str, *paths: str) -> dict[str, object]:
        return {
            "id": f"own-{effect}",
            "effect": effect,
            "action": action,
            "paths": list(paths),
            "risk": "change",
            "reason": "No.",
        }

    judged = PathJudge(
        PATHS,
        workspace,
        home=HOME,
        entries=[entry("ask", "edit", "infra/**"), entry("deny", "read", "hidden.txt"), entry("allow", "edit", ".git/**"), entry("deny", "move", "fixed/**")],
    )  # fmt: skip
    rows = [
        ("infra/x", "write", "ask", "own-ask"),
        ("INFRA/x", "write", "ask", "own-ask"),
        ("infra/x", "read", "allow", "paths.inside"),
        ("hidden.txt", "read", "deny", "own-deny"),
        ("a/hidden.txt", "search", "deny", "own-deny"),
        ("hidden.txt", "write", "allow", "paths.inside"),
        (".git/x", "write", "ask", "paths.protected"),
        ("fixed/x", "delete", "deny", "own-deny"),
    ]
    for path, access, effect, rule in rows:
        finding = judged.judge(path, access)
        assert (finding.effect, finding.rule) == (effect, rule), path


def test_searches_through_a_folder(workspace: Path, tmp_path: Path) -> None:
    judged = PathJudge(PATHS, workspace, home=HOME)
    assert judged.judge_tree("src").effect == "allow", "links are not followed"
    assert judged.judge_tree(".").effect == "ask"
    assert judged.judge_tree("config").rule == "paths.tree"
    assert judged.judge_tree("config/secrets").effect == "deny"
    assert judged.judge_tree("src/link_dir").effect == "deny"
    assert judged.judge_tree("/etc").effect == "ask"
    (tmp_path / "links").mkdir()
    (tmp_path / "links/looks.pem").symlink_to("../sub/.env")
    assert PathJudge(PATHS, tmp_path, home=HOME).judge_tree("links").effect == "allow", "links are not followed"
    (tmp_path / "sub/.git").mkdir(parents=True)
    (tmp_path / "sub/.env").touch()
    assert PathJudge(PATHS, tmp_path, home=HOME).judge_tree(".", hidden=False).effect == "allow"
    (tmp_path / "other/.git").mkdir(parents=True)
    (tmp_path / "other/.git/secrets").mkdir()
    (tmp_path / "other/.git/secrets/branch").touch()
    assert PathJudge(PATHS, tmp_path, home=HOME).judge_tree("other").effect == "allow"
    assert PathJudge(PATHS, tmp_path, home=HOME).judge_tree("sub").effect == "ask"
    assert PathJudge(PATHS, tmp_path, home=HOME).judge_tree(".", cwd="sub").effect == "ask"


def test_a_search_through_too_many_files_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_ENTRIES > 1000
    for number in range(12):
        (tmp_path / f"{number}.txt").touch()
    judged = PathJudge(PATHS, tmp_path, home=HOME)
    assert judged.judge_tree(".").effect == "allow"
    monkeypatch.setattr("frieze.runtime.guard.paths.MOST_ENTRIES", 10)
    assert judged.judge_tree(".").effect == "ask"


def test_a_folder_that_may_not_be_looked_at_is_denied(workspace: Path) -> None:
    def refuse(path: str) -> os.stat_result:
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), path)

    def lstat(path: str) -> os.stat_result:
        return refuse(path) if path.endswith("/closed") else os.lstat(path)

    judged = PathJudge(PATHS, workspace, home=HOME, system=System(lstat, os.readlink))
    assert judged.judge("src/closed/x", "read").effect == "deny"
    assert judged.judge("src/open/x", "read").effect == "allow"


@pytest.mark.parametrize("key", ["deny", "except", "generated", "protected", "catastrophic"])
@pytest.mark.parametrize("value", [None, "x", {"a": 1}, [3], [None]])
def test_lists_that_are_none_are_refused(key: str, value: object, tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        PathJudge({**PATHS, key: value}, tmp_path)
    with pytest.raises(KeyError):
        PathJudge({name: PATHS[name] for name in PATHS if name != key}, tmp_path)


def test_negated_patterns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PatternError):
        PathJudge({**PATHS, "deny": ["!x"]}, tmp_path)
