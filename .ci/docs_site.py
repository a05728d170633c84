"""What mkdocs.yml cannot say: the list of decisions, and that pages beside the Polish guides are in English."""

from pathlib import Path
from typing import Any

_POLISH = ("index.md", "przewodnik/")


def on_config(config: Any) -> None:
    folder = Path(config.docs_dir)
    decisions = sorted(str(path.relative_to(folder)) for path in folder.glob("adr/*.md"))
    config.nav.append({"Decisions (English)": decisions})


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """For a screen reader reads a page in the language that its root element names."""
    if page.file.src_uri.startswith(_POLISH):
        return output
    return output.replace('<html lang="pl"', '<html lang="en"', 1)
