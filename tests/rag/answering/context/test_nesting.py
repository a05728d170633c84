"""Where pieces of a JSON text begin and end."""

import itertools
import json

import pytest

from rag.answering.context.nesting import Nesting

VALUE = {
    "paths": {
        "/wnioski": {"get": {"summary": "Lista wniosków", "limits": {"perMinute": 60}}},
        "/oplaty": {"get": {"summary": "Lista opłat", "limits": {"perMinute": 30}}, "post": {"summary": "Nowa opłata"}},
    },
    "servers": ["test", "produkcja"],
}
TEXT = json.dumps(VALUE, ensure_ascii=False, indent=2)
NESTING = Nesting(TEXT)


def pieces(beginning: str, ending: str = "") -> list[str]:
    start = TEXT.index(beginning)
    end = TEXT.index(ending or beginning, start) + len(ending or beginning)
    return [TEXT[one:other] for one, other in NESTING.spans(start, end)]


def test_a_value_is_read_with_the_objects_that_hold_it() -> None:
    own, *around, whole = pieces("Lista opłat")
    assert own == '"summary": "Lista opłat",'
    assert [piece.partition(":")[0] for piece in around] == ['"get"', '"/oplaty"', '"paths"']
    assert whole == TEXT
    assert all(piece.rstrip(",")[-1] == "}" for piece in around)


def test_a_piece_that_begins_in_one_object_and_ends_in_another_is_read_with_both_whole() -> None:
    own, ended, whole, *_ = pieces('"perMinute": 60', "Lista opłat")
    assert own.endswith('"summary": "Lista opłat",')
    assert ended.startswith('"perMinute": 60')
    assert json.loads("{" + whole.rstrip(",") + "}") == VALUE["paths"]


@pytest.mark.parametrize("around", [("Lista opłat", ""), ('"perMinute": 60', "Lista opłat"), ("produkcja", "")])
def test_every_span_holds_what_was_asked_for_and_the_one_before(around: tuple[str, str]) -> None:
    found = pieces(*around)
    assert all(one in other for one, other in itertools.pairwise(found))


def test_the_keys_that_lead_there_are_its_headings() -> None:
    assert NESTING.headings(TEXT.index("Lista opłat")) == ("paths", "/oplaty", "get")
    assert NESTING.headings(TEXT.index('"/oplaty"')) == ("paths", "/oplaty")


def test_where_something_ends_the_headings_are_those_of_what_follows() -> None:
    assert NESTING.headings(TEXT.index('},\n    "/oplaty"')) == ("paths", "/oplaty")


def test_a_text_in_one_line_stands_alone() -> None:
    text = json.dumps(VALUE)
    assert Nesting(text).spans(5, 20) == [(0, len(text))]


def test_a_text_that_is_not_json_has_no_headings() -> None:
    assert Nesting("To nie jest JSON.").headings(0) == ()
    assert Nesting("").spans(0, 0) == [(0, 0)]
