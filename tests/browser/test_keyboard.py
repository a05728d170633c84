"""Everything can be done, and seen to be done, without a mouse."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from knowledgetree.accessibility.tested import JOURNEYS
from tests.browser.conftest import Site
from tests.browser.quality import overflow, violations
from tests.browser.test_reading import QUESTION, asked

_FOCUS = "() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]; }"


def tab_to(page: Page, selector: str, *, most: int = 80, key: str = "Tab") -> None:
    """Presses Tab until the focus is there, and sees that it shows."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            style, width = page.evaluate(_FOCUS)
            assert (style, width) != ("none", "0px"), f"nobody sees the focus on {selector}"
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never reaches {selector}")


def follow(page: Page) -> None:
    """Presses Enter on a link or in a form, and waits for the next page."""
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_by_keys_alone_ask(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")
    expect(page).to_have_url(re.compile("/c/"))
    page.locator("body").focus()
    tab_to(page, "[data-answer] .chip")
    page.keyboard.press("Enter")
    expect(page.locator("#panel #cytat")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-answer] .chip").first).to_be_focused()


def test_by_keys_alone_skip(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/library/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))


def test_by_keys_alone_sign_in(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    page.goto("/library/")
    tab_to(page, "a[href^='/login/']")
    follow(page)
    tab_to(page, "#id_username")
    page.keyboard.type(site.colleague)
    tab_to(page, "#id_password")
    page.keyboard.type(site.password)
    follow(page)
    expect(page.locator(".account-name")).to_have_text(site.colleague)
    tab_to(page, "form[action='/logout/'] button")
    page.keyboard.press("Enter")
    expect(page.locator(".account-name")).to_have_count(0)


def test_by_keys_alone_language(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/library/")
    tab_to(page, ".languages button[value=en]")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Library")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_by_keys_alone_filters(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/")
    tab_to(page, ".filters > summary")
    page.keyboard.press("Enter")
    tab_to(page, "[name=collections][value=kadry]")
    page.keyboard.press("Space")
    expect(page.locator("#filter-count")).to_contain_text("1")
    tab_to(page, "summary", key="Shift+Tab")
    page.keyboard.press("/")
    expect(page.locator("#question")).to_be_focused()
    page.keyboard.type("Ile kosztuje pochówek?")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/c/"))
    expect(page.locator(".not-found")).to_be_visible()


def test_by_keys_alone_find(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/library/")
    tab_to(page, "main input[type=search]")
    page.keyboard.type("urlop wypoczynkowy")
    follow(page)
    tab_to(page, "main a[href^='/documents/']")
    follow(page)
    tab_to(page, "#find-words")
    page.keyboard.press("Control+A")
    page.keyboard.type("urlop")
    follow(page)
    tab_to(page, "#find-next")
    page.keyboard.press("Enter")
    expect(page.locator(".find-hit[aria-current=true]")).to_have_attribute("data-hit", "2")


def test_by_keys_alone_upload(administrator: BrowserContext, tmp_path: Path) -> None:
    page = administrator.new_page()
    page.goto("/admin/ingestion/document/upload/")
    page.locator("#id_collection").focus()
    page.keyboard.press("ArrowDown")
    (tmp_path / "klawiatura.txt").write_text("Treść wpisana bez myszy.", encoding="utf-8")
    with page.expect_file_chooser() as chooser:
        tab_to(page, "[data-drop-zone] button, [data-drop-zone] input[type=file]", key="Tab")
        page.keyboard.press("Enter")
    chooser.value.set_files(tmp_path / "klawiatura.txt")
    expect(page.locator("#chosen-files li")).to_have_count(1)
    tab_to(page, "form button[type=submit]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="klawiatura.txt")).to_be_visible()


class TestInAConversation:
    @pytest.fixture
    def page(self, context: BrowserContext) -> Page:
        return asked(context.new_page())

    def test_by_keys_alone_follow_up(self, page: Page) -> None:
        page.keyboard.press("Escape")
        page.locator("body").focus()
        page.keyboard.press("/")
        expect(page.locator("#question")).to_be_focused()
        page.keyboard.type("Kiedy trzeba wykorzystać urlop zaległy?")
        page.keyboard.press("Enter")
        expect(page.locator("[data-answer]")).to_have_count(2)

    def test_by_keys_alone_rename(self, page: Page) -> None:
        tab_to(page, "#conversations .row summary", key="Shift+Tab")
        page.keyboard.press("Enter")
        tab_to(page, "[data-rename]")
        page.keyboard.press("Enter")
        page.keyboard.press("Control+A")
        page.keyboard.type("Żółty urlop")
        page.keyboard.press("Enter")
        expect(page.locator("#conversation-head h1")).to_have_text("Żółty urlop")

    def test_by_keys_alone_delete(self, page: Page) -> None:
        for wanted, left in (("[data-close]", 1), (".danger", 0)):
            tab_to(page, "#conversations .row summary", key="Shift+Tab")
            page.keyboard.press("Enter")
            tab_to(page, "[data-delete]")
            page.keyboard.press("Enter")
            expect(page.locator("#delete-dialog")).to_be_visible()
            assert violations(page) == []
            tab_to(page, f"#delete-dialog {wanted}", most=4)
            page.keyboard.press("Enter")
            expect(page.locator("#conversations .row")).to_have_count(left)

    def test_by_keys_alone_judge(self, page: Page) -> None:
        tab_to(page, "[data-verdict=bad]", key="Shift+Tab")
        page.keyboard.press("Enter")
        expect(page.locator("[data-verdict=bad]")).to_have_attribute("aria-pressed", "true")
        tab_to(page, "[name=reason]")
        page.keyboard.press("ArrowDown")
        expect(page.locator("[name=reason]:checked")).to_have_value("beside")
        tab_to(page, ".feedback-comment textarea")
        page.keyboard.type("Brakuje podstawy prawnej.")
        tab_to(page, "[data-verdict=comment]")
        page.keyboard.press("Enter")
        expect(page.locator(".feedback-status")).not_to_be_empty()

    def test_what_is_read_aloud_comes_in_the_order_of_the_page(self, page: Page) -> None:
        """As the accessibility tree has it, which is what a screen reader reads."""
        spoken = page.locator("body").aria_snapshot()
        order = ("Przejdź do treści", "navigation", "- main", "heading", "26 dni", "Źródła", 'textbox "Twoje pytanie"')
        assert re.search(".*".join(map(re.escape, order)), spoken, re.DOTALL), spoken


def test_every_journey_of_the_declaration_is_taken() -> None:
    taken = re.findall(r"def test_by_keys_alone_(\w+)", Path(__file__).read_text(encoding="utf-8"))
    assert sorted([*taken, "report_gap"]) == sorted(JOURNEYS)  # test_not_found.py reports a gap by keys alone


@pytest.mark.parametrize("width", [360, 768, 1280, 2560])
def test_no_page_is_wider_than_its_window(context: BrowserContext, width: int) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    for address in ("/", "/library/", "/documents/1/", "/login/"):
        page.goto(address)
        assert overflow(page) <= 0, address


def test_text_of_twice_the_size_still_fits(context: BrowserContext) -> None:
    page = asked(context.new_page())
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert overflow(page) <= 0
    expect(page.get_by_label("Twoje pytanie")).to_be_visible()


def test_nothing_moves_for_who_asked_for_no_motion(context: BrowserContext) -> None:
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    moving = page.evaluate(
        "() => [...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e);"
        " return parseFloat(s.transitionDuration) > 0 || s.animationName !== 'none'; }).length"
    )
    assert moving == 0
