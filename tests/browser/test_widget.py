"""The widget on somebody else's page, and on a page that may not have it."""

import re
from collections.abc import Iterator

import psycopg
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import PATIENCE, Site
from tests.browser.host_page import host_page
from tests.browser.quality import complaints_of, overflow, violations
from tests.databases import ROOT

QUESTION = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"
FOLLOW_UP = "A z krótszym?"
WIDGET = "f00d"
DOCUMENT = ROOT / "docs" / "widget.md"
FOCUSED = "document.activeElement.shadowRoot?.activeElement?.ariaLabel ?? document.activeElement.localName"

_ADD = """
WITH assistant AS (
    INSERT INTO rag_assistant (name, slug, description, preset_name, parts, instructions, suggestions, web_search,
        enabled, created)
    VALUES ('Mieszkaniec', 'mieszkaniec', '', '', '{}', '', '{}', false, true, now()) RETURNING id
)
INSERT INTO rag_widget (public_id, name, assistant_id, origins, greeting, suggestions, enabled, created)
SELECT %s, 'Zapytaj urząd', id, %s, 'Dzień dobry!', %s, true, now() FROM assistant RETURNING id
"""


@pytest.fixture(scope="module")
def host(site: Site) -> Iterator[str]:
    """A page that may have the widget."""
    with host_page(site.address, WIDGET) as address, psycopg.connect(site.database, autocommit=True) as connection:
        connection.execute(_ADD.encode(), (WIDGET, [address], [QUESTION]))
        yield address


@pytest.fixture
def page(browser: Browser, host: str) -> Iterator[Page]:
    context = browser.new_context(locale="pl-PL", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(host)
    yield page
    context.close()


def ask(page: Page, question: str = QUESTION) -> None:
    """In the open panel, up to the last word of the answer."""
    answers = page.get_by_role("group", name="Czy ta odpowiedź pomogła?")
    before = answers.count()
    page.get_by_label("Twoje pytanie").fill(question)
    page.keyboard.press("Enter")
    expect(answers).to_have_count(before + 1)


def open_widget(page: Page) -> None:
    page.get_by_role("button", name="Zapytaj").click()
    expect(page.get_by_role("dialog", name="Zapytaj urząd")).to_be_visible()


def test_a_visitor_asks_opens_the_passage_asks_on_and_judges(page: Page) -> None:
    complaints = complaints_of(page)
    open_widget(page)
    expect(page.get_by_text("Dzień dobry!")).to_be_visible()
    page.get_by_role("button", name=QUESTION).click()
    first = page.get_by_role("article").first
    expect(first).to_contain_text("26 dni")
    expect(first).to_contain_text(re.compile("odpowiedź (pewna|prawdopodobna)|sprawdź w źródle"))
    with page.expect_popup() as opened:
        first.get_by_role("link", name=re.compile("^Źródło 1: .* \\(otwiera się w nowej karcie\\)$")).first.click()
    passage = opened.value
    expect(passage.locator("#cytat")).to_contain_text("26 dni")
    assert passage.evaluate("window.opener") is None

    ask(page, FOLLOW_UP)
    expect(page.get_by_role("article").last).to_contain_text("20 dni")
    page.get_by_role("button", name="Pomogła", exact=True).last.click()
    expect(page.get_by_text("Dziękujemy za ocenę.")).to_be_visible()
    expect(page.get_by_role("button", name="Pomogła", exact=True).last).to_have_attribute("aria-pressed", "true")
    assert complaints == []


def test_nothing_is_left_on_the_device(page: Page) -> None:
    open_widget(page)
    ask(page)
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_what_is_asked_on_a_page_is_one_conversation(page: Page, site: Site) -> None:
    open_widget(page)
    ask(page)
    ask(page, FOLLOW_UP)
    with psycopg.connect(site.database, autocommit=True) as connection:
        row = connection.execute(
            b"SELECT id, owner_id, (SELECT count(*) FROM rag_exchange WHERE conversation_id = c.id)"
            b" FROM rag_conversation c WHERE session_key LIKE 'widget-%' ORDER BY created DESC LIMIT 1"
        ).fetchone()
        assert row
        conversation, owner, exchanges = row
        assert (owner, exchanges) == (None, 2)
        connection.execute(b"UPDATE rag_conversation SET session_key = 'gone' WHERE id = %s", (conversation,))
    ask(page)
    expect(page.get_by_text("Poprzednia rozmowa wygasła")).to_be_visible()


def test_the_keyboard_is_enough(page: Page) -> None:
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Twoje pytanie")).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Czy ta odpowiedź pomogła?")).to_be_visible()
    page.keyboard.press("Shift+Tab")  # the last topic or thumb, above the field
    assert page.evaluate(FOCUSED) != "Twoje pytanie"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Zapytaj")).to_be_focused()


