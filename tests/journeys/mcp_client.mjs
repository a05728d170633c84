// The TypeScript SDK as a program uses it: node mcp_client.mjs ADDRESS KEY PACKAGES; what it got, as JSON.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [address, key, packages] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(createRequire(`${packages}/`).resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load("client/index.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");

const client = new Client({ name: "test", version: "1" });
const requestInit = { headers: { Authorization: `Bearer ${key}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
const { tools } = await client.listTools(); // from here on it checks results against the output schemas
const call = (name, args) => client.callTool({ name, arguments: args });
const found = await call("search", { query: "urlop wypoczynkowy" });
const fetched = await call("fetch", { id: found.structuredContent.results[0].id });
const answer = await call("ask", { question: "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?" });
const refused = await call("fetch", { id: "0-0" });
await client.close();
process.stdout.write(JSON.stringify({ tools, found, fetched, answer, refused }));
