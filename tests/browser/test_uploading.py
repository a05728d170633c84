"""An administrator uploads files."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

FILES = ["urlopy.txt", "delegacje.md", "cennik.csv"]


@pytest.fixture
def upload_page(administrator: BrowserContext) -> Page:
    page = administrator.new_page()
    page.goto("/admin/ingestion/document/upload/")
    expect(page.locator("[data-drop-zone]")).to_be_visible()
    return page


@pytest.fixture
def chosen(upload_page: Page, tmp_path: Path) -> Page:
    for name in FILES:
        (tmp_path / name).write_text(f"Treść pliku {name}.", encoding="utf-8")
    upload_page.locator("input[type=file]").set_input_files([tmp_path / name for name in FILES])
    return upload_page


def test_choosing_files_writes_into_no_other_field(chosen: Page) -> None:
    complaints: list[str] = []
    chosen.on("pageerror", lambda error: complaints.append(str(error)))
    expect(chosen.locator("#chosen-files li")).to_have_count(3)
    expect(chosen.locator("#id_category")).to_have_value("")
    expect(chosen.locator("#id_tags")).to_have_value("")
    assert complaints == []


def test_what_cannot_be_read_is_said_before_it_is_sent_and_a_file_can_be_taken_out(
    chosen: Page, tmp_path: Path
) -> None:
    folder = tmp_path / "teczka" / "film"
    folder.mkdir(parents=True)
    (folder / "film.mp4").write_bytes(b"\0\0\0 ftypisom" + bytes(range(32)) * 40)
    (folder / "opis.txt").write_text("Opis filmu.", encoding="utf-8")
    (folder / "pusty.txt").write_text("")
    chosen.locator("#id_collection").select_option(index=1)
    with chosen.expect_file_chooser() as chooser:
        chosen.get_by_role("button", name="Wybierz folder").click()
    chooser.value.set_files(tmp_path / "teczka")
    rows = chosen.locator("#chosen-files li")
    expect(rows).to_have_count(6)
    expect(rows.filter(has_text="film.mp4")).to_contain_text("Nie obsługujemy tego rodzaju plików.")
    expect(rows.filter(has_text="pusty.txt")).to_contain_text("Plik jest pusty.")
    chosen.get_by_role("button", name="Nie przesyłaj: cennik.csv").click()
    expect(rows).to_have_count(5)
    names = "[...document.querySelector('[data-drop-zone] input[type=file]').files].map((file) => file.name).sort()"
    assert chosen.evaluate(names) == ["delegacje.md", "opis.txt", "urlopy.txt"]
    assert chosen.locator("[name=purpose]").count() == 3


def test_three_files_at_once_are_queued(chosen: Page) -> None:
    chosen.locator("#id_collection").select_option(index=1)
    chosen.get_by_role("button", name="Prześlij", exact=True).click()
    queued = chosen.locator("li", has_text="w kolejce")
    expect(queued).to_have_count(3)
    for name in FILES:
        expect(queued.filter(has_text=name)).to_have_count(1)
    queued.filter(has_text="urlopy.txt").get_by_role("link").click()
    expect(chosen.locator("#id_category")).to_have_value("")


def test_a_file_with_a_taken_name_is_asked_about_before_it_is_sent(chosen: Page, tmp_path: Path) -> None:
    chosen.locator("#id_collection").select_option(index=1)
    chosen.get_by_role("button", name="Prześlij", exact=True).click()
    expect(chosen.locator("#uploaded .kt-file")).to_have_count(3)
    (tmp_path / FILES[0]).write_text("Zupełnie inna treść.", encoding="utf-8")
    (tmp_path / "kopia.md").write_text(f"Treść pliku {FILES[1]}.", encoding="utf-8")
    chosen.get_by_role("link", name="Prześlij kolejne pliki").click()
    chosen.locator("input[type=file]").set_input_files([tmp_path / FILES[0], tmp_path / "kopia.md"])
    expect(chosen.locator("[data-alike=same]")).to_contain_text(FILES[1])
    purpose = chosen.locator("select[name=purpose]")
    expect(purpose).to_have_count(1)
    chosen.get_by_role("button", name="Prześlij", exact=True).click()
    expect(purpose).to_be_visible()  # nothing is sent until it is said
    purpose.select_option(label="inny dokument")
    chosen.get_by_role("button", name="Prześlij", exact=True).click()
    expect(chosen.locator("#uploaded [data-outcome=new]")).to_have_count(1)
    expect(chosen.locator("#uploaded [data-outcome=unchanged]")).to_have_count(1)
