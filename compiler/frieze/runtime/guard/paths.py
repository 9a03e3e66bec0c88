"""What a policy says of a path: three forms of it are judged, and the strictest answer counts.

The *lexical* form takes `.` and `..` literally, the *physical* form follows every link as the kernel does, the *folded*
form is what a less exact file system may take the path for. Allow needs all of them clean, deny needs one. An approval
is bound to the physical path. Between the judgement and the use of a path somebody may still swap a link, and hard
links and copies have no mark: a host that shares its file system with others opens files with `O_NOFOLLOW`, or
looks at the path once more after it has opened it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from .folding import fold_path, fold_pattern, unescaped
from .patterns import PatternSet
from .resolving import KERNEL, System, UnresolvedError, below, is_file, normal, resolve
from .showing import shown
from .spelling import HOME, OTHER_HOME, doubts, is_plain, refuse
from .trees import files_below
from .vocabulary import Finding, strictest

ACCESSES: Final = {"read": "read", "search": "search", "write": "edit", "delete": "delete", "link": "edit"}
"""Kind of access -> the action that it is; `link` gives a file another name, by which it can be read and written."""

_ACTIONS = {
    "read": {"read"},
    "search": {"read", "search"},
    "write": {"edit"},
    "link": {"read", "edit"},
    "delete": {"delete", "move"},
}
"""Kind of access -> the actions whose entries with `paths` speak of it."""

_RISKS = {"read": "leak", "search": "leak", "write": "change", "delete": "destructive-delete", "link": "change"}
_VERBS = {"read": "read", "search": "searched", "write": "changed", "delete": "deleted", "link": "linked"}

MOST_ENTRIES = 20_000
"""Files of a folder that are looked at before a search through it is asked about."""

NULL_DEVICE = "/dev/null"

Detail: TypeAlias = tuple[tuple[str, str], ...]

_BRACKETS = str.maketrans("", "", "[]")


class Place(NamedTuple):
    """A path that was resolved: its lexical and physical forms, and how it was written.

    `forms` are the components of every form with whether they lie below a root, `inside` whether all of them do;
    `doubts` are reasons to ask, each as the end of a sentence about the path.
    """

    lexical: str
    physical: str
    forms: tuple[tuple[tuple[str, ...], bool], ...]
    doubts: tuple[str, ...]
    inside: bool


class _Patterns:
    """Patterns that are compared with the exact and with the folded forms of a path."""

    __slots__ = ("_exact", "_folded")

    def __init__(self, texts: Iterable[str]) -> None:
        listed = tuple(map(_meant, texts))
        self._folded = PatternSet(listed, fold_pattern)
        self._exact = PatternSet(text for text in listed if fold_pattern(text) != text)

    def first(self, place: Place) -> str | None:
        for names, inside in place.forms:
            found = self.covering(names, anywhere=not inside)
            if found is not None:
                return found
        return None

    def covering(self, names: Sequence[str], *, anywhere: bool = False) -> str | None:
        return self._folded.first(names, anywhere=anywhere) or self._exact.first(names, anywhere=anywhere)


class _Entry(NamedTuple):
    """A policy's entry that speaks of paths."""

    effect: str
    action: str
    patterns: _Patterns
    rule: str
    risk: str
    reason: str


