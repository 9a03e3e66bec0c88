"""One module a format; each has a `render`. A reporter decides the look and nothing else."""

from __future__ import annotations

from frieze.cli.reporters.report import Report

FORMATS = ("text", "json", "sarif", "github")
"""What `--format` takes."""


def render(report: Report, form: str, *, colour: bool = False, width: int = 120) -> str:
    """Return the report in one of `FORMATS`; colour and width matter for text alone."""
    from frieze.cli.reporters import github, json, sarif, text

    if form == "text":
        return text.render(report, colour=colour, width=width)
    return {"json": json.render, "sarif": sarif.render, "github": github.render}[form](report)


__all__ = ["FORMATS", "Report", "render"]