def test_a_screen_reader_hears_the_whole_answer_at_once(page: Page) -> None:
    open_widget(page)
    ask(page)
    heard = page.locator(".hidden[role=status]")
    expect(heard).to_contain_text("Odpowiedź gotowa.")
    expect(heard).to_contain_text("26 dni")


def test_no_answer_is_said_with_the_nearest_places(page: Page) -> None:
    open_widget(page)
    ask(page, "Jaka jest stolica Australii?")
    expect(page.get_by_role("article")).to_contain_text("Nie znaleziono w źródłach.")


def test_a_question_can_be_stopped_and_what_failed_asked_again(page: Page) -> None:
    held: list[Route] = []
    page.route(f"**/{WIDGET}/ask", lambda route: held.append(route))  # a server that takes its time
    open_widget(page)
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.get_by_role("article")).to_contain_text("Szukam w dokumentach…")
    page.get_by_role("button", name="Zatrzymaj").click()
    expect(page.get_by_role("article")).to_contain_text("Zatrzymano.")
    held[0].abort()
    page.unroute(f"**/{WIDGET}/ask")
    page.route(f"**/{WIDGET}/ask", lambda route: route.abort())
    page.get_by_label("Twoje pytanie").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Nie udało się połączyć z serwerem.")
    page.unroute(f"**/{WIDGET}/ask")
    page.get_by_role("button", name="Zapytaj jeszcze raz").click()
    expect(page.get_by_role("article").last).to_contain_text("26 dni")


MARKDOWN = """\
## Opłaty

Stawki **od stycznia** [1]:

- *pełnomocnictwo* – `17 zł` [2]
  1. z odpisem
- <img src=x onerror=alert(1)> i [odnośnik](javascript:alert(1))

| Sprawa | Opłata |
|---|---|
| wypis | 5 \\* zł |

Koniec **bez koń"""


