"""LaTeX as Markdown, by the syntax tree of pylatexenc."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ingestion.reading.formats.latex import syntax as syntax
from ingestion.reading.pipe_tables import pipe_table

# Signs of private use: they are no white space and mean nothing in a text.
_BREAK, _CELL = "\ue000", "\ue001"
_BLOCK = re.compile("\ue002(\\d+)\ue002")
_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")
_NOTE = re.compile(r"\[\^(\d+)\]")
_LENGTH = re.compile(
    r"\s*-?[\d.,]*\s*(?:(?:cm|mm|pt|em|ex|in|bp|sp|pc|dd)|\\(?:line|text|column|paper)(?:width|height))\s*"
)
_SKIPS = re.compile(
    r"\\(?:[vh]skip|kern)\s*-?[\d.]+\s*[a-z]{2}(?:\s*(?:plus|minus)\s*[\d.]+\s*[a-z]+)*|\\itemsep\s*-?[\d.]+\s*[a-z]{2}"
)
_ACCENTS = set("'`^\"~=.ckvuHrdbt")


class LatexText:
    """Renders one document; blocks that must keep their lines are set aside until paragraphs are made."""

    def __init__(self) -> None:
        from pylatexenc.latex2text import LatexNodes2Text

        self._symbols = LatexNodes2Text(math_mode="verbatim")
        self._context = syntax.walker_context()
        self._blocks: list[str] = []
        self._notes: list[str] = []
        self._title = ""

    def markdown(self, source: str, *, title: str) -> str:
        """Raises RecursionError for braces nested without end."""
        self._title = title
        text = self._text(self._parsed(source))
        return "\n\n".join(self._paragraphs(text))

    def plain(self, source: str) -> str:
        return " ".join(self._text(self._parsed(source)).replace(_BREAK, " ").split())

    def _parsed(self, source: str) -> Sequence[Any]:
        from pylatexenc.latexwalker import LatexWalker

        walker = LatexWalker(_SKIPS.sub("", source), latex_context=self._context, tolerant_parsing=True)
        nodes: Sequence[Any] = walker.get_latex_nodes()[0]
        return nodes

    def _paragraphs(self, text: str) -> Iterator[str]:
        for paragraph in _PARAGRAPHS.split(text):
            lines = [" ".join(line.split()) for line in paragraph.split(_BREAK)]
            joined = "\n".join(line for line in lines if line)
            shown = _BLOCK.sub(lambda match: self._blocks[int(match[1])], joined)
            if shown.strip():
                yield shown
            yield from (
                f"[^{one}]: {self._notes[int(one) - 1]}" for one in _NOTE.findall(shown) if int(one) <= len(self._notes)
            )

    def _text(self, nodes: Sequence[Any]) -> str:
        return "".join(self._node(node) for node in nodes if node is not None)

    def _node(self, node: Any) -> str:
        kind = type(node).__name__
        if kind == "LatexCharsNode":
            return str(node.chars).replace(",,", "„")
        if kind == "LatexSpecialsNode":
            return (
                _CELL if node.specials_chars == "&" else syntax.SPECIALS.get(node.specials_chars, node.specials_chars)
            )
        if kind == "LatexGroupNode":
            return "" if _LENGTH.fullmatch(node.latex_verbatim()[1:-1]) else self._text(node.nodelist)
        if kind == "LatexMathNode":
            return self._math(node)
        if kind == "LatexEnvironmentNode":
            return self._environment(node)
        return self._macro(node) if kind == "LatexMacroNode" else ""

    def _math(self, node: Any) -> str:
        if node.displaytype == "display":
            return self._aside(str(node.latex_verbatim()))
        inner = [one for one in node.nodelist if one.latex_verbatim().strip()]
        if len(inner) == 1 and type(inner[0]).__name__ == "LatexMacroNode":
            return self._macro(inner[0])
        return str(node.latex_verbatim())

    def _macro(self, node: Any) -> str:
        name, arguments = node.macroname, self._arguments(node)
        if name in syntax.HEADINGS:
            return f"\n\n{'#' * syntax.HEADINGS[name]} {' '.join(self._text(arguments[-1:]).split())}\n\n"
        if name == "maketitle":
            return f"\n\n# {self._title}\n\n" if self._title else ""
        if name in ("footnote", "footnotetext", "thanks"):
            return self._note(arguments)
        if name in syntax.BREAKS:
            return _BREAK
        if name in syntax.DOTS:
            return " … " if name.endswith("fill") else "…"
        if name == "par":
            return "\n\n"
        if name in syntax.DROPPED:
            return ""
        return " " if name in syntax.SPACES else self._written(node, name, arguments)

    def _written(self, node: Any, name: str, arguments: Sequence[Any]) -> str:
        """The arguments of a command that only says how they look; the sign that a command without them stands for."""
        if name in ("verb", "lstinline"):
            return f"`{getattr(node.nodeargd, 'verbatim_text', '')}`"
        if name in ("multicolumn", "multirow", "parbox", "textcolor", "colorbox", "raisebox"):
            return self._text(arguments[-1:])
        if name in ("cite", "citep", "citet"):
            return f"[{self._text(arguments[-1:])}]"
        if name == "caption":
            return f"\n\n{self._text(arguments[-1:])}\n\n"
        if name in syntax.SYMBOLS:
            return syntax.SYMBOLS[name]
        if not arguments or name in _ACCENTS:
            return str(self._symbols.nodelist_to_text([node])).strip()
        return " ".join(text for one in arguments if (text := self._text([one])) not in ("", "*"))

    def _arguments(self, node: Any) -> list[Any]:
        given = getattr(node.nodeargd, "argnlist", None) or []
        return [one for one in given if one is not None]

    def _note(self, arguments: Sequence[Any]) -> str:
        self._notes.append(" ".join(self._text(arguments[-1:]).replace(_BREAK, " ").split()))
        return f"[^{len(self._notes)}]"

    def _environment(self, node: Any) -> str:
        name = node.environmentname
        if name in syntax.CODE:
            return self._aside(f"```\n{_inside(node).strip(chr(10))}\n```")
        if name in syntax.DROPPED_ENVIRONMENTS:
            return ""
        if name in syntax.TABLES:
            return self._aside(self._table(node))
        if name in syntax.LISTS:
            return self._aside("\n".join(self._items(node, numbered="enum" in name)))
        if node.nodelist and getattr(node.nodelist[0].parsing_state, "in_math_mode", False):
            return self._aside(str(node.latex_verbatim()))
        return f"\n\n{self._text(node.nodelist)}\n\n"

    def _items(self, node: Any, *, numbered: bool) -> Iterator[str]:
        number, content, mark = 0, "", ""
        for one in [*node.nodelist, None]:
            if one is not None and getattr(one, "macroname", "") not in ("item", "bibitem"):
                content += self._node(one)
                continue
            if shown := "\n\n".join(self._paragraphs(content)):
                yield mark + shown.replace("\n\n", "\n").replace("\n", "\n  ")
            if one is not None:
                number += 1
                label = self._text(self._arguments(one)[-1:])
                named = f"- {label} " if len(label) > 2 else "- "
                mark, content = f"{number}. " if numbered and not label else named, ""

    def _table(self, node: Any) -> str:
        rows = [
            [" ".join(_BLOCK.sub(lambda match: self._blocks[int(match[1])], cell).split()) for cell in row.split(_CELL)]
            for row in self._text(node.nodelist).split(_BREAK)
        ]
        filled = [row for row in rows if any(row)]
        if any(sum(map(bool, row)) > 1 for row in filled) and len(filled) > 1:
            return pipe_table(filled)
        return "\n".join(" ".join(cell for cell in row if cell) for row in filled)

    def _aside(self, block: str) -> str:
        self._blocks.append(block)
        return f"\n\n\ue002{len(self._blocks) - 1}\ue002\n\n" if block.strip() else ""


def _inside(node: Any) -> str:
    """The source between \\begin{...}[...] and \\end{...}."""
    source = str(node.latex_verbatim())
    body = source.partition("}")[2].rpartition("\\end")[0]
    return (
        re.sub(r"\A\s*(?:\[[^\]]*\]|\{[^{}]*\})+", "", body)
        if node.environmentname in ("lstlisting", "minted")
        else body
    )
