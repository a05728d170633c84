"""The Model Context Protocol's own clients against a real server: both SDKs, the inspector, and stdio."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult

from tests.databases import ROOT
from tests.embedded import EmbeddedInstallation, furnished_installation
from tests.installation import PATIENCE
from tests.npm import ensure_packages

QUESTION = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"
ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])  # with and without the handshake of earlier revisions
_PATIENCE = 300
TOOLS = {"search", "fetch", "ask", "list_collections"}

_KEYS = """
import json
from django.contrib.auth.models import User
from ingestion.models import Collection
from ingestion.services.api_keys import create_key
owner = User.objects.create_user("intranet")
kinds = {
    "all": {},
    "staff": {"collections": ["kadry"]},
    "computers": {"collections": ["informatyka"]},
    "searching": {"scopes": ["search"]},
    "seldom": {"rate": "2/day"},
    "revoked": {},
    "acting": {"scopes": ["search", "ask", "act_as"]},
}
def make(name, scopes=("search", "ask"), collections=(), **more):
    chosen = Collection.objects.filter(slug__in=collections)
    return create_key(name=name, owner=owner, scopes=scopes, collections=chosen, **more)[1]
print(json.dumps({name: make(name, **kind) for name, kind in kinds.items()}))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpSite:
    installed: EmbeddedInstallation
    address: str
    keys: dict[str, str]

    @property
    def endpoint(self) -> str:
        return f"{self.address}/mcp"

    @asynccontextmanager
    async def client(self, key: str = "all", mode: str = "auto") -> AsyncIterator[Client]:
        async with AsyncExitStack() as stack:
            headers = {"Authorization": f"Bearer {self.keys[key]}"}
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=PATIENCE))
            transport = streamable_http_client(self.endpoint, http_client=http)
            yield await stack.enter_async_context(Client(transport, mode=mode))

    def call(self, tool: str, *, key: str = "all", mode: str = "auto", **arguments: Any) -> CallToolResult:
        async def ask() -> CallToolResult:
            async with self.client(key, mode) as client:
                return await client.call_tool(tool, arguments)

        return asyncio.run(ask())

    def post(self, key: str = "all", **headers: str) -> httpx2.Response:
        """A call that is answered by refusal or by the list of tools."""
        given = {
            "Authorization": f"Bearer {self.keys[key]}",
            "Accept": "application/json, text/event-stream",
            **headers,
        }
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        return httpx2.post(self.endpoint, json=asked, headers=given, timeout=PATIENCE)

    def get(self, address: str, **headers: str) -> httpx2.Response:
        return httpx2.get(address, headers=headers, timeout=PATIENCE)


@pytest.fixture(scope="module")
def site(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpSite]:
    with furnished_installation(furnished, tmp_path_factory.mktemp("mcp") / "var") as installed:
        keys = json.loads(installed.manage("shell", "-v", "0", "-c", _KEYS).stdout)
        yield McpSite(installed=installed, address=installed.start_web(), keys=keys)


def content(result: CallToolResult) -> Any:
    """What a tool gave back; the same in both forms."""
    [item] = result.content
    assert not result.is_error, item
    assert item.type == "text"
    assert json.loads(item.text) == result.structured_content
    return result.structured_content


def mistake(result: CallToolResult) -> str:
    [item] = result.content
    assert result.is_error
    assert item.type == "text"
    return item.text


@ERAS
def test_a_model_searches_reads_and_asks(site: McpSite, mode: str) -> None:
    async def converse() -> tuple[Any, ...]:
        async with site.client(mode=mode) as client:
            tools = (await client.list_tools()).tools
            found = content(await client.call_tool("search", {"query": "urlop wypoczynkowy"}))
            read = content(await client.call_tool("fetch", {"id": found["results"][0]["id"]}))
            return tools, found, read, content(await client.call_tool("ask", {"question": QUESTION}))

    tools, found, read, answer = asyncio.run(converse())
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.title and tool.description and tool.annotations.read_only_hint for tool in tools)
    assert {name for one in found["results"] for name in one} == {"id", "title", "url"}
    assert found["results"][0]["url"].startswith(f"{site.address}/documents/")
    assert set(read) == {"id", "title", "text", "url", "metadata"}
    assert read["metadata"]["part"] == "document"
    assert "26 dni" in read["text"]
    assert answer["outcome"] == "answered"
    assert "26 dni" in answer["answer"]
    assert "odpowiedź" in answer["confidence"]
    cited = answer["citations"][0]
    assert "26 dni" in cited["quote"]
    page = site.get(cited["url"]).text
    assert '<mark id="cytat"' in page
    again = content(site.call("fetch", mode=mode, id=cited["id"]))
    assert cited["quote"].splitlines()[0] in again["text"]


