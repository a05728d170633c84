"""Folders walked to a listing, whatever the server makes of them."""

from collections.abc import Mapping
from itertools import count

import pytest

from ingestion.sources.connectors.errors import AccessDenied, FoldersTooDeep, ItemVanished
from ingestion.sources.connectors.folders import MAX_DEPTH, FolderEntry, ListFolder, walk_folders
from ingestion.sources.connectors.protocol import ClosedPart, ListedItem, ListingEnd
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.fetching.errors import FetchFailed, FetchTimeout, TooLarge

Scripted = Mapping[str, list[FolderEntry] | KnowledgeTreeError]


def folder(name: str, *, identity: str = "") -> FolderEntry:
    return FolderEntry(name=name, is_folder=True, identity=identity)


def file(name: str) -> FolderEntry:
    return FolderEntry(name=name, version="1", size=3)


def listing(tree: Scripted) -> ListFolder:
    def list_folder(path: str) -> list[FolderEntry]:
        found = tree.get(path, ItemVanished("gone"))
        if isinstance(found, KnowledgeTreeError):
            raise found
        return found

    return list_folder


def paths(tree: Scripted) -> list[str]:
    return [one.path for one in walk_folders(listing(tree)) if isinstance(one, ListedItem)]


def test_files_come_by_name_with_what_is_told_of_them() -> None:
    tree = {"": [file("z.txt"), folder("kadry"), file("a.txt")], "kadry": [file("urlopy.txt")]}
    assert list(walk_folders(listing(tree))) == [
        ListedItem(path="a.txt", version="1", size=3),
        ListedItem(path="kadry/urlopy.txt", version="1", size=3),
        ListedItem(path="z.txt", version="1", size=3),
        ListingEnd(complete=True),
    ]


def test_hidden_folders_are_not_opened_and_locks_of_office_programs_left_out() -> None:
    asked = list[str]()
    tree = {"": [folder(".git"), file("~$umowa.docx"), file(".~lock.umowa.odt#"), file("umowa.docx")]}

    def list_folder(path: str) -> list[FolderEntry]:
        asked.append(path)
        return tree[path]

    assert [one.path for one in walk_folders(list_folder) if isinstance(one, ListedItem)] == ["umowa.docx"]
    assert asked == [""]


@pytest.mark.parametrize("name", ["", ".", "..", "../../haslo.txt", "kadry/inne.txt"])
def test_a_name_that_leads_elsewhere_is_none(name: str) -> None:
    assert paths({name: [file("b.txt")], "": [file(name), folder(name), file("a.txt")]}) == ["a.txt"]


def test_what_vanished_meanwhile_has_no_files_and_a_place_that_is_not_there_is_no_empty_one() -> None:
    assert paths({"": [folder("była"), file("jest.txt")]}) == ["jest.txt"]
    with pytest.raises(FetchFailed):
        paths({})


def test_a_folder_that_is_closed_closes_nothing_else() -> None:
    denied = AccessDenied("no")
    tree: Scripted = {"": [folder("a"), folder("b")], "a": denied, "b": [file("c.txt")]}
    closed, listed, end = walk_folders(listing(tree))
    assert closed == ClosedPart(path="a", error=denied)
    assert isinstance(listed, ListedItem)
    assert end == ListingEnd(complete=True)


@pytest.mark.parametrize(("path", "error"), [("", AccessDenied("no")), ("a/b", FetchTimeout("cisza"))])
def test_what_is_wrong_with_the_place_or_passes_leaves_the_listing_without_an_end(
    path: str, error: KnowledgeTreeError
) -> None:
    tree: Scripted = {"": [folder("a")], "a": [folder("b")], path: error}
    with pytest.raises(type(error)):
        list(walk_folders(listing(tree)))


def test_a_folder_that_stands_in_itself_is_left_out() -> None:
    loop = [file("a.txt"), folder("kadry", identity="7")]
    assert paths({"": [folder("kadry", identity="7")], "kadry": loop, "kadry/kadry": loop}) == ["kadry/a.txt"]
    place = [folder(".", identity="1"), folder("pętla", identity="1"), folder("b"), folder("c")]
    assert paths({"": place, "pętla": [file("a.txt")], "b": [file("b.txt")], "c": [file("c.txt")]}) == [
        "b/b.txt",
        "c/c.txt",
    ]


def test_a_folder_that_does_not_end_fills_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingestion.sources.connectors.folders.MOST_ITEMS", 10)
    endless = (file(f"{n}.txt") for n in count())
    (closed, _end) = walk_folders(lambda path: endless if path else [folder("a")])
    assert isinstance(closed, ClosedPart)
    assert isinstance(closed.error, TooLarge)


def test_one_without_an_identity_comes_to_its_end_and_what_lies_deeper_is_closed_not_gone() -> None:
    listed = list(walk_folders(lambda path: [file("a.txt"), folder("x")]))
    assert sum(isinstance(one, ListedItem) for one in listed) == MAX_DEPTH + 1
    (closed,) = (one for one in listed if isinstance(one, ClosedPart))
    assert isinstance(closed.error, FoldersTooDeep)
    assert closed.path == "/".join(["x"] * (MAX_DEPTH + 1))
