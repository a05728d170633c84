"""What the commands and environments of LaTeX mean for a reader."""

from typing import Any

HEADINGS = {
    "part": 1,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
}
LISTS = {"itemize", "enumerate", "description", "compactitem", "compactenum", "thebibliography"}
TABLES = {"tabular", "tabular*", "tabularx", "tabulary", "longtable", "array", "supertabular", "tabu"}
CODE = {"verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "alltt"}
DROPPED_ENVIRONMENTS = {"comment", "tikzpicture", "picture", "pspicture", "filecontents", "filecontents*"}
DROPPED = set(
    "label vspace hspace vskip hskip kern setlength addtolength setcounter addtocounter includegraphics "
    "bibliographystyle bibliography pagestyle thispagestyle usepackage documentclass newcommand renewcommand "
    "providecommand newenvironment renewenvironment def let geometry hypersetup pagenumbering hline cline toprule "
    "midrule bottomrule cmidrule input include subfile index phantom vphantom hphantom color definecolor "
    "selectlanguage rule linespread fontsize graphicspath newlength newcounter theoremstyle newtheorem rowcolor "
    "cellcolor columncolor arraystretch title author date addcontentsline markboth markright tableofcontents".split()
)
SPACES = {"hfill", "quad", "qquad", "hfil", "enspace", "thinspace", " ", ",", ";", ":", "!", "newpage", "clearpage"}
BREAKS = {"\\", "newline", "linebreak", "tabularnewline"}
DOTS = {"dotfill", "ldots", "dots", "textellipsis", "hrulefill"}
SYMBOLS = {
    "S": "§", "P": "¶", "euro": "€", "texteuro": "€", "EUR": "€", "pounds": "£", "copyright": "©", "degree": "°",
    "textdegree": "°", "textnumero": "№", "checkmark": "✓", "Box": "☐", "square": "☐", "textbullet": "•",
    "quotedblbase": "„", "textquotedblright": "”", "textquotedblleft": "“", "guillemotleft": "«", "guillemotright": "»",
}  # fmt: skip
SPECIALS = {
    "~": " ",
    "--": "–",
    "---": "—",
    "``": "“",
    "''": "”",
    ",,": "„",
    "<<": "«",
    ">>": "»",
    "!`": "¡",
    "?`": "¿",
}


def walker_context() -> Any:
    """pylatexenc's knowledge of arguments, with those of commands that it does not know."""
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

    arguments = {
        "vspace": "*{", "hspace": "*{", "setlength": "{{", "addtolength": "{{", "setcounter": "{{",
        "addtocounter": "{{", "phantom": "{", "vphantom": "{", "hphantom": "{", "color": "[{", "textcolor": "[{{",
        "colorbox": "{{", "parbox": "[[[{{", "makebox": "[[{", "framebox": "[[{", "raisebox": "{[[{", "rule": "[{{",
        "multicolumn": "{{{", "multirow": "[{[{[{", "href": "{{", "url": "{", "selectlanguage": "{", "index": "{",
        "definecolor": "{{{", "linespread": "{", "fontsize": "{{", "rowcolor": "[{", "cellcolor": "[{", "caption": "[{",
        "bibitem": "[{", "cmidrule": "({", "enquote": "{", "addcontentsline": "{{{", "footnotetext": "[{",
        "foreignlanguage": "{{", "pagenumbering": "{", "hyperref": "[{", "title": "[{", "author": "[{", "date": "{",
        "newtheorem": "*{[{[", "hypersetup": "{", "geometry": "{", "input": "{", "include": "{", "subfile": "{",
    }  # fmt: skip
    environments = {
        "tabular": "[{", "tabular*": "{[{", "tabularx": "{[{", "tabulary": "{[{", "longtable": "[{", "minipage": "[[[{",
        "tabu": "{", "supertabular": "[{", "multicols": "{", "thebibliography": "{", "figure": "[", "table": "[",
    }  # fmt: skip
    context = get_default_latex_context_db()
    context.add_context_category(
        "knowledgetree",
        macros=[MacroSpec(name, spec.replace("(", "[")) for name, spec in arguments.items()],
        environments=[EnvironmentSpec(name, spec) for name, spec in environments.items()],
        prepend=True,
    )
    return context
