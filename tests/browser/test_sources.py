"""An administrator sets up a source."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect


@pytest.fixture
def form(administrator: BrowserContext) -> Page:
    page = administrator.new_page()
    page.goto("/admin/ingestion/source/add/")
    expect(page.locator("#id_kind")).to_be_visible()
    return page


SHOWN = {
    "upload": ({"category"}, {"location", "include", "max_pages", "rhythm", "feed_items"}),
    "folder": ({"location", "include", "rhythm"}, {"max_pages", "obey_robots", "feed_items"}),
    "web": ({"location", "delay"}, {"include", "max_pages", "feed_items"}),
    "site": ({"include", "max_pages", "max_depth", "obey_robots"}, {"feed_items", "schedule"}),
    "webdav": (
        {"location", "include", "connection_user", "secret", "networks", "mirror_rights"},
        {"delay", "feed_key"},
    ),
    "s3": ({"connection_endpoint", "connection_region", "secret"}, {"mirror_rights", "obey_robots"}),
    "git": ({"connection_branch", "connection_folder", "secret"}, {"connection_host_key", "mirror_rights"}),
    "sftp": ({"connection_user", "connection_host_key", "secret"}, {"mirror_rights", "connection_region"}),
    "smb": ({"connection_user", "connection_domain", "secret", "mirror_rights"}, {"connection_host_key"}),
    "confluence": ({"connection_user", "connection_spaces", "mirror_rights"}, {"connection_region", "delay"}),
    "eli": ({"connection_acts", "connection_wording"}, {"connection_user", "mirror_rights", "secret"}),
    "imap": ({"connection_grouping", "connection_readers", "mirror_rights"}, {"connection_region", "delay"}),
    "microsoft365": ({"connection_tenant", "connection_libraries", "connection_asking"}, {"connection_user"}),
    "feed": ({"feed_items", "feed_complete", "feed_full_text", "obey_robots"}, {"include", "max_pages"}),
}
"""Of some fields: which are there for a kind of source, and which are not."""


def test_only_the_fields_of_the_chosen_kind_are_shown(form: Page) -> None:
    for kind, (shown, hidden) in SHOWN.items():
        form.locator("#id_kind").select_option(kind)
        for name in shown:
            expect(form.locator(f"#id_{name}")).to_be_visible()
        for name in hidden:
            expect(form.locator(f"#id_{name}")).to_be_hidden()
        assert form.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_kind_has_the_help_and_the_headings_that_are_its_own(form: Page) -> None:
    form.locator("#id_kind").select_option("git")
    expect(form.get_by_text("Dla Gita token")).to_be_visible()
    expect(form.get_by_text("https://git.example.pl")).to_be_visible()
    expect(form.get_by_text("Dla SFTP także cały klucz")).to_be_hidden()
    form.locator("#id_kind").select_option("sftp")
    expect(form.get_by_text("Dla SFTP także cały klucz")).to_be_visible()
    form.locator("#id_kind").select_option("eli")
    expect(form.get_by_role("heading", name="Połączenie")).to_be_visible()
    expect(form.get_by_text("Konto", exact=True)).to_be_hidden()


def test_a_private_address_is_refused_beside_its_field(form: Page) -> None:
    form.locator("#id_kind").select_option("site")
    form.locator("#id_name").fill("Intranet")
    form.locator("#id_collection").select_option(index=1)
    form.locator("#id_location").fill("http://10.0.0.5/")
    form.locator("[name=_save]").first.click()
    expect(form.locator(".field-location")).to_contain_text("sieci prywatnej")