class PathJudge:
    """Judges paths for one workspace under the path lists of one policy.

    Args:
        paths: `deny`, `except`, `generated`, `protected`, `catastrophic`: lists of patterns (`except`: literal paths
            from the workspace's root).
        workspace: the workspace's folder; it may be given through a link, and it need not exist.
        home: the person's home folder; without it that of this process.
        roots: more folders that count as the workspace does.
        outside: what reading and changing outside of all roots needs, `ask` or `allow`.
        entries: the policy's entries; those that deny or ask and hold `paths` are applied.
        system: how links are looked up.

    Raises:
        PatternError, TypeError: a list is not one, or holds what is no pattern.
        ValueError: the workspace has no name.
        UnresolvedError: nobody can tell where the workspace is.
    """

    __slots__ = (
        *("_below", "_catastrophic", "_deny", "_own", "_entries", "_except", "_folded_roots", "_generated"),
        *("_home", "_outside", "_protected", "_roots", "_system", "_workspace", "workspace"),
    )

    def __init__(
        self,
        paths: Mapping[str, Any],
        workspace: str | os.PathLike[str],
        *,
        home: str | None = None,
        roots: Sequence[str] = (),
        outside: str = "ask",
        entries: Sequence[Mapping[str, Any]] = (),
        system: System = KERNEL,
    ) -> None:
        self._system = system
        if not os.fspath(workspace):
            raise ValueError("the workspace is a folder, and its name is not empty")
        given = os.path.abspath(os.fspath(workspace))  # noqa: PTH100 - text, and links stay
        self._workspace = normal(given)
        self.workspace = resolve("/", given, system)
        self._own = (self._workspace, self.workspace)
        self._below = self._workspace.rstrip("/") + "/"
        self._home = normal(home or os.path.expanduser("~"))  # noqa: PTH111 - text, also where there is no home
        self._outside = outside
        listed = [self._workspace, self.workspace]
        for root in roots:
            listed += [normal(os.path.join(given, root)), resolve(self.workspace, root, system)]  # noqa: PTH118 - text
        self._roots = tuple(dict.fromkeys(listed))
        self._folded_roots = tuple(dict.fromkeys(fold_path(root) for root in self._roots))
        self._deny = _Patterns(_texts(paths, "deny"))
        self._generated = _Patterns(_texts(paths, "generated"))
        self._protected = _Patterns(_texts(paths, "protected"))
        self._catastrophic = _Patterns(_texts(paths, "catastrophic"))
        self._except = {below(normal(f"/{text}"), "/") for text in _texts(paths, "except")}
        self._entries = tuple(_entries(entries))

    def judge(self, path: str, access: str, cwd: str | None = None) -> Finding:
        """Judge one access to a path.

        A search reads all files of a folder: ask `judge_tree` as well where nobody judges its hits one by one.

        Args:
            path: as it was written, relative to `cwd`; `~` and `$HOME` stand for the home folder.
            access: `read`, `search`, `write`, `delete` or `link`.
            cwd: the current folder; without it the workspace. A relative one starts at the workspace.
        """
        action = ACCESSES[access]
        try:
            place = self.place(path, cwd)
        except UnresolvedError as error:
            reason = f"`{_name(path)}` cannot be {_VERBS[access]}: {error}."
            return Finding("deny", action, "paths.unresolved", _RISKS[access], reason)
        if place.physical == place.lexical == NULL_DEVICE and access != "delete":
            return Finding("allow", action, "paths.null", _RISKS[access], "`/dev/null` holds nothing.")
        if access in ("read", "search") and self._is_clean(place):
            return Finding(
                "allow", action, "paths.inside", "leak", f"`{_name(path)}` is in the workspace.", (place.physical,)
            )
        found = list(self._findings(place, path, access))
        effect = strictest(finding.effect for finding in found)
        return next(finding for finding in found if finding.effect == effect)

    def judge_tree(self, path: str, cwd: str | None = None, *, hidden: bool = True) -> Finding:
        """Judge a search that reads whatever is in a folder, links left alone, as `grep -r` does.

        It asks where a file in the folder may not be read, and where there are too many files to tell.

        Args:
            path: the folder, or a file.
            cwd: as in `judge`.
            hidden: whether the search reads names that begin with a dot.
        """
        finding = self.judge(path, "search", cwd)
        if finding.effect != "allow" or not finding.paths:
            return finding
        names, _ = self._form(finding.paths[0], self._roots)
        for number, (file, below_it) in enumerate(files_below(finding.paths[0], hidden)):
            if number >= MOST_ENTRIES:
                reason = f"`{_name(path)}` holds more files than can be checked."
                return finding._replace(effect="ask", rule="paths.tree", reason=reason)
            hit = self._deny.covering((*names, *below_it))
            if hit is not None:
                reason = f"`{_name(path)}` holds `{shown(file)}`, which may not be read (`{hit}`)."
                return finding._replace(effect="ask", rule="paths.tree", reason=reason, detail=_matched(hit))
        return finding

    def place(self, path: str, cwd: str | None = None) -> Place:
        """Resolve a path.

        Raises:
            UnresolvedError: it cannot be, with the reason as the end of a sentence about the path.
        """
        doubtful: list[str] = []
        plain = type(path) is str and is_plain(path)
        written = path
        if not plain:
            refuse(path)
            doubtful += doubts(path)
            if HOME.match(path):
                path = HOME.sub(lambda _: self._home, path, count=1)
            elif OTHER_HOME.match(path):
                path = f"{self._home.rpartition('/')[0]}/{path[1:]}"
        lexical_base, physical_base = self._base(cwd)
        lexical = normal(path if path.startswith("/") else f"{lexical_base}/{path}")
        physical = self._resolve(physical_base, path)
        forms = [self._form(lexical, self._roots)]
        if physical != lexical:
            forms.append(self._form(physical, self._roots))
        if not (plain and all(is_plain("/".join(names) or ".") for names, _ in forms)):
            spellings = {path, unescaped(path), path.translate(_BRACKETS)}
            start = f"{fold_path(lexical_base)}/"
            texts = [fold_path(spelling) for spelling in sorted(spellings)]
            folded = [normal(text if text.startswith("/") else start + text) for text in texts]
            forms += [self._form(form, self._folded_roots) for form in (*folded, normal(fold_path(physical)))]
            if ("*" in written or "?" in written) and not os.path.lexists(physical):
                doubtful.append("is a pattern and not the name of a file")
        inside = all(within for _, within in forms)
        return Place(lexical, physical, tuple(dict.fromkeys(forms)), tuple(doubtful), inside)

    def _base(self, cwd: str | None) -> tuple[str, str]:
        if cwd is None or cwd in self._own:
            return cwd or self._workspace, self.workspace
        refuse(cwd)
        lexical = normal(cwd if cwd.startswith("/") else f"{self._workspace}/{cwd}")
        return lexical, self._resolve(self.workspace, cwd)

    def _resolve(self, start: str, path: str) -> str:
        """Resolve a path; the way down to the workspace was resolved when the judge was made."""
        if path.startswith(self._below):
            start, path = self.workspace, path[len(self._below) :].lstrip("/")
        return resolve("/" if path.startswith("/") else start, path, self._system)

    def _form(self, path: str, roots: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        for root in roots:
            names = below(path, root)
            if names is not None:
                return names, True
        return below(path, "/") or (), False

    def _is_clean(self, place: Place) -> bool:
        """Tell whether nothing speaks against reading a path; what most questions are about."""
        return not self._entries and place.inside and not place.doubts and self._deny.first(place) is None

    def _findings(self, place: Place, path: str, access: str) -> Iterator[Finding]:
        action, risk, verb = ACCESSES[access], _RISKS[access], _VERBS[access]
        name, paths = _name(path), (place.physical,)

        def found(effect: str, rule: str, reason: str, *, risk: str = risk, detail: Detail = ()) -> Finding:
            kind = "secrets" if rule == "paths.deny" else action
            return Finding(effect, kind, f"paths.{rule}" if "." not in rule else rule, risk, reason, paths, detail)

        hit = self._deny.first(place)
        if hit is not None and self._is_excepted(place):
            reason = f"`{name}` is an exception from `{hit}`, which needs a person's word."
            yield found("ask", "except", reason, risk="leak", detail=_matched(hit))
        elif hit is not None:
            where = "" if place.lexical == place.physical else f" It leads to `{shown(place.physical)}`."
            reason = f"`{name}` may not be {verb}: the policy closes `{hit}`.{where}"
            yield Finding("deny", "secrets", "paths.deny", "leak", reason, paths, _matched(hit))
        if access == "delete":
            yield from self._deleting(place, name, paths)
        if not place.inside:
            what = f"`{name}` is outside the workspace"
            where = f"{what}: it leads to `{shown(place.physical)}`." if self._is_below(place.lexical) else f"{what}."
            yield found("deny" if access == "delete" and self._outside == "ask" else self._outside, "outside", where)
        if access == "link" and not is_file(place.physical, self._system):
            reason = f"`{name}` is no file, and a link would give whatever is in it another name."
            yield found("ask", "link", reason)
        if access in ("write", "delete", "link"):
            hit = self._protected.first(place)
            if hit is not None:
                yield found(
                    "ask", "protected", f"`{name}` steers tools or this policy (`{hit}`).", detail=_matched(hit)
                )
            hit = self._generated.first(place)
            if hit is not None:
                kind = "destructive-generated-artifact" if access == "delete" else risk
                reason = f"`{name}` is generated (`{hit}`): change what it is made from."
                yield found(
                    "allow" if access == "delete" else "ask", "generated", reason, risk=kind, detail=_matched(hit)
                )
        for entry in self._entries:
            if entry.action in _ACTIONS[access]:
                hit = entry.patterns.first(place)
                if hit is not None:
                    yield Finding(entry.effect, action, entry.rule, entry.risk, entry.reason, paths, _matched(hit))
        if place.doubts:
            yield found("ask", "unclear", f"`{name}` {place.doubts[0]}.")
        yield found("allow", "inside", f"`{name}` is in the workspace.")

    def _deleting(self, place: Place, name: str, paths: tuple[str, ...]) -> Iterator[Finding]:
        """Yield what no deletion may touch: whatever holds the workspace or the home, and version control."""
        kept = (self._home, *self._roots)
        whole = any(
            target.count("/") == 1 or any(below(root, target) is not None for root in kept)
            for target in (place.lexical, place.physical)
        )
        if whole or any(inside and not names for names, inside in place.forms):
            reason = (
                f"`{name}` is too much to delete: it is or holds the workspace, a home folder or a system's folder."
            )
            yield Finding("deny", "delete", "paths.catastrophic", "destructive-delete", reason, paths)
        hit = self._catastrophic.first(place)
        if hit is not None:
            reason = f"`{name}` holds the history of the project (`{hit}`)."
            yield Finding("deny", "delete", "paths.catastrophic", "history-loss", reason, paths, _matched(hit))

    def _is_below(self, path: str) -> bool:
        return self._form(path, self._roots)[1]

    def _is_excepted(self, place: Place) -> bool:
        exact = {self._form(path, self._roots) for path in (place.lexical, place.physical)}
        return all(inside and names in self._except for names, inside in exact)


def _matched(pattern: str) -> Detail:
    return (("pattern", pattern),)


def _name(path: object) -> str:
    return shown(path if isinstance(path, str) else type(path).__name__)


def _texts(paths: Mapping[str, Any], key: str) -> tuple[str, ...]:
    listed = paths[key]
    if not isinstance(listed, (list, tuple)) or not all(isinstance(text, str) for text in listed):
        raise TypeError(f"`paths.{key}` must be a list of patterns")
    return tuple(listed)


def _meant(pattern: str) -> str:
    """Return a pattern without what would keep it from ever matching; one of a home folder holds anywhere."""
    if pattern.startswith("~/"):
        return f"**/{pattern[2:].lstrip('/')}"
    while "//" in pattern or "/./" in pattern:
        pattern = pattern.replace("//", "/").replace("/./", "/")
    return pattern[1:] if pattern.startswith("./") else pattern


def _entries(entries: Sequence[Mapping[str, Any]]) -> Iterator[_Entry]:
    for entry in entries:
        if entry["effect"] != "allow" and entry.get("paths"):
            patterns = _Patterns(_texts(entry, "paths"))
            yield _Entry(entry["effect"], entry["action"], patterns, entry["id"], entry["risk"], entry["reason"])
