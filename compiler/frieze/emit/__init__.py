"""From a frozen project to the files of a bundle."""

from __future__ import annotations

from frieze.emit.files import Bundle, bundle_of, package_name
from frieze.emit.folder import check_bundle, write_bundle

__all__ = ["Bundle", "bundle_of", "check_bundle", "package_name", "write_bundle"]