def test_a_step_of_a_long_answer_is_told(site: McpSite) -> None:
    told: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def converse() -> None:
        async with site.client() as client:
            question = "Do kogo zgłosić zgubienie karty sportowej?"
            content(await client.call_tool("ask", {"question": question}, progress_callback=note))

    asyncio.run(converse())
    assert "Przeszukiwanie dokumentów." in told


def test_a_key_opens_its_collections_alone(site: McpSite) -> None:
    opened = content(site.call("list_collections", key="computers"))["collections"]
    assert [one["id"] for one in opened] == ["informatyka"]
    assert opened[0]["documents"] > 0
    staff = content(site.call("search", key="staff", query="urlop"))["results"]
    computers = content(site.call("search", key="computers", query="urlop hasło"))["results"]
    assert staff
    assert computers
    assert not {one["id"] for one in staff} & {one["id"] for one in computers}
    for key in ("staff", "computers"):  # each id opens for its own key, and only for that
        mine, others = (staff, computers) if key == "staff" else (computers, staff)
        assert content(site.call("fetch", key=key, id=mine[0]["id"]))["text"]
        assert "(code: not_found)" in mistake(site.call("fetch", key=key, id=others[0]["id"]))
    assert "(code: invalid_filter)" in mistake(
        site.call("search", key="computers", query="urlop", collections=["kadry"])
    )
    refused = content(site.call("ask", key="computers", question=QUESTION))
    assert "26 dni" not in json.dumps(refused, ensure_ascii=False)


def test_mistakes_are_told_with_what_to_do(site: McpSite) -> None:
    assert "Search again" in mistake(site.call("fetch", id="999999-1"))
    assert mistake(site.call("fetch", id="regulamin")) == mistake(site.call("fetch", id="0-1")).replace(
        "0-1", "regulamin"
    )
    assert "(code: invalid_question)" in mistake(site.call("ask", question="  "))
    assert "query" in mistake(site.call("search"))
    assert "at most 2000" in mistake(site.call("ask", question="urlop " * 400))
    assert "Unknown tool" in mistake(site.call("delete_everything"))
    assert "(code: scope_missing)" in mistake(site.call("ask", key="searching", question=QUESTION))
    assert content(site.call("search", key="searching", query="urlop"))["results"]


def test_the_rate_of_a_key_holds(site: McpSite) -> None:
    for _call in range(2):
        content(site.call("list_collections", key="seldom"))
    assert "(code: throttled)" in mistake(site.call("list_collections", key="seldom"))


def test_a_revoked_key_opens_nothing_from_the_next_request_on(site: McpSite) -> None:
    async def converse() -> None:
        async with site.client("revoked") as client:
            content(await client.call_tool("search", {"query": "urlop"}))
            site.installed.sql("UPDATE ingestion_apikey SET revoked = now() WHERE name = 'revoked' RETURNING id")
            with pytest.raises(MCPError):
                await client.call_tool("search", {"query": "urlop"})

    asyncio.run(asyncio.wait_for(converse(), _PATIENCE))  # once the client waited for ever
    assert site.post("revoked").status_code == 401


def test_a_key_that_acts_for_others_never_acts_for_its_own_account(site: McpSite) -> None:
    refused = site.post("acting")
    assert (refused.status_code, refused.json()["code"]) == (401, "invalid_user_token")
    assert "resource_metadata=" in refused.headers["WWW-Authenticate"]


def test_who_has_no_key_is_told_where_to_read_of_them(site: McpSite) -> None:
    refused = site.post(Authorization="")
    assert refused.status_code == 401
    challenge = refused.headers["WWW-Authenticate"]
    assert challenge.startswith("Bearer ")
    assert "invalid_token" not in challenge
    assert 'error="invalid_token"' in site.post(Authorization="Bearer kt_obcy").headers["WWW-Authenticate"]
    address = challenge.partition('resource_metadata="')[2].rstrip('"')
    metadata = site.get(address).json()
    assert metadata == site.get(f"{site.address}/.well-known/oauth-protected-resource/mcp").json()
    assert metadata["resource"] == site.endpoint
    assert metadata["bearer_methods_supported"] == ["header"]


