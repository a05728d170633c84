"""What changed in a library since it was listed: https://learn.microsoft.com/graph/api/driveitem-delta"""

from collections.abc import Iterator, Mapping

from ingestion.sources.connectors.microsoft365.drives import Drive, DriveItem, files_of
from ingestion.sources.connectors.microsoft365.progress import DriveProgress, FolderTree
from ingestion.sources.connectors.protocol import ListedItem, RemovedItem

Items = Mapping[str, DriveItem]
"""By identifier, each as it was told last."""


def tree_of(items: Items) -> FolderTree:
    return FolderTree({key: item.as_folder for key, item in items.items() if item.is_folder and item.deleted is None})


def changed_tree(before: FolderTree, items: Items) -> FolderTree | None:
    """None where the changes do not tell everything: of a folder that is renamed, moved or shared with others they
    tell the folder alone, so that its files are to be listed anew.
    """
    now = tree_of(items).folders
    if any(key in before.folders and before.folders[key] != folder for key, folder in now.items()):
        return None
    if any(items[key].sharing_changed and key in before.folders for key in now):
        return None
    stayed = {key: folder for key, folder in before.folders.items() if key not in items or items[key].deleted is None}
    tree = FolderTree({**stayed, **now})
    known = all(item.parent.id in tree.folders for item in items.values() if item.is_file and item.deleted is None)
    return tree if known else None


def changes_of(
    drive: Drive, before: DriveProgress, items: Items, tree: FolderTree
) -> Iterator[ListedItem | RemovedItem]:
    """The files that are new or others now, and what is no file there any more."""
    listed = list(files_of(drive, before.prefix, items.values(), tree))
    yield from listed
    there = {item.identity for item in listed}
    for key, item in items.items():
        folder = before.tree.path(key) if item.deleted is not None else None
        if folder:
            yield RemovedItem(path="/".join(filter(None, (before.prefix, folder))))
        elif key not in tree.folders and f"{drive.id}/{key}" not in there:
            yield RemovedItem(identity=f"{drive.id}/{key}")
