import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ingestion.models import Document, Source


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("sync", *arguments, stdout=out, verbosity=0)
    return out.getvalue()


@pytest.mark.django_db(transaction=True)
class TestCommand:
    def test_it_synchronises_and_tells_what_came_of_it(self, folder_source: Source, folder: Path) -> None:
        (folder / "pusty.txt").write_text("")
        told = run("Kadry")
        assert "nowe: 2" in told
        assert "pliki/kadry/pusty.txt" in told
        assert Document.objects.count() == 2
        assert "bez zmian: 2" in run()

    def test_json_is_the_report(self, folder_source: Source) -> None:
        report = json.loads(run(str(folder_source.pk), "--json"))
        assert (report["status"], report["counts"]["new"]) == ("succeeded", 2)

    def test_an_unknown_source_is_named_with_the_known_ones(self, folder_source: Source) -> None:
        with pytest.raises(CommandError, match="Kadry"):
            run("Nie ma")

    def test_a_source_that_cannot_be_read_is_an_error(self, folder_source: Source, folder: Path) -> None:
        folder.rename(folder.with_name("inny"))
        with pytest.raises(CommandError):
            run()
