"""How setuptools makes the wheel and the source archive (`tool.setuptools.cmdclass`). The program does not import it.

What stands beside the packages in a checkout goes into one of them, where `knowledgetree.places` finds it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

_SHIPPED = "templates", "fixtures", "docs/przewodnik"


class BuildWithShippedFiles(build_py):  # type: ignore[misc]
    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for source, target in self._shipped():
                self.mkpath(str(target.parent))
                self.copy_file(str(source), str(target), preserve_mode=False)

    def get_outputs(self, *arguments: Any, **options: Any) -> list[str]:
        return [*super().get_outputs(*arguments, **options), *(str(target) for _source, target in self._shipped())]

    def get_source_files(self) -> list[str]:
        return [*super().get_source_files(), "CHANGELOG.md", *(str(source) for source, _target in self._shipped())]

    def _shipped(self) -> Iterator[tuple[Path, Path]]:
        """Each file, and where it goes; scripts that made some of them stay behind."""
        for folder in _SHIPPED:
            for source in sorted(Path(folder).rglob("*")):
                if source.is_file() and source.suffix not in {".py", ".pyc"}:
                    yield source, Path(self.build_lib, "knowledgetree/shipped", source)


class SourceWithoutTests(sdist):  # type: ignore[misc]
    """setuptools would take `tests/test*.py` alone, which cannot run without the rest."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, [file for file in files if not file.startswith("tests/")])
