"""Passages of one document stand together under its title."""

from dataclasses import replace

from rag.chat.answering.sources import ShownSource, by_document

SOURCE = ShownSource(
    title="Regulamin", url="/documents/1/", quote="…", line_start=1, line_end=1, page_start=None, page_end=None,
    heading_path=("Załącznik", "Rozdział 1", "§ 2"), number=1, document=1,
)  # fmt: skip


def test_passages_of_one_document_stand_together_and_say_only_in_what_they_differ() -> None:
    other = replace(SOURCE, number=2, document=2, title="Uchwała")
    later = replace(SOURCE, number=3, heading_path=("Załącznik", "Rozdział 2", "§ 5"))
    gone = replace(SOURCE, number=4, document=0)
    groups = by_document([SOURCE, other, later, gone, replace(gone, number=5)])
    assert [[source.number for source in group.sources] for group in groups] == [[1, 3], [2], [4], [5]]
    assert groups[0].title == "Regulamin"
    assert [source.heading_path for source in groups[0].sources] == [("Rozdział 1", "§ 2"), ("Rozdział 2", "§ 5")]
    assert groups[1].sources[0].heading_path == SOURCE.heading_path
