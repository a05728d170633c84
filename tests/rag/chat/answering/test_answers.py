"""An answer in HTML: chips for its citations, nothing else that leads away."""

from django.utils.safestring import SafeString

from rag.chat.answering.answers import ShownAnswer, fresh, with_chips
from rag.chat.rendering.markdown import answer_html
from rag.types import Answer, Citation, Passage


def citation(number: int, *, url: str = "/documents/1/?start=0&end=3#cytat") -> Citation:
    return Citation(
        number=number,
        chunk_id=number,
        document_id=1,
        title='Regulamin "A" <b>',
        uri="a.md",
        quote="abc",
        start=0,
        end=3,
        line_start=1,
        line_end=1,
        heading_path=('Regulamin "A" <b>', "§ 1"),
        url=url,
    )


def passage(chunk_id: int) -> Passage:
    return Passage(
        chunk_id=chunk_id,
        document_id=1,
        collection="k",
        title="T",
        uri="a.md",
        media_type="text/markdown",
        text="abc",
        start=0,
        end=3,
        line_start=1,
        line_end=1,
    )


def rendered(text: str, *citations: Citation) -> str:
    return with_chips(answer_html(text), citations)


def test_a_number_becomes_a_link_to_its_source() -> None:
    markup = rendered("Zdanie [1].", citation(1))
    assert 'href="/documents/1/?start=0&amp;end=3#cytat"' in markup
    assert "Regulamin &quot;A&quot; &lt;b&gt;" in markup
    assert "Zdanie\u00a0<a" in markup


def test_a_number_without_a_source_disappears() -> None:
    assert rendered("Zdanie [7].", citation(1)) == "<p>Zdanie.</p>\n"


def test_numbers_in_code_stay_code() -> None:
    assert rendered("`lista[1]`", citation(1)) == "<p><code>lista[1]</code></p>\n"


def test_a_source_whose_document_is_gone_is_no_link() -> None:
    assert "<a" not in rendered("Zdanie [1].", citation(1, url=""))


def test_links_pictures_and_markup_of_the_model_do_not_reach_the_reader() -> None:
    markup = rendered(
        "[1](https://zly.pl) <script>x</script> ![p](https://zly.pl/x.png) <https://zly.pl>\n\n[1]: https://zly.pl",
        citation(1),
    )
    assert 'href="https' not in markup
    assert "<script" not in markup
    assert "<img" not in markup


def test_tables_and_lists_are_rendered() -> None:
    markup = rendered("| a | b |\n|---|---|\n| 1 [1] | 2 |\n\n- x\n", citation(1))
    assert "<table>" in markup
    assert 'class="chip"' in markup
    assert "<li>x</li>" in markup


def test_an_answer_that_was_not_found_shows_the_nearest_passages_and_no_source() -> None:
    shown = fresh(Answer(question="q", text="", outcome="not_found", passages=(passage(1), passage(2))))
    assert len(shown.nearest) == 2
    assert shown.sources == ()


def test_the_title_is_not_repeated_in_the_place_of_a_source() -> None:
    shown = fresh(Answer(question="q", text="Tak [1].", outcome="answered", citations=(citation(1),)))
    assert shown.sources[0].heading_path == ("§ 1",)


def test_a_reader_can_insist_on_a_word_that_was_corrected() -> None:
    shown = ShownAnswer(
        question="Jakie są Limty zapytań?",
        html=SafeString(),
        outcome="answered",
        corrections=({"typed": "limty", "searched": "limity"},),
    )
    assert shown.as_typed == 'Jakie są "Limty" zapytań?'
