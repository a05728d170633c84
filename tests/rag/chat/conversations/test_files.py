"""A conversation as a Word file and as a PDF."""

from io import BytesIO

import docx
import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.test import Client

from rag.chat.conversations.files.content import TableBlock, TextBlock, blocks_of
from tests.conftest import index_text, make_public
from tests.rag.chat.conversations.talks import said, talk

ANSWER = """Zażółć **26 dni** [1] & gęślą <b>jaźń</b>.

- pierwszy\x07 [adres](http://obcy.example)
  - głębiej

3. trzeci

| Grupa | Dni |
|---|---|
| kadry | 26 |
"""


def words_of(pdf: bytes) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def test_an_answer_comes_in_blocks() -> None:
    blocks = list(blocks_of(ANSWER))
    texts = [block for block in blocks if isinstance(block, TextBlock)]
    assert [(one.kind, one.depth, one.sign) for one in texts] == [
        ("paragraph", 0, ""), ("item", 1, "•"), ("item", 2, "•"), ("item", 1, "3."),
    ]  # fmt: skip
    assert [run.text for run in texts[0].runs if run.bold] == ["26 dni"]
    assert blocks[-1] == TableBlock(rows=(("Grupa", "Dni"), ("kadry", "26")))


@pytest.mark.django_db
def test_files_have_questions_answers_and_links_and_nothing_that_is_closed_by_now(
    client: Client, employee: User
) -> None:
    leave = index_text(make_public(), "Urlop trwa 26 dni.", name="urlopy.txt", title="Urlopy wypoczynkowe")
    client.force_login(employee)
    conversation = talk(employee, "Żółte kartki?")
    said(conversation, "Ile trwa urlop?", ANSWER, cites=(leave,))

    word = client.get(f"/c/{conversation.pk}/export.docx")
    assert word["Content-Disposition"] == 'attachment; filename="zolte-kartki.docx"'
    document = docx.Document(BytesIO(word.content))
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    assert "Żółte kartki?" in text
    assert "Zażółć 26 dni [1] & gęślą <b>jaźń</b>." in text
    assert [cell.text for cell in document.tables[0].rows[1].cells] == ["kadry", "26"]
    addresses = [link.target_ref for link in document.part.rels.values() if link.is_external]
    assert len(addresses) == 1
    assert addresses[0].startswith(f"http://testserver/documents/{leave.pk}/")

    pdf = client.get(f"/c/{conversation.pk}/export.pdf")
    assert pdf["Content-Type"] == "application/pdf"
    assert "Zażółć 26 dni [1] & gęślą <b>jaźń</b>." in words_of(pdf.content)
    assert "Urlopy wypoczynkowe" in words_of(pdf.content)

    leave.collection.visibility = "restricted"
    leave.collection.save()
    text = words_of(client.get(f"/c/{conversation.pk}/export.pdf").content)
    assert "Ile trwa urlop?" in text
    assert "26 dni" not in text
    assert "Urlopy" not in text
    client.logout()
    assert client.get(f"/c/{conversation.pk}/export.docx").status_code == 404
