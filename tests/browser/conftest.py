"""A real server with the sample knowledge base, and a real Chromium."""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe

import pytest
from playwright.sync_api import Browser, BrowserContext, StorageState, expect, sync_playwright

from tests.embedded import furnished_installation

_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first one paints no window around a page that nobody sees, which is two thirds of the work."""

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

_ADMINISTRATORS = """
from django.contrib.auth.models import User
for name in {names!r}:
    User.objects.create_superuser(name, password={password!r})
"""

PATIENCE = 45_000  # milliseconds: a busy machine is slow, not wrong
expect.set_options(timeout=PATIENCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    address: str
    administrator: str
    colleague: str
    password: str
    database: str
    start_another: Callable[..., str]
    """A second web server, with other environment variables; its address."""


@pytest.fixture(scope="session")
def site(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The sample knowledge base behind a real ASGI server, without a model key: answers are the offline preset's."""
    with furnished_installation(furnished, tmp_path_factory.mktemp("site") / "var") as installed:
        password = token_urlsafe()
        installed.manage("shell", "-c", _ADMINISTRATORS.format(names=("szefowa", "kolega"), password=password))
        yield Site(
            address=installed.start_web(),
            administrator="szefowa",
            colleague="kolega",
            password=password,
            database=installed.url,
            start_another=installed.start_web,
        )


def chromium_program() -> str | None:
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


# Not for the whole session: Playwright keeps an event loop in this thread, where Django refuses its ORM.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    chromium = chromium_program()
    if chromium is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="package")
def signed_in(browser: Browser, site: Site) -> StorageState:
    """The cookies of the administrator, who signs in once: to check a password takes half a second by intention."""
    context = browser.new_context(base_url=site.address, locale="pl-PL")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto("/admin/")  # leads to the form and back
    page.locator("#id_username").fill(site.administrator)
    page.locator("#id_password").fill(site.password)
    page.locator("#id_password").press("Enter")
    expect(page).to_have_url(re.compile("/admin/$"))
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def administrator(browser: Browser, site: Site, signed_in: StorageState) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=site.address, locale="pl-PL", storage_state=signed_in)
    opened.set_default_timeout(PATIENCE)
    yield opened
    opened.close()


@pytest.fixture
def context(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=site.address, locale="pl-PL")
    opened.set_default_timeout(PATIENCE)
    yield opened
    opened.close()


@pytest.fixture
def context_without_javascript(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=site.address, locale="pl-PL", java_script_enabled=False)
    opened.set_default_timeout(PATIENCE)
    yield opened
    opened.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
