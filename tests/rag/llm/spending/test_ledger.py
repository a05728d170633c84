"""What is used is added to the month's rows, whatever else happens at the same time."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import date
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone

from rag.errors import LLMError
from rag.llm.deadline import aside
from rag.llm.messages.messages_model import MessagesModel
from rag.llm.spending.ledger import Use, add_to_ledger, this_month
from rag.llm.spending.meter import assistant_spending, book_usage, note_usage, spending_for
from rag.models import MonthlySpending
from rag.models.spending import NOBODY
from rag.types import Tokens
from tests.messages_server import OVERLOADED, MessagesServer, Turn

PRICED, UNKNOWN = "claude-haiku-4-5", "nasz-bielik"
USED = Tokens(input=1_000_000, output=100_000)


def rows() -> dict[tuple[int, str], MonthlySpending]:
    return {(row.assistant, row.model): row for row in MonthlySpending.objects.filter(month=this_month())}


@pytest.mark.django_db
class TestBooking:
    def test_a_month_an_assistant_and_a_model_have_one_row_that_grows(self) -> None:
        for _ in range(3):
            add_to_ledger([Use(assistant=7, model=PRICED, tokens=USED), Use(assistant=7, model=PRICED, tokens=USED)])
        row = rows()[7, PRICED]
        assert (row.requests, row.input, row.output, row.unpriced) == (6, 6_000_000, 600_000, 0)
        assert float(row.cost) == pytest.approx(6 * 1.5)

    def test_what_has_no_price_costs_nothing_and_is_counted_as_such(self) -> None:
        add_to_ledger([Use(assistant=NOBODY, model=UNKNOWN, tokens=USED)])
        row = rows()[NOBODY, UNKNOWN]
        assert (row.cost, row.unpriced) == (0, USED.total)

    def test_a_month_is_one_of_the_clocks_on_the_wall(self, monkeypatch: pytest.MonkeyPatch) -> None:
        late = timezone.datetime(2026, 10, 31, 23, 30, tzinfo=timezone.get_fixed_timezone(0))
        monkeypatch.setattr(timezone, "now", lambda: late)
        assert this_month() == date(2026, 11, 1)

    def test_requests_count_for_whom_they_are_made_in_threads_too(self) -> None:
        with spending_for(3):
            note_usage(PRICED, USED)
            aside(lambda deadline: note_usage(UNKNOWN, USED), 0.0).result()
            assert assistant_spending() == 3
        assert assistant_spending() is None
        assert set(rows()) == {(3, PRICED), (3, UNKNOWN)}

    def test_what_is_noted_late_is_booked_with_the_next(self) -> None:
        with spending_for(3):
            pass
        note_usage(PRICED, USED)
        assert rows() == {}
        book_usage()
        assert set(rows()) == {(NOBODY, PRICED)}

    def test_what_the_database_cannot_take_is_kept_for_later(self) -> None:
        note_usage(PRICED, USED)
        ours = connection.cursor()
        ours.execute("SET LOCAL lock_timeout = '5ms'")
        with closing(connections["default"].copy()) as other:
            other.set_autocommit(False)
            other.cursor().execute("LOCK TABLE rag_monthlyspending IN ACCESS EXCLUSIVE MODE")
            book_usage()
            other.rollback()
        ours.execute("SET LOCAL lock_timeout = 0")
        assert rows() == {}
        book_usage()
        assert rows()[NOBODY, PRICED].requests == 1


@pytest.mark.django_db
class TestRequests:
    def ask(self, server: MessagesServer) -> Any:
        return MessagesModel(api_key="klucz", base_url=server.url, model=PRICED, max_retries=0)

    def test_a_reply_is_counted_when_it_ends(self) -> None:
        with MessagesServer(Turn(input_tokens=100, output_tokens=20, cache_read=50)) as server, spending_for(5):
            "".join(self.ask(server).stream(system="", prompt="?", max_tokens=100))
        row = rows()[5, PRICED]
        assert (row.requests, row.input, row.output, row.cache_read) == (1, 150, 20, 50)

    def test_what_a_cancelled_reply_has_read_is_paid_for(self) -> None:
        with MessagesServer(Turn(pieces=("Tak ", "tak ", "tak."), input_tokens=100)) as server, spending_for(5):
            pieces = iter(self.ask(server).stream(system="", prompt="?", max_tokens=100))
            next(pieces)
            pieces.close()
        assert rows()[5, PRICED].input == 100

    def test_what_broke_off_is_counted_as_far_as_it_is_known(self) -> None:
        with MessagesServer(Turn(ending="cut", input_tokens=100)) as server, spending_for(5), suppress(LLMError):
            "".join(self.ask(server).stream(system="", prompt="?", max_tokens=100))
        assert rows()[5, PRICED].input == 100

    def test_a_request_that_was_refused_costs_nothing(self) -> None:
        with MessagesServer(OVERLOADED) as server, spending_for(5), suppress(LLMError):
            "".join(self.ask(server).stream(system="", prompt="?", max_tokens=100))
        assert rows() == {}


@pytest.mark.django_db(transaction=True)
def test_nothing_is_lost_where_many_add_at_once() -> None:
    def add(_: int) -> None:
        try:
            for _ in range(5):
                add_to_ledger([Use(assistant=1, model=PRICED, tokens=USED)])
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(add, range(8)))
    row = rows()[1, PRICED]
    assert row.requests == 40
    assert float(row.cost) == pytest.approx(40 * 1.5)
