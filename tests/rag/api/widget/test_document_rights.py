"""A widget answers from no document with readers of its own, whoever is signed in beside it.

Its answers are streamed by a thread, which sees only what has been committed.
"""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client

from rag.services.search import search_passages
from tests.conftest import make_restricted
from tests.rag.api.hidden_document import OPEN, QUESTION, write_hidden_document
from tests.rag.api.widget.visitors import VisitorBrowser, make_widget
from tests.telling import tells


@pytest.mark.django_db(transaction=True)
@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
def test_a_widget_does_not_answer_from_it_whoever_is_signed_in() -> None:
    hidden = write_hidden_document()
    member = User.objects.create_user("członek")
    member.groups.add(make_restricted().groups.get())
    assert "Widełki płac" in {one.title for one in search_passages(query=QUESTION, viewer=member).passages}
    assert search_passages(query=OPEN, viewer=AnonymousUser()).chunks_total == 1
    browser = Client()
    browser.force_login(member)
    visitor = VisitorBrowser(make_widget(hidden.collection), client=browser).open()
    said = b"".join(visitor.post("ask", question=QUESTION)).decode()
    assert "event: completed" in said
    assert not tells(said, 31337)
    assert "Widełki" not in said
