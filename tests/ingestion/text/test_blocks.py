"""Rows of tables that the Markdown parser is spared change nothing of what it finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.text.markdown import blocks
from ingestion.text.markdown.blocks import BlockReader

LINES = [
    "| a | b |", "| c | d |", "|", "| --- | --- |", "|---|---|", "|:-:|", "tekst", "tekst | dalej", "", "  ", "```",
    "- punkt", "  | w punkcie |", "> cytat", "# Tytuł", "***", "<div>", "    wcięcie",
]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=24), st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_blocks_are_those_of_the_whole_text(lines: list[str], newline: str) -> None:
    text = newline.join(lines)
    found = BlockReader().read(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(blocks, "_is_further_row", lambda lines, number: False)
        assert found == BlockReader().read(text)


def test_a_long_table_is_one_block() -> None:
    text = "Przed.\n\n| Lp | Kwota |\n| --- | --- |\n" + "| 1 | 17 zł |\n" * 1000 + "\nPo."
    table = BlockReader().read(text)[1]
    assert table.kind == "table"
    assert text[table.start : table.end].count("17 zł") == 1000
