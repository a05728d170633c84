"""What the worker does by itself stands in the queue's table under the paths of today."""

from datetime import timedelta

import pytest
from django.apps.registry import Apps
from django.core.management import call_command
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ, Schedule
from django_q.signing import SignedPackage

from ingestion.jobs.syncing import schedule_name
from knowledgetree.schedules import CHORES, SYNCHRONISING, Chore, enter_schedules

GAPS = "knowledgetree: gather knowledge gaps"


@pytest.fixture
def schedules(db: None) -> None:
    Schedule.objects.all().delete()
    enter_schedules(using="default")


@pytest.mark.parametrize("chore", [*CHORES, SYNCHRONISING], ids=lambda chore: chore.func)
def test_every_path_leads_to_a_function(chore: Chore) -> None:
    assert callable(import_string(chore.func))


@pytest.mark.usefixtures("schedules")
def test_every_chore_comes_in_its_rhythm_and_once() -> None:
    enter_schedules(using="default")
    found = Schedule.objects.values_list("name", "func", "schedule_type", "minutes", "repeats")
    assert set(found) == {
        (chore.name, chore.func, Schedule.MINUTES if chore.minutes else Schedule.DAILY, chore.minutes, -1)
        for chore in CHORES
    }
    assert found.count() == len(CHORES)


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_emptied_has_them_again() -> None:
    Schedule.objects.all().delete()
    call_command("flush", interactive=False, verbosity=0)
    assert Schedule.objects.count() == len(CHORES)


@pytest.mark.usefixtures("schedules")
def test_a_function_that_moved_is_called_by_its_new_path_in_its_next_turn() -> None:
    turn = timezone.now() + timedelta(hours=5)
    Schedule.objects.filter(name=GAPS).update(func="gone.gather", next_run=turn, minutes=7)
    Schedule.objects.create(name=schedule_name(4), func="gone.sync", schedule_type=Schedule.CRON, cron="0 3 * * 1")
    Schedule.objects.create(name="of another program", func="another.program")
    enter_schedules(using="default")
    moved = Schedule.objects.get(name=GAPS)
    assert import_string(moved.func).__name__ == "gather_gaps"
    assert (moved.next_run, moved.minutes) == (turn, 7)
    assert import_string(Schedule.objects.get(name=schedule_name(4)).func).__name__ == "start_scheduled_sync"
    assert Schedule.objects.get(name="of another program").func == "another.program"


@pytest.mark.usefixtures("schedules")
def test_a_task_that_waits_goes_where_its_function_went() -> None:
    Schedule.objects.filter(name=GAPS).update(func="gone.gather")
    tasks = [
        SignedPackage.dumps({"id": "1", "func": "gone.gather", "args": (7,), "group": GAPS}),
        SignedPackage.dumps({"id": "2", "func": "another.program", "args": ()}),
        "signed by another installation",
    ]
    OrmQ.objects.bulk_create([OrmQ(key="knowledgetree", payload=task) for task in tasks])
    enter_schedules(using="default")
    moved, other, unread = OrmQ.objects.order_by("pk")
    assert (import_string(moved.task["func"]).__name__, moved.task["args"]) == ("gather_gaps", (7,))
    assert [other.payload, unread.payload] == tasks[1:]


def test_an_app_that_is_migrated_before_the_queue_waits_for_it() -> None:
    """Without the fixture that opens the database: nothing is asked of it."""
    enter_schedules(apps=Apps(), using="default")
