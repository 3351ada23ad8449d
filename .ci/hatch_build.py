"""Packs published numbers, the registry and vectors of conformance into the wheel, one zip each."""

import tempfile
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKED = ("published", "registry", "vectors")


class PackedFolders(BuildHookInterface[Any]):
    """Called for each wheel that is no editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the zips into the wheel."""
        if version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory(prefix="rankconv-")
        for name in PACKED:
            folder, packed = Path(self.root) / "conventions" / name, f"{self.folder.name}/{name}.zip"
            with zipfile.ZipFile(packed, "w") as archive:
                for file in sorted(file for file in folder.rglob("*") if file.is_file()):
                    entry = zipfile.ZipInfo(file.relative_to(folder).as_posix())  # of 1980, so that builds are equal
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
            build_data["force_include"][packed] = f"rankconv/presets/shipped/{name}.zip"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the zips once they are in the wheel."""
        if version != "editable":
            self.folder.cleanup()
