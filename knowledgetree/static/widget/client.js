// KnowledgeTree's client for JavaScript: one file, no dependencies, for browsers, Node 20, Deno and Bun. Types: client.d.ts.

const SILENCE = 45_000; // milliseconds; three signs of life of the server
const RENEW_AT = 0.6; // of a token's life

/** What went wrong: `code` for programs, `message` and `remedy` for people; `wait` in seconds, where waiting helps. */
export class KnowledgeTreeError extends Error {
  constructor({ code, message, remedy = "", status = 0, retryable = false, wait = 0, cause }) {
    super(message, { cause });
    Object.assign(this, { name: "KnowledgeTreeError", code, remedy, status, retryable, wait });
  }
}

/**
 * Asks, searches and judges at `server`: as a visitor of the page where `widget` (its public identifier) is allowed,
 * else with an API `key`, which belongs on servers and never into a page.
 */
export class KnowledgeTree {
  #fetch;
  #widget;
  #key;
  #session = null;
  #begun = null;

  constructor({ server, widget = "", key = "", language = "pl", fetch = globalThis.fetch }) {
    this.server = String(server).replace(/\/+$/, "");
    this.language = language;
    this.#fetch = (...request) => fetch(...request);
    this.#widget = widget;
    this.#key = key;
  }

  /**
   * The answer as it comes, one event after the other, to `completed` and `saved`. Throws KnowledgeTreeError where
   * there is no answer, and what `signal` throws when it aborts.
   */
  async *ask(question, { conversation, page, signal, ...options } = {}) {
    const asked = { question, language: this.language, ...(conversation && { conversation }) };
    const response = this.#widget
      ? await this.#post("ask", { ...asked, ...(page && { page }) }, { signal })
      : await this.#post("ask", { ...options, ...asked, stream: true }, { signal, headers: contextOf(page) });
    let ended = false;
    for await (const event of eventsOf(response, signal)) {
      if (event.name === "failed" && !ended) throw new KnowledgeTreeError(event);
      ended ||= event.name === "completed";
      yield this.#absolute(event);
    }
    if (!ended) throw lost();
  }

  /** The whole answer at once, with `conversation` and `exchange` where it is kept. */
  async answer(question, options = {}) {
    let result = null;
    for await (const event of this.ask(question, options)) {
      if (event.name === "completed") result = { ...event.answer, topics: event.topics, conversation: "", exchange: "" };
      if (event.name === "saved") Object.assign(result, { conversation: event.conversation_id, exchange: event.exchange_id });
    }
    return result;
  }

  /** Passages, best first. */
  async search(query, { topK = 5, signal } = {}) {
    const response = await this.#post("search", { query, top_k: topK }, { signal });
    return this.#absolute(await response.json()).passages;
  }

  /** Judges an answer, in place of an earlier judgement: "good" or "bad". */
  async feedback(exchange, verdict, { comment = "", signal } = {}) {
    await this.#post("feedback", { exchange, verdict, comment }, { signal });
  }

  /** What the widget says before the first question. Begins a session, or renews one that has lived more than half. */
  async session() {
    if (!this.#widget) throw new KnowledgeTreeError({ code: "no_widget", message: "Sessions belong to widgets." });
    if (this.#session && Date.now() < this.#session.renewAt) return this.#session;
    this.#begun ??= this.#begin().finally(() => { this.#begun = null; }); // who asks meanwhile waits for the same one
    return this.#begun;
  }

  async #begin() {
    const response = await this.#send("session", undefined, { token: this.#session?.token });
    const session = await response.json();
    return (this.#session = { ...session, renewAt: Date.now() + session.expires_in * 1000 * RENEW_AT });
  }

  async #post(name, body, { signal, headers } = {}) {
    if (!this.#widget) return this.#send(name, body, { signal, headers, token: this.#key });
    const { token } = await this.session();
    try {
      return await this.#send(name, body, { signal, token });
    } catch (error) {
      if (error.status !== 401) throw error;
      this.#session = null; // over, or the server has a new secret
      const renewed = await this.session();
      return this.#send(name, body, { signal, token: renewed.token });
    }
  }

  async #send(name, body, { signal, headers = {}, token = "" }) {
    const place = this.#widget ? `api/widget/${encodeURIComponent(this.#widget)}/${name}` : `api/${name}`;
    const request = {
      method: "POST",
      headers: {
        "Accept-Language": this.language,
        ...(body && { "Content-Type": "application/json" }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      credentials: "omit",
      signal,
    };
    let response;
    try {
      response = await this.#fetch(`${this.server}/${place}`, request);
    } catch (cause) {
      throw signal?.aborted ? cause : unreached(cause);
    }
    if (response.ok) return response;
    throw await problemOf(response);
  }

  /** `value` with addresses that work on other pages too. */
  #absolute(value) {
    if (Array.isArray(value)) return value.map((one) => this.#absolute(one));
    if (value === null || typeof value !== "object") return value;
    const members = Object.entries(value).map(([name, one]) => [name, name === "url" ? this.#address(one) : this.#absolute(one)]);
    return Object.fromEntries(members);
  }

  /** "" for whatever is no address of a page. */
  #address(url) {
    if (!url || !URL.canParse(url, `${this.server}/`)) return "";
    const { protocol, href } = new URL(url, `${this.server}/`);
    return ["http:", "https:"].includes(protocol) ? href : "";
  }
}

/**
 * Yields { name, …fields } for each server-sent event of `response`. Throws KnowledgeTreeError where the connection is
 * lost, what `signal` throws when it aborts.
 */
export async function* eventsOf(response, signal) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  try {
    for (;;) {
      const { value, done } = await withinSilence(reader.read());
      if (done) return;
      const blocks = (buffer + value).split("\n\n");
      buffer = blocks.pop();
      for (const block of blocks) {
        const event = parsed(block);
        if (event) yield event;
      }
    }
  } catch (cause) {
    throw signal?.aborted || cause instanceof SyntaxError ? cause : lost(cause);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A cable that was pulled out says nothing: neither an end nor an error. */
function withinSilence(read) {
  let timer;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("silence")), SILENCE);
  });
  return Promise.race([read, silence]).finally(() => clearTimeout(timer));
}

function parsed(block) {
  const lines = block.split("\n");
  const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
  const fields = lines.find((line) => line.startsWith("data: "))?.slice(6);
  return name && fields ? { ...JSON.parse(fields), name } : null; // comments have neither
}

function contextOf(page) {
  const text = page ? [page.title, page.url, page.text].filter(Boolean).join("\n") : "";
  return text ? { "X-Page-Context": encodeURIComponent(text) } : {};
}

/** As the server says it (RFC 9457), or what stands before the server. */
async function problemOf(response) {
  const said = await response.json().catch(() => ({}));
  return new KnowledgeTreeError({
    code: said.code ?? "http_error",
    message: said.detail ?? `HTTP ${response.status}`,
    remedy: said.remedy,
    status: response.status,
    retryable: said.retryable ?? response.status >= 500,
    wait: Number(response.headers.get("Retry-After") ?? 0),
  });
}

function unreached(cause) {
  return new KnowledgeTreeError({ code: "unreached", message: "The server was not reached.", retryable: true, cause });
}

function lost(cause) {
  return new KnowledgeTreeError({ code: "lost", message: "The connection was lost.", retryable: true, cause });
}