def test_only_our_names_and_pages_may_call(site: McpSite) -> None:
    assert site.post(Origin="http://localhost:6274").headers["Access-Control-Allow-Origin"] == "http://localhost:6274"
    assert site.post(Origin="http://[::1]:6274").status_code == 200
    for origin in ("null", "http://[", "https://localhost.obca.example"):
        assert site.post(Origin=origin).status_code == 403
    foreign = site.post(Origin="https://obca.example")
    assert foreign.status_code == 403
    assert foreign.json()["code"] == "foreign_page"
    assert "Access-Control-Allow-Origin" not in foreign.headers
    assert site.post(Host="obca.example").status_code == 400
    asked = {"Origin": "http://localhost:6274", "Access-Control-Request-Method": "POST"}
    asked["Access-Control-Request-Headers"] = "authorization,mcp-protocol-version"
    allowed = httpx2.options(site.endpoint, headers=asked)
    assert allowed.headers["Access-Control-Allow-Headers"] == "authorization,mcp-protocol-version"
    assert httpx2.options(site.endpoint, headers={**asked, "Origin": "https://obca.example"}).status_code == 400
    listening = site.get(site.endpoint, Authorization=f"Bearer {site.keys['all']}")
    assert (listening.status_code, listening.headers["Allow"]) == (405, "POST")


@ERAS
def test_twenty_calls_at_once_are_answered_each_with_its_own(site: McpSite, mode: str) -> None:
    words = [
        "urlop",
        "delegacja",
        "praca zdalna",
        "benefity",
        "hasło",
        "drukarka",
        "archiwum",
        "faktura",
        "skarga",
        "VPN",
    ]

    async def converse() -> list[Any]:
        async with site.client(mode=mode) as client:
            calls = [client.call_tool("search", {"query": word}) for word in words * 2]
            return [content(result) for result in await asyncio.gather(*calls)]

    found = asyncio.run(converse())
    assert found[: len(words)] == found[len(words) :]
    assert len({json.dumps(one) for one in found}) == len(words)


@ERAS
def test_who_leaves_in_the_middle_harms_nobody(site: McpSite, mode: str) -> None:
    async def leave() -> None:
        async with site.client(mode=mode) as client:
            begun = asyncio.Event()

            async def note(progress: float, total: float | None, message: str | None) -> None:
                begun.set()

            question = f"Kto prowadzi sprawy kart sportowych ({mode})?"
            asking = asyncio.create_task(client.call_tool("ask", {"question": question}, progress_callback=note))
            await begun.wait()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    asyncio.run(leave())
    assert content(site.call("search", mode=mode, query="urlop"))["results"]
    assert "Traceback" not in (site.installed.folder / "log.txt").read_text()


def test_a_desktop_program_speaks_with_the_command(site: McpSite) -> None:
    started = StdioServerParameters(
        command=sys.executable,
        args=["manage.py", "mcp", "--url", "https://localhost/wiedza"],
        cwd=ROOT,
        env={"VAR_DIR": str(site.installed.folder), "MCP_KEY": site.keys["staff"], "LANGUAGE": "pl"},
    )

    async def converse() -> tuple[Any, Any]:
        async with Client(stdio_client(started, errlog=sys.__stderr__), mode="legacy") as client:
            found = content(await client.call_tool("search", {"query": "urlop"}))
            return found, mistake(await client.call_tool("fetch", {"id": "0-0"}))

    found, refused = asyncio.run(converse())
    assert found["results"][0]["url"].startswith("https://localhost/wiedza/documents/")
    assert "There is no passage" in refused


def test_a_key_that_is_none_ends_the_command_with_a_word_on_stderr_alone(site: McpSite) -> None:
    refused = site.installed.manage("mcp", "--key", "kt_obcy", check=False)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "CommandError" in refused.stderr


def test_the_typescript_sdk_reads_what_we_say(site: McpSite) -> None:
    packages = ensure_packages("@modelcontextprotocol/sdk@1")
    script = ["node", "tests/journeys/mcp_client.mjs", site.endpoint, site.keys["all"], str(packages)]
    got = json.loads(subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    assert {tool["name"] for tool in got["tools"]} == TOOLS
    assert "26 dni" in got["answer"]["structuredContent"]["answer"]
    assert got["fetched"]["structuredContent"]["text"]
    assert got["refused"]["isError"]


def test_the_inspector_lists_and_calls_our_tools(site: McpSite) -> None:
    inspector = ensure_packages("@modelcontextprotocol/inspector@2", node=(22, 19)) / "node_modules/.bin/mcp-inspector"
    common = [str(inspector), "--cli", site.endpoint, "--transport", "http"]
    key = ["--header", f"Authorization: Bearer {site.keys['all']}"]  # takes all that follows: it stands last

    def inspect(*arguments: str) -> Any:
        command = [*common, *arguments, *key]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    assert {tool["name"] for tool in inspect("--method", "tools/list")["tools"]} == TOOLS
    searching = ("--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=urlop")
    assert inspect(*searching)["structuredContent"]["results"]
