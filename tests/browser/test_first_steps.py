"""A new administrator, an empty installation, no manual: a collection, twenty files, a first question."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.installation import installation

NAME = "nowa"
CLICKS = 12
FILES = 20
PATIENCE = 120_000  # milliseconds, where a worker reads the files

SUBJECTS = [
    "parkingu", "stołówki", "sali konferencyjnej", "archiwum", "biblioteki", "szatni", "magazynu", "rowerów",
    "windy", "serwerowni", "kancelarii", "recepcji", "siłowni", "pracowni", "warsztatu", "garażu", "kuchni",
    "tarasu", "ogrodu",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    address: str
    password: str


@dataclass
class Hand:
    """Presses what a person presses, and counts."""

    page: Page
    clicks: int = 0

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1

    def send(self, target: Locator, text: str) -> None:
        target.fill(text)
        target.press("Enter")
        self.clicks += 1


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Site]:
    """Migrated, with a worker and one administrator; nothing else."""
    with installation(tmp_path / "site", "kt_first_steps") as installed:
        environment = {"DJANGO_SUPERUSER_PASSWORD": (password := token_urlsafe())}
        installed.manage("createsuperuser", "--noinput", "--username", NAME, "--email", "", **environment)
        address = installed.start_web()
        installed.start("manage.py", "worker", WORKERS="1")
        yield Site(address=address, password=password)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "pliki"
    folder.mkdir()
    texts = {f"regulamin-{i + 1:02}.txt": f"Regulamin {subject}. Klucze do {subject} wydaje portier w pokoju {i + 1}."
             for i, subject in enumerate(SUBJECTS)}  # fmt: skip
    texts["urlopy.txt"] = "Zasady urlopów. Pracownikowi przysługuje urlop wypoczynkowy w wymiarze 26 dni w roku."
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert len(texts) == FILES
    return sorted(folder.iterdir())


def signed_in(browser: Browser, site: Site) -> Hand:
    context = browser.new_context(base_url=site.address, locale="pl-PL")
    context.set_default_timeout(60_000)
    hand = Hand(context.new_page())
    hand.page.goto("/admin/")
    hand.page.locator("#id_username").fill(NAME)
    hand.send(hand.page.locator("#id_password"), site.password)
    return hand


def test_a_first_answer_takes_no_manual_and_few_clicks(browser: Browser, empty: Site, files: list[Path]) -> None:
    hand = signed_in(browser, empty)
    page = hand.page
    current = page.locator("#first-steps [aria-current=step]")

    expect(current).to_have_attribute("data-step", "collection")
    hand.click(current.get_by_role("link"))
    page.locator("#id_name").fill("Regulaminy Urzędu")
    hand.click(page.locator("input[name=visibility][value=internal]"))
    hand.click(page.locator("[name=_save]").first)

    hand.click(page.locator("#next-upload"))
    expect(page.locator("#id_collection option:checked")).to_have_text("Regulaminy Urzędu")
    page.locator("input[type=file]").set_input_files(files)
    hand.clicks += 2  # the button that opens the choice, and the choice
    hand.click(page.locator("#upload_form [type=submit]"))

    expect(page.locator("#uploaded li[data-outcome=new]")).to_have_count(FILES)
    expect(page.locator("#uploaded")).to_have_attribute("data-ready", str(FILES), timeout=PATIENCE)
    hand.click(page.locator("#ask-now"))
    page.wait_for_load_state()
    page.locator("#question").fill("Ile dni urlopu wypoczynkowego przysługuje pracownikowi?")
    hand.click(page.locator("#send"))
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")
    expect(page.locator("[data-answer] .chip").first).to_be_visible()

    page.goto("/admin/")
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    expect(page.locator("#first-steps")).to_have_count(0)  # all are done
    assert hand.clicks <= CLICKS
    page.context.close()
