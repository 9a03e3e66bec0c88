"""F6, bundles and output."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

ENTRIES: tuple[Code, ...] = (
    Code(
        code="F601",
        name="output-failed",
        severity=Severity.ERROR,
        message="the bundle could not be written to `{folder}`: {reason}",
        meaning="The disk is full, the folder is read-only, or the like. What stood there before is unchanged.",
        help="give yourself the right to write there, free some room, or choose another folder with `-o`",
    ),
    Code(
        code="F602",
        name="output-not-ours",
        severity=Severity.ERROR,
        message="`{folder}` is not replaced: {what}",
        meaning="`frieze compile` replaces its output folder as a whole. It does so only with a folder that holds "
        "nothing but what an earlier compile wrote, so that no file of yours is ever lost.",
        help="choose another folder with `-o`, or move your files out of it",
    ),
    Code(
        code="F603",
        name="bundle-missing",
        severity=Severity.ERROR,
        message="there is no compiled bundle in `{folder}`",
        meaning="`frieze compile --check` compares a compiled bundle with what the sources give, and found none.",
        help="run `frieze compile`",
    ),
    Code(
        code="F604",
        name="bundle-out-of-date",
        severity=Severity.ERROR,
        message="the compiled bundle is out of date: `{file}` {state}",
        meaning="The profiles, the library or frieze itself changed after the bundle was compiled, or somebody edited "
        "the bundle by hand.",
        help="run `frieze compile` and commit the result",
    ),
    Code(
        code="F605",
        name="version-of-no-wheel",
        severity=Severity.ERROR,
        message="the version `{version}` cannot be the version of a wheel",
        meaning="`frieze compile --wheel` makes a wheel with the project's version, and pip reads only versions of the "
        "form that PEP 440 gives: `1.4.0`, `1.4.0rc1`, `1.4.0.post1`, `1.4.0+tokyo`.",
        help="write a version such as `1.4.0` or `1.4.0rc1`",
    ),
    Code(
        code="F606",
        name="bundle-not-as-compiled",
        severity=Severity.ERROR,
        message="`{file}` {state}",
        meaning="`frieze verify` compares every file of a bundle with the hash that the manifest gives. This one was "
        "changed, removed or added after the compile, or was not copied as a whole.",
        help="put the bundle in place again from where it was compiled",
    ),
    Code(
        code="F607",
        name="not-a-bundle",
        severity=Severity.ERROR,
        message="`{path}` is not a compiled bundle: {what}",
        meaning="`frieze verify` takes the folder of a bundle, which is the one with `bundle.json` in it, or a wheel that "
        "`frieze compile --wheel` wrote.",
        help="give the folder of the package, such as `dist/support_desk`, or the wheel",
    ),
)
