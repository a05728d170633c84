"""Everything can be done, and seen to be done, without a mouse."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.quality import overflow
from tests.browser.test_reading import QUESTION, asked

_FOCUS = "() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]; }"


def tab_to(page: Page, selector: str, *, most: int = 60) -> None:
    """Presses Tab until the focus is there."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def test_a_reader_asks_and_opens_a_source_by_keys_alone(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator("[data-answer]")).to_contain_text("26 dni")
    expect(page).to_have_url(re.compile("/c/"))
    page.locator("body").focus()
    tab_to(page, "[data-answer] .chip")
    style, width = page.evaluate(_FOCUS)
    assert (style, width) != ("none", "0px")
    page.keyboard.press("Enter")
    expect(page.locator("#panel #cytat")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-answer] .chip").first).to_be_focused()


def test_the_first_tab_leads_past_the_navigation(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/library/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))


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
