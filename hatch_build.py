"""Packs published numbers and conformance vectors into the wheel, one zip each; in a checkout they stay folders."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKED = ("published", "vectors")


class PackedFolders(BuildHookInterface[Any]):
    """Called for each wheel that is no editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the zips into the wheel."""
        if version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory(prefix="rankconv-")
        for name in PACKED:
            packed = shutil.make_archive(f"{self.folder.name}/{name}", "zip", Path(self.root) / "conventions" / name)
            build_data["force_include"][packed] = f"rankconv/conventions/{name}.zip"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the zips once they are in the wheel."""
        if version != "editable":
            self.folder.cleanup()