def test_an_answer_is_nodes_and_never_markup(page: Page, site: Site) -> None:
    html = page.evaluate(
        """async ({ site, text }) => {
          const { nodesOf } = await import(`${site}/static/widget/parts/markdown.js`);
          const shown = document.createElement("div");
          const chip = (textContent) => Object.assign(document.createElement("sup"), { textContent });
          shown.append(...nodesOf(text, chip));
          return shown.innerHTML;
        }""",
        {"site": site.address, "text": MARKDOWN},
    )
    assert html.replace("\u00a0", "&nbsp;") == (
        '<p class="heading">Opłaty</p>'
        "<p>Stawki <strong>od stycznia</strong>&nbsp;<sup>1</sup>:</p>"
        "<ul><li><em>pełnomocnictwo</em> – <code>17 zł</code>&nbsp;<sup>2</sup>"
        '<ol start="1"><li>z odpisem</li></ol></li>'
        "<li>&lt;img src=x onerror=alert(1)&gt; i odnośnik</li></ul>"
        '<div class="table" tabindex="0"><table><thead><tr><th>Sprawa</th><th>Opłata</th></tr></thead>'
        "<tbody><tr><td>wypis</td><td>5 * zł</td></tr></tbody></table></div>"
        "<p>Koniec bez koń</p>"
    )


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_the_widget_is_accessible_in_both_schemes_and_on_a_phone(
    browser: Browser, host: str, scheme: str, width: int
) -> None:
    context = browser.new_context(
        locale="pl-PL", color_scheme="dark" if scheme == "dark" else "light", viewport={"width": width, "height": 2400}
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(host)
    assert violations(page) == []
    open_widget(page)
    ask(page)
    page.get_by_text("Źródła (").click()
    assert violations(page) == []
    assert overflow(page) <= 0
    panel = page.get_by_role("dialog").bounding_box()
    assert panel
    assert (panel["width"] == width) == (width == 360)
    context.close()


def allow(site: Site, origin: str) -> None:
    with psycopg.connect(site.database, autocommit=True) as connection:
        connection.execute(b"UPDATE rag_widget SET origins = array_append(origins, %s)", (origin,))


@pytest.mark.usefixtures("host")
def test_the_tag_says_language_look_and_whether_the_page_is_told(browser: Browser, site: Site) -> None:
    attributes = 'data-lang="en" data-accent="#ffd400" data-position="left" data-page="title"'
    with host_page(site.address, WIDGET, attributes) as address:
        allow(site, address)
        page = browser.new_page()
        page.goto(f"{address}/sprawy?token=tajny#tu")
        button = page.get_by_role("button", name="Ask a question")
        style = "button => [getComputedStyle(button).backgroundColor, getComputedStyle(button).color]"
        assert button.evaluate(style) == ["rgb(255, 212, 0)", "rgb(0, 0, 0)"]
        place = button.bounding_box()
        assert place
        assert place["x"] < 100
        button.click()
        page.get_by_label("Your question").fill(QUESTION)
        with page.expect_request(f"**/{WIDGET}/ask") as asked:
            page.keyboard.press("Enter")
        told = asked.value.post_data_json
        assert told["page"] == {"title": "Gmina Lipowo", "url": f"{address}/sprawy"}
        expect(page.get_by_role("button", name="It helped")).to_be_visible()
        expect(page.get_by_role("article")).to_contain_text(
            re.compile("sure answer|probable answer|check in the source")
        )
        page.close()


def test_one_question_too_many_is_told_in_words(page: Page, site: Site) -> None:
    open_widget(page)
    ask(page)
    with psycopg.connect(site.database, autocommit=True) as connection:
        connection.execute(b"UPDATE knowledgetree_allowance SET until = now() + interval '1 hour'")  # all is spent
        page.get_by_label("Twoje pytanie").fill(FOLLOW_UP)
        page.keyboard.press("Enter")
        said = re.compile(r"^Zbyt wiele pytań w krótkim czasie\. Spróbuj ponownie za \d+ min\.$")
        expect(page.get_by_role("alert")).to_have_text(said)
        connection.execute(b"DELETE FROM knowledgetree_allowance")


def test_a_page_without_permission_gets_nothing_and_the_console_says_why(
    browser: Browser, site: Site, host: str
) -> None:
    with host_page(site.address, WIDGET) as stranger:
        page = browser.new_page()
        said = complaints_of(page)
        page.goto(stranger)
        page.get_by_role("button", name="Zapytaj").click()
        expect(page.get_by_role("alert")).to_have_text("Ten asystent nie jest dostępny na tej stronie.")
        assert page.get_by_text("Dzień dobry!").count() == 0
        assert any(f"the origin {stranger} is not among its allowed origins" in line for line in said)
        page.get_by_label("Twoje pytanie").fill(QUESTION)
        page.keyboard.press("Enter")
        expect(page.get_by_role("article")).to_contain_text("Nie udało się połączyć z serwerem.")
        page.close()


def test_the_example_of_the_client_works_as_it_is_printed(page: Page, site: Site) -> None:
    (example,) = re.findall(r"^```js\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.M | re.S)
    for printed, here in (("https://wiedza.example.pl", site.address), ("0123456789abcdef", WIDGET)):
        assert printed in example
        example = example.replace(printed, here)
    example = re.sub(r"^import (\{.*?\}) from (.*?);$", r"const \1 = await import(\2);", example, flags=re.M)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.evaluate(f"async () => {{ {example} }}")
    told = "\n".join(said)
    assert "17 zł" in told
    assert f"{site.address}/documents/" in told
    assert "wynajem" in told.lower()


def test_the_client_asks_searches_and_judges_on_an_allowed_page(page: Page, site: Site) -> None:
    result = page.evaluate(
        """async ({ site, widget, question }) => {
          const { KnowledgeTree } = await import(`${site}/static/widget/client.js`);
          const client = new KnowledgeTree({ server: site, widget });
          const names = [];
          let saved;
          for await (const event of client.ask(question)) {
            names.push(event.name);
            if (event.name === "saved") saved = event;
          }
          await client.feedback(saved.exchange_id, "good");
          const answer = await client.answer("Kiedy trzeba go zgłosić?", { conversation: saved.conversation_id });
          const wrong = await client.ask("").next().catch((error) => error);
          return {
            names, found: await client.search("urlop wypoczynkowy", { topK: 3 }),
            conversations: [saved.conversation_id, answer.conversation], url: answer.citations[0].url,
            wrong: [wrong.name, wrong.status],
          };
        }""",
        {"site": site.address, "widget": WIDGET, "question": "Ile dni urlopu na żądanie przysługuje w roku?"},
    )
    assert result["names"][0] == "started"
    assert result["names"][-2:] == ["completed", "saved"]
    assert {"delta", "citation"} <= set(result["names"])  # nobody else asks this, so that it comes from no cache
    assert len(result["found"]) == 3
    assert len(set(result["conversations"])) == 1
    assert result["url"].startswith(f"{site.address}/documents/")
    assert result["wrong"] == ["KnowledgeTreeError", 400]


def test_the_preview_shows_the_widget_to_its_editor(administrator: BrowserContext, host: str) -> None:
    page = administrator.new_page()
    complaints = complaints_of(page)
    page.goto("/admin/rag/widget/")
    page.get_by_role("link", name="Zapytaj urząd").click()
    assert f'data-widget="{WIDGET}"' in page.get_by_label("Znacznik do wklejenia").input_value()
    assert violations(page, without=["#nav-sidebar"]) == []
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Podgląd").click()
    preview = opened.value
    complaints_there = complaints_of(preview)
    open_widget(preview)
    ask(preview)
    expect(preview.get_by_role("article")).to_contain_text("26 dni")
    assert violations(preview) == []
    assert complaints + complaints_there == []
