"""Polish pages in every encoding they come in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgetree.charsets import charset_of, guessed_charset, known
from knowledgetree.fetching import media_types

TEXT = (
    "<p>Wniosek o wydanie zaświadczenia składa się w urzędzie: łąka, śnieg, źródło, ćma, żółw, gęś, ŁÓDŹ, Świdnica.</p>"
)


def decoded(content: bytes, declared: str = "") -> str:
    return content.decode(charset_of(content, declared=declared)).removeprefix("\ufeff")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1250", "iso8859_2"])
class TestPolishPages:
    def test_by_header(self, encoding: str) -> None:
        assert decoded(TEXT.encode(encoding), encoding) == TEXT

    def test_by_meta(self, encoding: str) -> None:
        page = f'<meta http-equiv="Content-Type" content="text/html; charset={encoding}">{TEXT}'
        assert decoded(page.encode(encoding)) == page

    def test_by_the_bytes_alone(self, encoding: str) -> None:
        assert decoded(TEXT.encode(encoding)) == TEXT

    @pytest.mark.parametrize("declared", ["utf-8", "windows-1250x", "base64"])
    def test_a_declaration_that_cannot_be_is_not_believed(self, encoding: str, declared: str) -> None:
        assert decoded(TEXT.encode(encoding), declared) == TEXT


class TestOtherPages:
    def test_an_old_default_of_the_server_does_not_spoil_utf8(self) -> None:
        assert decoded(TEXT.encode(), "iso-8859-1") == TEXT

    def test_a_russian_page_is_not_taken_for_a_polish_one(self) -> None:
        russian = "<p>Заявление о выдаче справки подается в учреждение по месту жительства гражданина.</p>" * 5
        assert decoded(russian.encode("cp1251")) == russian
        assert decoded(russian.encode("koi8_r"), "koi8-r") == russian

    def test_a_page_of_escapes_in_ascii_is_not_taken_for_utf8(self) -> None:
        page = '<meta charset="iso-2022-jp"><p>申請書は市役所に提出します。</p>'
        assert decoded(page.encode("iso2022_jp")) == page


class TestTheBytesAlone:
    @pytest.mark.parametrize("text", ["§ 5", "20 °C", "Müller", "José", "cena – 5 zł", "„a”"])
    def test_a_few_signs_outside_ascii_are_of_windows_and_not_of_japan(self, text: str) -> None:
        content = text.encode("cp1250")
        assert content.decode(guessed_charset(content)) == text

    @pytest.mark.parametrize(
        ("text", "encoding"),
        [
            ("Заявление о выдаче справки по месту жительства", "cp1251"),
            ("Η αίτηση υποβάλλεται στην υπηρεσία", "cp1253"),
        ],
    )
    def test_another_script_is_recognised(self, text: str, encoding: str) -> None:
        content = text.encode(encoding)
        assert content.decode(guessed_charset(content)) == text


class TestMarks:
    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_a_byte_order_mark_goes_before_the_header(self, encoding: str) -> None:
        assert decoded(TEXT.encode(encoding), "iso-8859-2") == TEXT

    def test_utf8_cut_in_the_middle_is_still_utf8(self) -> None:
        assert charset_of((TEXT * 3).encode()[:-6] + b"\xc5", declared="") == "utf-8"


class TestNames:
    @pytest.mark.parametrize(
        "said", ["base64", "zlib", "bz2", "hex", "rot13", "idna", "punycode", "nie-ma", "", "a\0b"]
    )
    def test_what_is_no_encoding_of_text_is_not_known(self, said: str) -> None:
        assert known(said) == ""

    def test_latin_1_is_read_as_browsers_do(self) -> None:
        assert known("ISO-8859-1") == "cp1252"


class TestAnything:
    @given(st.binary(max_size=300), st.text(max_size=20))
    def test_every_content_can_be_read(self, content: bytes, declared: str) -> None:
        content.decode(charset_of(content, declared=declared), errors="replace").encode("utf-8", errors="replace")

    @given(st.text(st.characters(max_codepoint=255), max_size=60), st.binary(max_size=100))
    def test_every_header_can_be_read(self, header: str, beginning: bytes) -> None:
        said, charset = media_types.declared(header)
        assert isinstance(charset, str)
        assert isinstance(media_types.media_type_of(said, beginning), str)
