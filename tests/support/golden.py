"""Expected texts in files. `make golden` (FRIEZE_UPDATE_GOLDEN=1) writes them anew; otherwise they are compared."""

from __future__ import annotations

import os
from pathlib import Path

UPDATE = os.environ.get("FRIEZE_UPDATE_GOLDEN") == "1"


def check_golden(path: Path, actual: str) -> None:
    """Compare `actual` with the file byte for byte, or write the file when goldens are updated."""
    data = actual.encode("utf-8", "surrogatepass")
    if UPDATE:
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return
    assert path.is_file(), f"{path} does not exist; `make golden` writes it"
    expected = path.read_bytes().decode("utf-8", "surrogatepass")
    assert actual == expected, f"{path} differs; look at the difference, then run `make golden`"
