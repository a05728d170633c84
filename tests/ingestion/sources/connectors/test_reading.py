"""What reading a place comes to, outcome by outcome."""

from collections import Counter

from ingestion.sources.connectors import ReadingOptions, plan_connector, read_connector
from ingestion.sources.types import (
    FetchedDocument,
    FetchFailure,
    Gone,
    Known,
    Planned,
    Principal,
    Reached,
    ReadingStep,
    Skipped,
    Unchanged,
)
from knowledgetree.fetching.errors import FetchFailed, FetchTimeout, HTTPFailure, TooLarge
from tests.ingestion.sources.connectors.scripted import RememberingPlace, ScriptedPlace

PLACE = "https://dysk.example.pl/pliki"


def options(**more: object) -> ReadingOptions:
    return ReadingOptions(**{"location": PLACE, "max_bytes": 1000, **more})  # type: ignore[arg-type]


def read(place: ScriptedPlace, known: dict[str, Known] | None = None, **more: object) -> list[ReadingStep]:
    return list(read_connector(place, options=options(**more), known=known or {}))


def known_of(place: ScriptedPlace) -> dict[str, Known]:
    return {step.uri: step.version for step in read(place) if isinstance(step, FetchedDocument)}


def uris(steps: list[ReadingStep], kind: type) -> list[str]:
    return [step.uri.removeprefix(f"{PLACE}/") for step in steps if isinstance(step, kind)]  # type: ignore[attr-defined]


def test_ten_thousand_unchanged_items_are_listed_and_not_read() -> None:
    place = ScriptedPlace({f"{n % 100}/{n}.txt": str(n).encode() for n in range(10_000)})
    known = known_of(place)
    place.fetched.clear()
    assert Counter(type(step) for step in read(place, known)) == {Unchanged: 10_000, Reached: 1}
    assert place.fetched == []


def test_half_a_listing_reads_what_it_has_and_takes_nothing_for_gone() -> None:
    place = ScriptedPlace({"a.txt": b"a", "b.txt": b"b", "c.txt": b"c"})
    known = known_of(place)
    del place.files["a.txt"]
    place.files = {"nowy.txt": b"n", **place.files}
    place.breaks_after, place.error = 1, FetchTimeout("cisza")
    steps = read(place, known)
    assert uris(steps, FetchedDocument) == ["nowy.txt"]
    assert not uris(steps, Gone)
    assert [step.retryable for step in steps if isinstance(step, FetchFailure)] == [True]
    assert not any(isinstance(step, Reached) for step in steps)


def test_nothing_is_gone_below_a_part_that_is_closed() -> None:
    place = ScriptedPlace({"kadry/a.txt": b"a", "kadry2/b.txt": b"b", "c.txt": b"c"})
    known = known_of(place)
    place.files, place.closed = {}, {"kadry": FetchFailed("zamknięte")}
    steps = read(place, known)
    assert uris(steps, Gone) == ["kadry2/b.txt", "c.txt"]
    assert uris(steps, FetchFailure) == ["kadry"]


def test_what_has_the_content_of_what_is_gone_was_moved() -> None:
    place = ScriptedPlace({"stara.txt": b"ta sama", "inna.txt": b"inna"})
    known = known_of(place)
    place.files = {"nowa/nazwa.txt": b"ta sama", "inna.txt": b"inna", "kopia.txt": b"inna"}
    steps = read(place, known)
    found = {step.uri: step.former for step in steps if isinstance(step, FetchedDocument)}
    assert found == {f"{PLACE}/nowa/nazwa.txt": f"{PLACE}/stara.txt", f"{PLACE}/kopia.txt": ""}
    assert not uris(steps, Gone)


def test_of_two_that_it_may_be_none_was_moved() -> None:
    place = ScriptedPlace({"a.txt": b"pusty formularz", "b.txt": b"pusty formularz"})
    known = known_of(place)
    place.files = {"c.txt": b"pusty formularz"}
    steps = read(place, known)
    assert [step.former for step in steps if isinstance(step, FetchedDocument)] == [""]
    assert uris(steps, Gone) == ["a.txt", "b.txt"]


def test_a_busy_server_is_left_in_peace_at_once() -> None:
    place = ScriptedPlace({f"{n}.txt": b"x" for n in range(5)})
    place.refused["1.txt"] = HTTPFailure("zajęty", answered=429, retry_after=9.0)
    steps = read(place, {f"{PLACE}/stary.txt": Known(checksum="1")})
    assert place.fetched == ["0.txt", "1.txt"]
    assert [step.wait for step in steps if isinstance(step, FetchFailure)] == [9.0]
    assert not uris(steps, Gone)


