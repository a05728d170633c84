"""An assistant is set up, tried before it is saved, and offers its own questions."""

from playwright.sync_api import BrowserContext, expect


def test_an_assistant_is_tried_with_what_stands_in_its_form(administrator: BrowserContext) -> None:
    page = administrator.new_page()
    page.goto("/admin/rag/assistant/add/")
    page.locator("#id_name").fill("Kadrowy")
    page.locator("#id_suggestions").fill("Ile dni urlopu mi przysługuje?")
    page.locator("#trial-question").fill("Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?")
    page.locator("#trial button").click()
    expect(page.locator("#trial-answer")).to_contain_text("26 dni")
    page.locator("[name=_save]").first.click()
    expect(page.locator("#result_list")).to_contain_text("Kadrowy")
    page.goto("/")
    offered = page.locator(".examples button")
    before = offered.all_inner_texts()
    assert len(before) > 1
    page.locator("#assistant").select_option(label="Kadrowy")
    expect(offered).to_have_text(["Ile dni urlopu mi przysługuje?"])
    page.locator("#assistant").select_option("")
    expect(offered).to_have_text(before)
    page.goto("/admin/rag/assistant/")  # the site is for others too
    page.get_by_role("link", name="Kadrowy").click()
    page.locator("a.deletelink, a[href$='/delete/']").first.click()
    expect(page.locator("input[name=post]")).to_have_count(1)
    page.evaluate("document.querySelector('input[name=post]').form.submit()")
    expect(page).to_have_url("/admin/rag/assistant/")
