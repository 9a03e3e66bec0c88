"""Where the shipped data is: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent.parent


def schema_folder() -> Path:
    """Return the folder with `KIND.schema.json`.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    return _folder("schema")


def profiles_folder() -> Path:
    """Return the root of the `std` library: the folder that holds its `frieze.yaml`.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    return _folder("profiles")


def reference_folder() -> Path:
    """Return the project of the reference prompt, with the function that `frieze bench` measures against.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    return _folder("reference", "tests/bench/reference")


def _folder(name: str, in_checkout: str = "") -> Path:
    for folder in (_PACKAGE / "_data" / name, _CHECKOUT / (in_checkout or name)):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"frieze is not installed completely: its `{name}` folder is missing")