def test_ten_failures_in_a_row_are_enough() -> None:
    place = ScriptedPlace({f"{n}.txt": b"x" for n in range(30)})
    place.refused = {path: FetchFailed("zepsute") for path in place.files}
    read(place)
    assert len(place.fetched) == 10


def test_a_huge_item_is_a_failure_of_its_own_and_not_read() -> None:
    place = ScriptedPlace({**{f"duży {n}": bytes(1001) for n in range(20)}, "mały": b"x"})
    steps = read(place)
    assert uris(steps, FetchedDocument) == ["mały"]
    assert {step.code for step in steps if isinstance(step, FetchFailure)} == {"page_too_large"}
    assert place.fetched == ["mały"]


def test_what_vanishes_between_listing_and_reading_is_gone_or_was_never_there() -> None:
    place = ScriptedPlace({"znany.txt": b"1", "nowy.txt": b"2"})
    known = {f"{PLACE}/znany.txt": Known(etag="stary", checksum="1")}
    listed = place.changes("")
    place.changes = lambda cursor: iter(all_listed)  # type: ignore[method-assign]
    all_listed = list(listed)
    place.files.clear()
    steps = read(place, known)
    assert uris(steps, Gone) == ["znany.txt"]
    assert [step.reason for step in steps if isinstance(step, Skipped)] == ["vanished"]


def test_hidden_files_and_locks_of_office_programs_are_not_there() -> None:
    place = ScriptedPlace({".git/config": b"x", "a/.DS_Store": b"x", "~$umowa.docx": b"x", "umowa.docx": b"x"})
    assert uris(read(place), FetchedDocument) == ["umowa.docx"]


def test_a_listing_of_changes_removes_what_it_names_alone() -> None:
    place = ScriptedPlace({"a.txt": b"a", "b.txt": b"b", "c.txt": b"c"}, cursor="1")
    known = known_of(place)
    place.files, place.removed, place.cursor = {"c.txt": b"inne"}, ["a.txt"], "2"
    steps = list(read_connector(place, options=options(), known=known, cursor="1"))
    assert (uris(steps, Gone), uris(steps, FetchedDocument)) == (["a.txt"], ["c.txt"])
    assert [step.cursor for step in steps if isinstance(step, Reached)] == ["2"]
    assert place.cursors[-1] == "1"


def test_rights_that_cannot_be_told_let_nothing_in() -> None:
    def fail(path: str) -> None:
        raise FetchFailed("nie wiadomo")

    place = ScriptedPlace({"a.txt": b"a"}, readers=fail)
    assert [type(step) for step in read(place, mirrors=True)] == [FetchFailure]
    assert place.fetched == []


def test_each_document_comes_with_its_readers() -> None:
    anna = frozenset({Principal(kind="user", name="anna")})
    place = ScriptedPlace({"a.txt": b"a", "b.txt": b"b"}, readers=lambda path: anna if path == "a.txt" else None)
    steps = read(place, mirrors=True)
    assert [step.readers for step in steps if isinstance(step, FetchedDocument)] == [anna, None]


def test_a_plan_says_what_would_come_of_it_and_reads_nothing() -> None:
    place = ScriptedPlace({"a.txt": b"a", "b.txt": b"b", "c.txt": b"c"})
    known = known_of(place)
    place.fetched.clear()
    place.files = {"a.txt": b"a", "b.txt": b"inne", "d.txt": b"d", "x.tmp": b"x"}
    steps = list(plan_connector(place, options=options(exclude=("*.tmp",)), known=known))
    planned = {step.uri.removeprefix(f"{PLACE}/"): step.result for step in steps if isinstance(step, Planned)}
    assert planned == {"b.txt": "changed", "d.txt": "new", "c.txt": "gone"}
    assert (uris(steps, Unchanged), uris(steps, Skipped), place.fetched) == (["a.txt"], ["x.tmp"], [])


def test_what_is_renamed_and_changed_is_the_same_where_the_place_knows_it_by_its_identity() -> None:
    place = ScriptedPlace({"stara.txt": b"pierwsza"}, identities={"stara.txt": "7"})
    known = known_of(place)
    place.files, place.identities = {"nowa.txt": b"druga"}, {"nowa.txt": "7"}
    steps = read(place, known)
    assert [step.former for step in steps if isinstance(step, FetchedDocument)] == [f"{PLACE}/stara.txt"]
    assert not uris(steps, Gone)


