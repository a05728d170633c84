"""Source code: the text as it stands, its language by the suffix of its name."""

from pathlib import PurePath

from ingestion.reading.encoding import decode
from ingestion.reading.failures import require_text
from ingestion.types import ExtractedText, Progress

_SUFFIXES = {
    "python": ".py .pyi .pyw", "javascript": ".js .mjs .cjs .jsx", "typescript": ".ts .mts .tsx", "java": ".java",
    "kotlin": ".kt .kts", "scala": ".scala", "groovy": ".groovy .gradle", "c": ".c .h",
    "cpp": ".cpp .cc .cxx .hpp .hh .hxx", "csharp": ".cs", "go": ".go", "rust": ".rs", "swift": ".swift",
    "php": ".php", "ruby": ".rb", "perl": ".pl .pm", "lua": ".lua", "r": ".r", "sql": ".sql",
    "shell": ".sh .bash .zsh", "powershell": ".ps1 .psm1", "batch": ".bat .cmd", "vb": ".vb .vbs .bas",
    "pascal": ".pas .dpr", "xml": ".xml .xsd .xsl .xslt .wsdl .svg", "yaml": ".yaml .yml", "toml": ".toml",
    "ini": ".ini .cfg .conf .properties .env", "css": ".css .scss .less", "vue": ".vue", "proto": ".proto",
    "graphql": ".graphql .gql", "terraform": ".tf", "dockerfile": ".dockerfile", "makefile": ".mk",
}  # fmt: skip
_NAMES = {"dockerfile": "dockerfile", "makefile": "makefile", "gnumakefile": "makefile", "jenkinsfile": "groovy"}
_LANGUAGES = {suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}

MEDIA_TYPES = tuple(f"text/x-{language}" for language in _SUFFIXES)


def code_language(name: str) -> str:
    """ "python" for "a.py", "" for a name that is not one of source code."""
    path = PurePath(name.lower())
    return _LANGUAGES.get(path.suffix) or _NAMES.get(path.name, "")


class SourceCodeExtractor:
    """The text with its indentation; `metadata` says {"kind": "code", "language": "python"}."""

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        text = require_text(decode(content))
        progress(1, 1)
        metadata = {"kind": "code", "language": code_language(name)}
        return ExtractedText(text=text, extractor="source_code", metadata=metadata)
