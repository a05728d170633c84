"""A document with readers of its own in a public collection, and what asks for it."""

from django.contrib.auth.models import User

from ingestion.models import Document
from ingestion.services.api_keys import create_key
from ingestion.services.rights import set_document_rights
from ingestion.types import Readers
from tests.conftest import index_text, make_public, make_restricted

SECRET = "Widełki płac: dyrektor Zbigniew Ćwierciakiewicz zarabia 31337 złotych według tajnego cennika."
OPEN = "Urząd jest czynny od poniedziałku do piątku. O płacach dyrektor nie mówi nikomu."
QUESTION = "Ile zarabia dyrektor Zbigniew Ćwierciakiewicz?"


def write_hidden_document() -> Document:
    """Beside one that everybody may read."""
    public, board = make_public(), make_restricted().groups.get()
    index_text(public, OPEN, name="godziny.txt", title="Godziny urzędu")
    hidden = index_text(public, SECRET, name="place.txt", title="Widełki płac")
    set_document_rights(document=hidden, readers=Readers(groups=frozenset({board.pk})), origin="source")
    return hidden


def key_of(user: User) -> str:
    return create_key(name="program", owner=user, scopes=("search", "ask"))[1]
