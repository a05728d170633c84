// KnowledgeTree's widget. Written by `python -m tests.widget_file` from parts/ and client.js: change those.
// On a page: <script src="https://…/static/widget/widget.js" data-widget="…" defer></script>

(() => {
"use strict";

// KnowledgeTree's client for JavaScript: one file, no dependencies, for browsers, Node 20, Deno and Bun. Types: client.d.ts.

const SILENCE = 45_000; // milliseconds; three signs of life of the server
const RENEW_AT = 0.6; // of a token's life

/** What went wrong: `code` for programs, `message` and `remedy` for people; `wait` in seconds, where waiting helps. */
class KnowledgeTreeError extends Error {
  constructor({ code, message, remedy = "", status = 0, retryable = false, wait = 0, cause }) {
    super(message, { cause });
    Object.assign(this, { name: "KnowledgeTreeError", code, remedy, status, retryable, wait });
  }
}

/**
 * Asks, searches and judges at `server`: as a visitor of the page where `widget` (its public identifier) is allowed,
 * else with an API `key`, which belongs on servers and never into a page.
 */
class KnowledgeTree {
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
async function* eventsOf(response, signal) {
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

// Elements without HTML: a host page may require trusted types, and nothing of an answer is ever markup.

/** An element with properties, attributes (`aria-…`, `data-…`, and those that have no property) and children. */
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || ["role", "lang", "for", "part"].includes(key)) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const ICONS = {
  chat: "M3.5 4.5h13v9h-7l-4 3v-3h-2zM7 8h6M7 10.5h4",
  close: "M5 5l10 10M15 5L5 15",
  fresh: "M4 10a6 6 0 1 0 2-4.5M4 3v3.5h3.5",
  send: "M10 16V4M5 9l5-5 5 5",
  stop: "M6 6h8v8H6z",
  up: "M6.5 9.5v6M6.5 9.5l3-6c1.3 0 2 .9 2 2v2.5h3.2c1 0 1.7.9 1.5 1.9l-.9 4.2c-.2.8-.8 1.4-1.6 1.4H6.5M3.5 9.5h3v6h-3z",
  down: "M6.5 10.5v-6M6.5 10.5l3 6c1.3 0 2-.9 2-2V12h3.2c1 0 1.7-.9 1.5-1.9l-.9-4.2c-.2-.8-.8-1.4-1.6-1.4H6.5M3.5 10.5h3v-6h-3z",
};

function icon(name) {
  const SVG = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 20 20");
  picture.setAttribute("aria-hidden", "true");
  picture.append(document.createElementNS(SVG, "path"));
  picture.firstChild.setAttribute("d", ICONS[name]);
  return picture;
}

/** A link to another page, which learns nothing of this one; plain text where there is none to open. */
function outside(href, properties, ...children) {
  if (!href) return element("span", properties, ...children);
  return element("a", { ...properties, href, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

// What stands below an answer: how sure it is, where sources differ, the sources, the nearest places.


const LONGEST_QUOTE = 280; // characters
const LONGEST_HEADING = 70;

/** The citation as a number in the text; `citation` is undefined until it has come. */
function chipOf(number, citation, texts) {
  if (!citation) return element("span", { className: "chip" }, number);
  return outside(citation.url, { className: "chip", title: citation.title, "aria-label": texts.source(number, citation.title) }, number);
}

function assuranceOf(assurance) {
  const summary = element("summary", {}, assurance.words);
  return element("details", { className: `assurance is-${assurance.level}` }, summary, element("p", {}, assurance.meaning));
}

function contradictionsOf(contradictions, texts) {
  const said = ({ value, title }) => [element("q", {}, value), ` (${title})`];
  const items = contradictions.map(({ subject, first, second }) =>
    element("li", {}, subject && element("b", {}, `${subject}: `), said(first), `, ${texts.but} `, said(second)));
  return element("section", { className: "warning" }, element("h3", {}, texts.differ), element("ul", {}, items));
}

function sourcesOf(citations, texts) {
  const items = citations.map((citation) => element("li", {},
    outside(citation.url, {}, `${citation.number}. ${citation.title}`, element("span", { className: "hidden" }, ` ${texts.newTab}`)),
    element("p", { className: "place" }, placeOf(citation, texts)),
    element("blockquote", {}, shortened(citation.quote, LONGEST_QUOTE))));
  const summary = element("summary", {}, `${texts.sources} (${citations.length})`);
  return element("details", {}, summary, element("ol", { className: "sources" }, items));
}

function sectionsOf(sections, texts) {
  const items = sections.map(({ title, headings, url }) => element("li", {},
    outside(url, {}, [title, ...headings].join(" › "), element("span", { className: "hidden" }, ` ${texts.newTab}`))));
  return element("section", {}, element("p", { className: "place" }, texts.nearest), element("ul", { className: "places" }, items));
}

function placeOf({ heading_path: headings, title, page_start: page, page_end: pageEnd, line_start: line, line_end: lineEnd }, texts) {
  const where = page ? texts.pages(page, pageEnd ?? page) : texts.lines(line, lineEnd);
  const above = headings.filter((heading) => heading !== title).map((heading) => shortened(heading, LONGEST_HEADING));
  return [above.join(" › "), where].filter(Boolean).join(" · ");
}

function shortened(text, most) {
  const plain = text.replace(/\*\*|^#+\s+/gm, "").trim();
  return plain.length > most ? `${plain.slice(0, most).trimEnd()}…` : plain;
}

// The Markdown of answers as nodes: paragraphs, lists, tables, emphasis, code. Links and HTML are shown as their text.


const ITEM = /^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$/;
const RULE = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;
const INLINE = /\[(\d{1,3})\]|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|`([^`]+)`|!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)|\\([\\`*_{}[\]()#+.!|-])/;

/** Nodes of `text`; `chip` makes that of a citation from its number. */
function nodesOf(text, chip) {
  const lines = text.split("\n");
  const nodes = [];
  while (lines.length) {
    if (!lines[0].trim()) lines.shift();
    else nodes.push(block(lines, chip));
  }
  return nodes;
}

function block(lines, chip) {
  const heading = lines[0].match(/^\s*#{1,6}\s+(.*)$/);
  if (heading) return lines.shift() && element("p", { className: "heading" }, inline(heading[1], chip));
  if (/^\s*```/.test(lines[0])) return fence(lines);
  if (lines[0].includes("|") && RULE.test(lines[1] ?? "")) return table(lines, chip);
  if (ITEM.test(lines[0])) return list(lines, chip);
  if (/^\s*>/.test(lines[0])) return quote(lines, chip);
  return paragraph(lines, chip);
}

function paragraph(lines, chip) {
  const own = [lines.shift()];
  while (lines.length && lines[0].trim() && !/^\s*(#{1,6}\s|```|>)/.test(lines[0]) && !ITEM.test(lines[0])) own.push(lines.shift());
  return element("p", {}, inline(own.map((line) => line.trim()).join(" "), chip));
}

function fence(lines) {
  lines.shift();
  const end = lines.findIndex((line) => /^\s*```/.test(line));
  const own = lines.splice(0, end < 0 ? lines.length : end);
  lines.shift();
  return element("pre", { tabIndex: 0 }, element("code", {}, own.join("\n")));
}

function quote(lines, chip) {
  const own = [];
  while (lines.length && /^\s*>/.test(lines[0])) own.push(lines.shift().replace(/^\s*>\s?/, ""));
  return element("blockquote", {}, nodesOf(own.join("\n"), chip));
}

/** What is indented further than an item, or goes on without a sign, belongs to it. */
function list(lines, chip) {
  const [, indent, sign] = lines[0].match(ITEM);
  const ordered = /\d/.test(sign);
  const made = element(ordered ? "ol" : "ul", ordered ? { start: parseInt(sign, 10) } : {});
  while (lines.length) {
    const item = lines[0].match(ITEM);
    if (!item || item[1].length < indent.length || /\d/.test(item[2]) !== ordered) break;
    lines.shift();
    const below = [];
    while (lines.length && belongs(lines, indent.length)) below.push(lines.shift());
    made.append(element("li", {}, inline(item[3], chip), nodesOf(below.join("\n"), chip)));
    if (!lines[0]?.trim() && ITEM.test(lines[1] ?? "")) lines.shift(); // a blank line between items
  }
  return made;
}

function belongs(lines, indent) {
  const line = lines[0].trim() ? lines[0] : lines[1] ?? "";
  return line.trim() !== "" && line.match(/^\s*/)[0].length > indent;
}

function table(lines, chip) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|");
  const row = (line, kind) => element("tr", {}, cells(line).map((cell) => element(kind, {}, inline(cell.trim(), chip))));
  const head = element("thead", {}, row(lines.shift(), "th"));
  const body = element("tbody");
  lines.shift();
  while (lines[0]?.includes("|")) body.append(row(lines.shift(), "td"));
  return element("div", { className: "table", tabIndex: 0 }, element("table", {}, head, body));
}

/** Signs of emphasis are not for the reader's eyes, nor are they while their end is still being written. */
function inline(text, chip) {
  const found = text.match(INLINE);
  if (!found) return [text.replaceAll("**", "")];
  const [whole, number, strong, emphasised, code, label, escaped] = found;
  const before = text.slice(0, found.index);
  const after = inline(text.slice(found.index + whole.length), chip);
  // A chip must not begin a line alone.
  if (number) return [before.replace(/ $/, "\u00a0"), chip(number), ...after];
  if (strong) return [before, element("strong", {}, inline(strong, chip)), ...after];
  if (emphasised) return [before, element("em", {}, inline(emphasised, chip)), ...after];
  if (code) return [before, element("code", {}, code), ...after];
  return [before + (label ?? escaped), ...after];
}

// One question with its answer, while it comes and when it is there.


class Exchange {
  #text = "";
  #citations = new Map();
  #scheduled = false;
  #answer = null;

  /** `say` tells a screen reader; `ask` asks another question. */
  constructor(question, { client, texts, say, ask }) {
    Object.assign(this, { question, client, texts, say, ask });
    this.progress = element("p", { className: "progress" }, texts.searching);
    this.text = element("div", { className: "text" });
    this.area = element("div", {}, this.text, this.progress);
    const label = element("span", { className: "hidden" }, `${texts.asked} `);
    this.element = element("article", {}, element("p", { className: "question" }, label, question), this.area);
  }

  /**
   * Follows the answer to its end; the conversation that it is kept in, "" where it is not. Where the conversation to
   * ask on in is over, a new one is begun. Never throws.
   */
  async follow(options) {
    let conversation = "";
    this.say(this.texts.searching);
    try {
      for await (const event of this.client.ask(this.question, options)) {
        this.#on[event.name]?.(event);
        if (event.name !== "saved") continue;
        conversation = this.#saved(event);
        break; // the last word: from now on Escape closes the panel and stops nothing
      }
    } catch (error) {
      if (error.status === 404 && options.conversation) {
        this.#note(this.texts.restarted);
        return this.follow({ ...options, conversation: undefined });
      }
      this.#broken(error, options.signal);
    }
    this.progress.remove();
    return conversation;
  }

  #on = {
    delta: ({ text }) => this.#write(text),
    revised: () => {
      this.#text = "";
      this.#schedule();
    },
    citation: ({ citation }) => {
      this.#citations.set(citation.number, citation);
      this.#schedule();
    },
    completed: ({ answer, topics }) => this.#complete(answer, topics),
    failed: (problem) => this.#fail(problem.message, problem.remedy),
  };

  #write(text) {
    if (!this.#text) this.say((this.progress.textContent = this.texts.writing));
    this.#text += text;
    this.#schedule();
  }

  #schedule() {
    if (this.#scheduled || this.#answer) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      if (!this.#answer) this.#show(this.#text.replace(/\[\d{0,3}$/, "")); // an unfinished "[1" waits for its bracket
    });
  }

  #show(text) {
    const chip = (number) => chipOf(number, this.#citations.get(Number(number)), this.texts);
    this.text.replaceChildren(...nodesOf(text, chip));
  }

  #complete(answer, topics) {
    const { texts } = this;
    this.#answer = answer;
    this.progress.remove();
    this.#citations = new Map(answer.citations.map((citation) => [citation.number, citation]));
    this.text.lang = answer.language;
    if (answer.outcome === "not_found") this.text.replaceChildren(element("p", { className: "none" }, texts.notFound));
    else this.#show(answer.text);
    for (const { message } of answer.notices) this.#note(message);
    const uncertain = answer.outcome === "not_certain" && element("p", { className: "warning" }, texts.notCertain);
    const differ = answer.contradictions?.length && contradictionsOf(answer.contradictions, texts);
    this.area.append(...[
      uncertain,
      answer.assurance && assuranceOf(answer.assurance),
      differ,
      answer.citations.length && sourcesOf(answer.citations, texts),
      answer.nearest_sections.length && sectionsOf(answer.nearest_sections, texts),
      topics.length && this.#offers(topics),
    ].filter(Boolean));
    this.say(this.#spoken(answer));
  }

  /** All of the answer at once: piece by piece nobody could listen to it. */
  #spoken({ assurance }) {
    const shown = this.text.cloneNode(true);
    for (const chip of shown.querySelectorAll(".chip")) chip.remove();
    const words = [...shown.querySelectorAll("p, li, td, th, pre")].map((part) => part.textContent.trim());
    return [this.texts.ready, ...words, assurance?.words].filter(Boolean).join(" ");
  }

  #offers(topics) {
    const buttons = topics.map((topic) => element("button", { type: "button", onclick: () => this.ask(topic) }, topic));
    return element("div", { className: "offers" }, element("h3", {}, this.texts.topics), buttons);
  }

  #saved({ conversation_id: conversation, exchange_id: exchange }) {
    const { texts } = this;
    const status = element("span", { role: "status" });
    const buttons = [["good", "up"], ["bad", "down"]].map(([verdict, sign]) => element("button", {
      type: "button", title: texts[verdict], "aria-label": texts[verdict], "aria-pressed": "false",
      onclick: ({ currentTarget }) => judge(currentTarget, verdict),
    }, icon(sign)));
    const judge = async (button, verdict) => {
      try {
        await this.client.feedback(exchange, verdict);
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        status.textContent = texts.thanks;
      } catch (error) {
        status.textContent = error.wait > 0 ? `${texts.notJudged} ${texts.wait(error.wait)}` : texts.notJudged;
      }
    };
    const offers = this.area.querySelector(".offers");
    const line = element("div", { className: "judge", role: "group", "aria-label": texts.judge }, texts.judge, buttons, status);
    if (offers) offers.before(line);
    else this.area.append(line);
    return conversation;
  }

  #broken(error, signal) {
    const { texts } = this;
    if (this.#answer) return;
    if (signal.aborted) {
      this.area.append(element("p", { className: "place" }, texts.stopped));
      this.say(texts.stopped);
    } else if (error.code === "unreached") this.#fail(texts.unreached, texts.unreachedRemedy);
    else if (error.code === "lost") this.#fail(texts.lost, this.#text && texts.lostRemedy);
    else if (error.wait > 0) this.#fail(texts.tooMany, texts.wait(error.wait));
    else if (error.code) this.#fail(error.message, error.remedy);
    else {
      console.error("KnowledgeTree:", error);
      this.#fail(texts.failed, "");
    }
  }

  #fail(message, remedy) {
    this.area.append(element("p", { className: "failure", role: "alert" }, [message, remedy].filter(Boolean).join(" ")));
    if (this.#answer) return;
    const again = () => this.ask(this.question);
    this.area.append(element("button", { type: "button", className: "again", onclick: again }, this.texts.again));
  }

  #note(message) {
    this.area.prepend(element("p", { className: "notice" }, message));
  }
}

// The button in the corner and what it opens: a dialog beside the page, on a phone above it.


const PHONE = "(max-width: 30rem)";
const KEEP_ALIVE = 4 * 60_000; // milliseconds; a token lives fifteen minutes

class Panel {
  #running = null;
  #conversation = "";
  #begun = false;
  #alive = null;

  constructor(root, { client, texts, page }) {
    Object.assign(this, { root, client, texts, page });
    this.#build();
    this.#listen();
    root.append(this.launcher, this.dialog);
  }

  #build() {
    const { texts } = this;
    const button = (name, act, properties) =>
      element("button", { type: "button", title: texts[name], "aria-label": texts[name], onclick: act, ...properties }, icon(name));
    this.launcher = element("button", {
      type: "button", className: "launcher", "aria-haspopup": "dialog", "aria-expanded": "false", onclick: () => this.open(),
    }, icon("chat"), texts.open);
    this.title = element("h2", { id: "title" }, texts.open);
    this.intro = element("div", { className: "intro" });
    this.log = element("div", { className: "log", tabIndex: -1 }, this.intro);
    this.field = element("textarea", { rows: 1, maxLength: 2000, placeholder: texts.placeholder, "aria-label": texts.question });
    this.send = element("button", { "aria-label": texts.send, title: texts.send }, icon("send"));
    this.stop = button("stop", () => this.#running?.abort(), { hidden: true });
    this.form = element("form", {}, this.field, this.send, this.stop);
    this.status = element("p", { className: "hidden", role: "status" });
    const head = element("div", { className: "head" }, this.title, button("fresh", () => this.#restart()), button("close", () => this.close()));
    this.dialog = element("dialog", { "aria-labelledby": "title" },
      head, this.log, this.form, element("p", { className: "caution" }, texts.caution), this.status);
  }

  #listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(this.field.value);
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
    this.dialog.addEventListener("keydown", (event) => {
      event.stopPropagation(); // shortcuts of the host page are not meant
      if (event.key !== "Escape") return;
      event.preventDefault();
      if (this.#running) this.#running.abort();
      else this.close();
    });
    this.dialog.addEventListener("cancel", (event) => { // a phone's gesture to go back
      event.preventDefault();
      this.close();
    });
  }

  async open() {
    if (this.dialog.open) return;
    if (matchMedia(PHONE).matches) this.dialog.showModal();
    else this.dialog.show();
    this.launcher.hidden = true;
    this.launcher.setAttribute("aria-expanded", "true");
    this.field.focus();
    this.#alive ??= setInterval(() => this.#keepAlive(), KEEP_ALIVE);
    if (!this.#begun) await this.#begin();
  }

  close() {
    this.launcher.hidden = false;
    this.launcher.setAttribute("aria-expanded", "false");
    this.dialog.close();
    this.launcher.focus();
  }

  /** One question at a time; the one before has to be stopped first. */
  async ask(typed) {
    const question = typed.trim();
    if (!question || this.#running) return;
    await this.open();
    if (this.#running) return; // two at once, before the panel was open
    this.#run(true);
    this.field.value = "";
    const exchange = new Exchange(question, {
      client: this.client, texts: this.texts, say: (text) => { this.status.textContent = text; }, ask: (next) => this.ask(next),
    });
    this.log.append(exchange.element);
    this.#reveal(exchange.element);
    const { signal } = this.#running;
    const conversation = await exchange.follow({ signal, page: this.page(), conversation: this.#conversation || undefined });
    if (!exchange.element.isConnected) return; // a new conversation was begun meanwhile
    if (conversation) this.#conversation = conversation;
    this.#run(false);
  }

  #run(running) {
    const focused = this.root.activeElement;
    this.#running = running ? new AbortController() : null;
    this.send.hidden = running;
    this.stop.hidden = !running;
    this.field.placeholder = this.#conversation ? this.texts.followUp : this.texts.placeholder;
    if (running && focused === this.send) this.stop.focus();
    if (!running && focused === this.stop) this.field.focus();
  }

  /** To the top, where there is room for an answer (the style sees to it): what comes scrolls nobody away. */
  #reveal(node) {
    const top = node.offsetTop - this.log.offsetTop;
    this.log.scrollTo({ top: top - 12, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
  }

  async #begin() {
    const { texts } = this;
    this.#begun = true;
    try {
      const { name, greeting, suggestions } = await this.client.session();
      this.title.textContent = name;
      const buttons = suggestions.map((one) => element("button", { type: "button", onclick: () => this.ask(one) }, one));
      this.intro.replaceChildren(
        ...[greeting && element("p", { className: "greeting" }, greeting), buttons.length && element("div", { className: "offers" }, buttons)].filter(Boolean),
      );
    } catch (error) {
      this.#begun = false;
      console.error(
        `KnowledgeTree: ${this.client.server} did not let this page use the widget. Either the server cannot be reached, or the ` +
        `widget is unknown or switched off, or the origin ${location.origin} is not among its allowed origins (Administration, Widgets).`, error,
      );
      const failure = element("p", { className: "failure", role: "alert" }, error.wait > 0 ? texts.wait(error.wait) : texts.refused);
      this.intro.replaceChildren(failure);
    }
  }

  #restart() {
    this.#running?.abort();
    this.#conversation = "";
    this.log.replaceChildren(this.intro);
    this.#run(false);
    this.field.focus();
  }

  #keepAlive() {
    if (this.#conversation) this.client.session().catch(() => {}); // the next question says what is wrong
  }
}

// The look. Sizes follow the browser's text size and not the host page's; colours are those of the readers' pages.

const DARK = `
  --page: #141715; --surface: #1c201e; --ink: #e7ebe8; --muted: #9caaa2; --line: #2d3430;
  --link: #7bcfa5; --soft: #1f3a2d; --warning: #f0b878; --warning-soft: #3a2a16; color-scheme: dark !important;
`;

const STYLE = `
:host {
  --page: #faf9f5; --surface: #ffffff; --ink: #1c211e; --muted: #59635d; --line: #e2dfd5;
  --link: #1f6b4a; --soft: #e2efe7; --warning: #8a4b0b; --warning-soft: #fbeedd;
  --accent: #1f6b4a; --accent-ink: #ffffff;
  /* What the host page says of its elements in general must not reach this one, and would be stronger. */
  all: initial !important; display: block !important; color-scheme: light !important;
  position: fixed !important; z-index: 2147483000 !important; inset: auto 1.25em 1.25em auto !important;
  font: max(16px, 1rem)/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif !important;
}
:host([data-position="left"]) { inset: auto auto 1.25em 1.25em !important; }
:host([data-theme="dark"]) { ${DARK} }
@media (prefers-color-scheme: dark) { :host(:not([data-theme="light"])) { ${DARK} } }

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
p, ul, ol, blockquote, h2, h3 { margin: 0; padding: 0; }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
a { color: var(--link); text-underline-offset: 0.18em; }
svg { width: 1.25em; height: 1.25em; fill: none; stroke: currentcolor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.launcher { display: flex; align-items: center; gap: 0.5em; padding: 0.75em 1.15em; border: 0; border-radius: 2em; background: var(--accent); color: var(--accent-ink); font-weight: 600; box-shadow: 0 2px 6px rgb(0 0 0 / 18%), 0 8px 28px rgb(0 0 0 / 14%); }
.launcher:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }

dialog { display: none; position: fixed; inset: auto 1.25em 1.25em auto; width: min(26em, calc(100vw - 2.5em)); height: min(40em, calc(100dvh - 2.5em)); max-width: none; max-height: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 1em; background: var(--page); color: var(--ink); box-shadow: 0 12px 48px rgb(0 0 0 / 22%); overflow: hidden; }
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(0 0 0 / 40%); }
:host([data-position="left"]) dialog { inset: auto auto 1.25em 1.25em; }

.head { display: flex; align-items: center; gap: 0.25em; padding: 0.55em 0.55em 0.55em 1em; background: var(--accent); color: var(--accent-ink); }
.head h2 { flex: 1; min-width: 0; font-size: 1em; font-weight: 650; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.head button { display: grid; place-items: center; width: 2.5em; height: 2.5em; padding: 0; border: 0; border-radius: 0.6em; background: none; }
.head button:hover { background: rgb(128 128 128 / 30%); }
.head :focus-visible { outline-color: currentcolor; outline-offset: -3px; }

.log { flex: 1; border-bottom: 1px solid var(--line); min-height: 0; overflow-y: auto; padding: 1em; overscroll-behavior: contain; }
.greeting { white-space: pre-line; }
.offers { display: flex; flex-wrap: wrap; gap: 0.5em; margin-top: 0.75em; }
.offers h3 { flex-basis: 100%; font-size: 0.85em; font-weight: 600; color: var(--muted); }
.offers button, .again { padding: 0.4em 0.8em; border: 1px solid var(--line); border-radius: 1em; background: var(--surface); text-align: left; font-size: 0.9em; }
.offers button:hover, .again:hover { border-color: var(--link); }
.again { margin-top: 0.6em; }

article + article, .intro + article { margin-top: 1.5em; }
article:last-child { min-height: 100%; }
.question { width: fit-content; max-width: 90%; margin: 0 0 0.9em auto; padding: 0.55em 0.9em; border-radius: 1em 1em 0.25em 1em; background: var(--soft); overflow-wrap: anywhere; white-space: pre-line; }
.progress { margin-top: 0.4em; color: var(--muted); }
.progress::after { content: ""; display: inline-block; width: 0.5em; height: 0.5em; margin-left: 0.5em; border-radius: 50%; background: currentcolor; animation: pulse 1.2s infinite; }
@keyframes pulse { 50% { opacity: 0.2; } }
.text { overflow-wrap: anywhere; }
.text > * + *, .text li + li, .text li > * + * { margin-top: 0.6em; }
.text ul, .text ol { padding-left: 1.4em; }
.text .heading { font-weight: 650; }
.text blockquote { padding-left: 0.8em; border-left: 3px solid var(--line); color: var(--muted); }
.text code { font: 0.9em ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
.text pre, .table { max-width: 100%; padding: 0.5em; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5em; background: var(--surface); }
table { border-collapse: collapse; font-size: 0.9em; }
th, td { padding: 0.25em 0.6em; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.chip { display: inline-grid; place-items: center; min-width: 1.6em; height: 1.6em; padding: 0 0.35em; border-radius: 0.8em; background: var(--soft); color: var(--link); font-size: 0.75em; font-weight: 650; line-height: 1; text-decoration: none; vertical-align: 0.12em; }
a.chip:hover { background: var(--link); color: var(--page); }
.none { font-weight: 600; }
.notice { margin-bottom: 0.7em; padding: 0.55em 0.8em; border-radius: 0.6em; background: var(--soft); font-size: 0.9em; }
.warning, .failure { margin: 0.7em 0 0; padding: 0.6em 0.85em; border-radius: 0.6em; background: var(--warning-soft); color: var(--warning); font-size: 0.9em; }
.warning h3 { font-size: 1em; }
.warning ul { padding-left: 1.2em; }

details { margin-top: 0.7em; font-size: 0.9em; }
summary { width: fit-content; cursor: pointer; color: var(--muted); font-weight: 600; }
.assurance.is-sure summary { color: var(--link); }
.assurance.is-check summary { color: var(--warning); }
.sources, .places { margin-top: 0.5em; list-style: none; }
.sources li, .places li { padding: 0.6em 0; border-top: 1px solid var(--line); }
.place { color: var(--muted); font-size: 0.92em; }
.sources blockquote { margin-top: 0.3em; padding-left: 0.7em; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
.judge { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4em; margin-top: 0.7em; color: var(--muted); font-size: 0.88em; }
.judge button { display: grid; place-items: center; width: 2.2em; height: 2.2em; padding: 0; border: 1px solid transparent; border-radius: 0.6em; background: none; }
.judge button:hover { border-color: var(--line); }
.judge button[aria-pressed="true"] { background: var(--soft); color: var(--link); }

form { display: flex; align-items: flex-end; gap: 0.5em; margin: 0.5em 0.75em 0; padding: 0.4em; border: 1px solid var(--line); border-radius: 1em; background: var(--surface); }
form:focus-within { outline: 2px solid var(--link); }
textarea { flex: 1; min-width: 0; max-height: 8em; padding: 0.45em 0.5em; border: 0; background: none; resize: none; field-sizing: content; }
textarea:focus-visible { outline: none; }
textarea::placeholder { color: var(--muted); opacity: 1; }
form button { display: grid; place-items: center; flex: none; width: 2.4em; height: 2.4em; padding: 0; border: 0; border-radius: 0.7em; background: var(--accent); color: var(--accent-ink); }
.caution { margin: 0.5em 1em 0.75em; color: var(--muted); font-size: 0.78em; text-align: center; }

@media (max-width: 30rem) {
  dialog, :host([data-position="left"]) dialog { inset: 0; width: 100vw; height: 100dvh; border: 0; border-radius: 0; }
  textarea { font-size: max(1em, 16px); }
}
@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }
@media print { :host { display: none !important; } }
`;

/** A sheet that a strict policy of the host page allows: no element and no attribute carries a style. */
function styleSheet() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  return sheet;
}

/** The host's own colour, with black or white on it, whichever is read better (WCAG 2.2, relative luminance). */
function paint(host, colour) {
  if (!/^#[0-9a-f]{6}$/i.test(colour ?? "")) return;
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  host.style.setProperty("--accent", colour);
  host.style.setProperty("--accent-ink", luminance > 0.179 ? "#000000" : "#ffffff");
}

const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

// What the widget says by itself, in its two languages. What the server says comes in the same one.

const POLISH = {
  open: "Zapytaj",
  close: "Zamknij",
  fresh: "Nowa rozmowa",
  question: "Twoje pytanie",
  placeholder: "Zadaj pytanie…",
  followUp: "Dopytaj…",
  send: "Wyślij pytanie",
  stop: "Zatrzymaj",
  asked: "Pytanie:",
  searching: "Szukam w dokumentach…",
  writing: "Piszę odpowiedź…",
  stopped: "Zatrzymano.",
  ready: "Odpowiedź gotowa.",
  notFound: "Nie znaleziono w źródłach.",
  notCertain: "Nie ma pewności, czy źródła odpowiadają na to pytanie.",
  nearest: "Najbliższe miejsca w dokumentach",
  sources: "Źródła",
  source: (number, title) => `Źródło ${number}: ${title} (otwiera się w nowej karcie)`,
  newTab: "(otwiera się w nowej karcie)",
  pages: (from, to) => (from === to ? `s. ${from}` : `s. ${from}–${to}`),
  lines: (from, to) => (from === to ? `wiersz ${from}` : `wiersze ${from}–${to}`),
  differ: "Źródła nie są zgodne",
  but: "ale",
  topics: "Zapytaj też o:",
  judge: "Czy ta odpowiedź pomogła?",
  good: "Pomogła",
  bad: "Nie pomogła",
  thanks: "Dziękujemy za ocenę.",
  notJudged: "Nie udało się zapisać oceny.",
  again: "Zapytaj jeszcze raz",
  unreached: "Nie udało się połączyć z serwerem.",
  unreachedRemedy: "Sprawdź połączenie i spróbuj ponownie.",
  lost: "Połączenie zostało przerwane.",
  lostRemedy: "To, co zdążyło nadejść, zostaje powyżej.",
  failed: "Nie udało się odpowiedzieć.",
  tooMany: "Zbyt wiele pytań w krótkim czasie.",
  wait: (seconds) => `Spróbuj ponownie za ${period(seconds)}.`,
  refused: "Ten asystent nie jest dostępny na tej stronie.",
  restarted: "Poprzednia rozmowa wygasła; to pytanie rozpoczęło nową.",
  caution: "Odpowiedzi powstają automatycznie na podstawie dokumentów. To, co ważne, sprawdź w źródle.",
};

const ENGLISH = {
  open: "Ask a question",
  close: "Close",
  fresh: "New conversation",
  question: "Your question",
  placeholder: "Ask a question…",
  followUp: "Ask on…",
  send: "Send the question",
  stop: "Stop",
  asked: "Question:",
  searching: "Searching the documents…",
  writing: "Writing the answer…",
  stopped: "Stopped.",
  ready: "The answer is ready.",
  notFound: "Not found in the sources.",
  notCertain: "It is not certain that the sources answer this question.",
  nearest: "Nearest places in the documents",
  sources: "Sources",
  source: (number, title) => `Source ${number}: ${title} (opens in a new tab)`,
  newTab: "(opens in a new tab)",
  pages: (from, to) => (from === to ? `p. ${from}` : `pp. ${from}–${to}`),
  lines: (from, to) => (from === to ? `line ${from}` : `lines ${from}–${to}`),
  differ: "The sources do not agree",
  but: "but",
  topics: "Ask about this too:",
  judge: "Did this answer help?",
  good: "It helped",
  bad: "It did not help",
  thanks: "Thank you for telling us.",
  notJudged: "Your judgement could not be saved.",
  again: "Ask again",
  unreached: "The server was not reached.",
  unreachedRemedy: "Check the connection and try again.",
  lost: "The connection was lost.",
  lostRemedy: "What had come by then stands above.",
  failed: "The question could not be answered.",
  tooMany: "Too many questions in a short time.",
  wait: (seconds) => `Try again in ${period(seconds)}.`,
  refused: "This assistant is not available on this page.",
  restarted: "The conversation before was over; this question began a new one.",
  caution: "Answers are made automatically from documents. Check what matters in the source.",
};

/** The language that `wanted` (of the tag, of the page) begins with; Polish where neither says any. */
function languageOf(...wanted) {
  const chosen = wanted.find(Boolean)?.toLowerCase() ?? "pl";
  return /^pl\b/.test(chosen) ? "pl" : "en";
}

const textsIn = (language) => (language === "pl" ? POLISH : ENGLISH);

const period = (seconds) => (seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

// The tag on the host page: what its attributes say, and the element that it makes.
//
// data-widget (the public identifier), data-lang (pl, en; else that of the page), data-theme (light, dark; else the
// reader's), data-accent (#rrggbb), data-position (left), data-page (title: title and address of the page go along).


const NAME = "knowledgetree-widget";
const tag = document.currentScript;

/** `open()`, `close()` and `ask(question)` are for buttons of the host page. */
class WidgetElement extends HTMLElement {
  #panel = null;

  connectedCallback() {
    if (this.#panel) return;
    const { widget, lang, theme, accent, position, page } = tag.dataset;
    const language = languageOf(lang, document.documentElement.lang);
    Object.assign(this.dataset, { theme: theme ?? "", position: position ?? "" });
    this.lang = language;
    paint(this, accent);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styleSheet()];
    this.#panel = new Panel(root, {
      client: new KnowledgeTree({ server: serverOf(tag.src), widget, language }),
      texts: textsIn(language),
      page: () => (page === "title" ? { title: document.title.slice(0, 300), url: address() } : undefined),
    });
  }

  open() {
    return this.#panel.open();
  }

  close() {
    this.#panel.close();
  }

  ask(question) {
    return this.#panel.ask(question);
  }
}

/** What stands before `static/` in the address of this file. */
function serverOf(source) {
  return source.replace(/\/static\/widget\/.*$/, "");
}

/** Without query and fragment, where secrets stand. */
function address() {
  return `${location.origin}${location.pathname}`.slice(0, 2000);
}

function start() {
  if (!tag?.dataset.widget) {
    console.error("KnowledgeTree: the tag of the widget has no data-widget, which is its public identifier.");
  } else if (!customElements.get(NAME)) {
    customElements.define(NAME, WidgetElement);
    document.body.append(element(NAME));
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
})();
