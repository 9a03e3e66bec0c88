"""`python -m frieze`."""

from __future__ import annotations

from frieze.cli import main

if __name__ == "__main__":
    main()
