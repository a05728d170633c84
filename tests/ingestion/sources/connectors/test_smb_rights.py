"""Security descriptors, as Windows writes them."""

import pytest

pytest.importorskip("smbprotocol", reason="the extra `connectors` is not installed")

from ingestion.sources.connectors.smb.rights import readers_of
from tests.smb_server import descriptor

READ, WRITE, GENERIC_READ, FULL = 0x1200A9, 0x116, 0x8000_0000, 0x1F01FF
A, B, C = "S-1-5-21-1-2-3-1101", "S-1-5-21-1-2-3-1102", "S-1-5-32-545"
EVERYONE, SIGNED_IN, SYSTEM = "S-1-1-0", "S-1-5-11", "S-1-5-18"


def names(*entries: tuple[str, str, int, int]) -> set[str] | None:
    found = readers_of(descriptor(*entries))
    assert found is None or all(one.kind == "group" for one in found)
    return None if found is None else {one.name for one in found}


def test_those_are_readers_who_may_read_the_data() -> None:
    assert names(("allow", A, READ, 0), ("allow", B, WRITE, 0), ("allow", C, GENERIC_READ, 0)) == {A, C}
    assert names(("allow", SYSTEM, FULL, 0)) == set()
    assert names() == set()


def test_what_is_for_files_below_alone_is_for_no_reader_of_this_one() -> None:
    assert names(("allow", A, READ, 0x08 | 0x01), ("allow", B, READ, 0x10)) == {B}


@pytest.mark.parametrize("name", [EVERYONE, SIGNED_IN])
def test_everybody_is_whom_the_place_lets_in(name: str) -> None:
    assert names(("allow", A, READ, 0), ("allow", name, READ, 0)) is None


def test_behind_one_that_denies_reading_nobody_reads() -> None:
    """Somebody may be in both groups, and only the server knows."""
    assert names(("deny", B, READ, 0), ("allow", A, READ, 0), ("allow", EVERYONE, READ, 0)) == set()
    assert names(("allow", A, READ, 0), ("deny", B, READ, 0x10), ("allow", C, READ, 0x10)) == {A}
    assert names(("deny", B, WRITE, 0), ("allow", A, READ, 0)) == {A}


def test_an_entry_with_a_condition_lets_nobody_read_and_denies_like_any_other() -> None:
    plain = descriptor(("allow", A, READ, 0), ("allow", B, READ, 0))
    first = plain.index(b"\x00\x00", 28)  # of the entries: the type, then the flags
    for kind, expected in ((0x09, {B}), (0x0A, set()), (0x05, {B}), (0x06, set())):
        conditional = plain[:first] + bytes([kind]) + plain[first + 1 :]
        assert {one.name for one in readers_of(conditional) or ()} == expected


def test_one_without_a_list_is_for_everybody_and_one_that_is_cut_is_nobodys() -> None:
    assert readers_of(bytes([1, 0, 4, 128]) + bytes(16)) is None
    whole = descriptor(("allow", A, READ, 0))
    for end in range(len(whole)):
        try:
            found = readers_of(whole[:end])
        except Exception:  # which the connector takes for rights that cannot be read
            continue
        assert found == frozenset(), end