def test_an_identity_goes_before_equal_content_and_two_of_one_are_none() -> None:
    place = ScriptedPlace({"a.txt": b"ta sama"}, identities={"a.txt": "7"})
    known = known_of(place)
    place.files = {"kopia.txt": b"ta sama", "nowa.txt": b"zmieniona"}
    place.identities = {"kopia.txt": "8", "nowa.txt": "7"}
    found = {step.uri: step.former for step in read(place, known) if isinstance(step, FetchedDocument)}
    assert found == {f"{PLACE}/kopia.txt": "", f"{PLACE}/nowa.txt": f"{PLACE}/a.txt"}
    place = ScriptedPlace({"b.txt": b"b", "c.txt": b"c"}, identities={"b.txt": "7", "c.txt": "7"})
    known = known_of(place)
    place.files, place.identities = {"d.txt": b"d"}, {"d.txt": "7"}
    assert uris(read(place, known), Gone) == ["b.txt", "c.txt"]


def test_the_identity_that_a_place_tells_last_counts() -> None:
    place = ScriptedPlace({"a.txt": b"a"}, identities={"a.txt": "7"})
    known = known_of(place)
    place.identities = {"a.txt": "8"}
    (step, _end) = read(place, known)
    assert isinstance(step, Unchanged)
    assert step.version.identity == "8"


class TestOnlyWhatChanged:
    """A listing that is not complete, of a place that knows its items by identities."""

    def test_what_is_told_to_be_gone_by_its_identity_is_gone(self) -> None:
        place = ScriptedPlace({"a.txt": b"a", "b.txt": b"b"}, identities={"a.txt": "1", "b.txt": "2"}, cursor="dalej")
        known = known_of(place)
        place.files, place.removed_identities = {}, ["1"]
        steps = list(read_connector(place, options=options(), known=known, cursor="dalej"))
        assert uris(steps, Gone) == ["a.txt"]

    def test_what_is_listed_elsewhere_is_moved_and_neither_gone_nor_there_twice(self) -> None:
        place = ScriptedPlace({"a.txt": b"a", "b.txt": b"b"}, identities={"a.txt": "1", "b.txt": "2"}, cursor="dalej")
        known = known_of(place)
        place.files, place.identities = {"nowe/a.txt": b"inna"}, {"nowe/a.txt": "1"}
        steps = list(read_connector(place, options=options(), known=known, cursor="dalej"))
        assert uris(steps, Gone) == []
        (found,) = [step for step in steps if isinstance(step, FetchedDocument)]
        assert (found.uri, found.former) == (f"{PLACE}/nowe/a.txt", f"{PLACE}/a.txt")


class TestThePast:
    def test_is_asked_for_of_what_is_new_or_changed_alone(self) -> None:
        place = RememberingPlace({"a.txt": b"a", "b.txt": b"b"})
        known = {step.uri: step.version for step in read(place, earlier=5) if isinstance(step, FetchedDocument)}
        assert place.asked == ["a.txt", "b.txt"]
        place.files |= {"b.txt": b"inne", "c.txt": b"c"}
        place.asked.clear()
        read(place, known, earlier=5)
        assert place.asked == ["b.txt", "c.txt"]
        place.asked.clear()
        read(place, earlier=0)
        assert place.asked == []

    def test_ends_where_the_source_does_not_want_the_file(self) -> None:
        past = [("a.txt", b"1"), ("tajne/a.txt", b"2"), ("a.txt", b"3")]
        place = RememberingPlace({"a.txt": b"a"}, past={"a.txt": past})
        for without, told in ((["tajne/*"], ["a.txt 1"]), ([], ["a.txt 1", "a.txt 2", "a.txt 3"])):
            (document,) = (
                step for step in read(place, earlier=5, exclude=tuple(without)) if isinstance(step, FetchedDocument)
            )
            assert [one.revision.key for one in document.earlier] == told
            assert document.revision
            assert document.revision.key == "a.txt 0"

    def test_that_cannot_be_had_now_lets_nothing_in_without_it(self) -> None:
        place = RememberingPlace({"a.txt": b"a"}, no_past=FetchTimeout("cisza"))
        (failure,) = read(place, earlier=5)
        assert isinstance(failure, FetchFailure)
        assert (failure.retryable, place.fetched) == (True, [])

    def test_that_cannot_be_had_at_all_is_told_and_the_files_come(self) -> None:
        place = RememberingPlace({"a.txt": b"a"}, no_past=TooLarge("za duża"))
        assert [type(step) for step in read(place, earlier=5)] == [FetchFailure, FetchedDocument, Reached]

    def test_knows_what_was_renamed_and_changed_at_once(self) -> None:
        place = RememberingPlace({"a.txt": b"a", "b.txt": b"b"})
        known = {step.uri: step.version for step in read(place) if isinstance(step, FetchedDocument)}
        place.files, place.past = {"c.txt": b"c", "b.txt": b"b"}, {"c.txt": [("a.txt", b"a")]}
        steps = read(place, known, earlier=5)
        assert [step.former for step in steps if isinstance(step, FetchedDocument)] == [f"{PLACE}/a.txt"]
        assert not uris(steps, Gone)
