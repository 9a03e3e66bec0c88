"""From a frozen project to the files of a bundle."""

from __future__ import annotations

from frieze.emit.files import Bundle, bundle_of, contract_rows, package_name
from frieze.emit.folder import check_bundle, write_bundle
from frieze.emit.python import Sources
from frieze.emit.shares import CanonicalTexts, PartFiles, ShareFiles, share_files
from frieze.emit.verify import Verified, verify
from frieze.emit.wheel import Wheel, check_wheel, distribution_name, wheel_of, write_wheel

__all__ = [
    "Bundle",
    "CanonicalTexts",
    "PartFiles",
    "ShareFiles",
    "Sources",
    "Verified",
    "Wheel",
    "bundle_of",
    "check_bundle",
    "check_wheel",
    "contract_rows",
    "distribution_name",
    "package_name",
    "share_files",
    "verify",
    "wheel_of",
    "write_bundle",
    "write_wheel",
]
