// One question with its answer while it comes: what the stream says becomes what the page shows.
//
// Events on the article, which bubble: "kt:saved" with { conversation, exchange, question }, "kt:shown" when HTML of
// the server stands in its answer area (a finished answer, a failure), "kt:cited" with { number, html } of a source that
// the draft cites, "kt:again" with { question } where the reader wants it asked once more.

import { eventsOf } from "../widget/client.js";
import { Draft } from "./draft.js";
import { say } from "./status.js";

const texts = document.getElementById("composer").dataset;
const states = document.getElementById("states").content;

export class Exchange {
  #ended = false;
  wait = 0;

  /** Puts the question at the end of the conversation. */
  constructor(question) {
    this.question = question;
    this.element = document.getElementById("new-exchange").content.firstElementChild.cloneNode(true);
    this.element.querySelector(".question").textContent = question;
    document.getElementById("exchanges").append(this.element);
    this.area = this.element.querySelector(".answer-area");
    this.progress = this.area.querySelector(".progress");
    this.steps = this.area.querySelector(".live-steps");
    this.draft = new Draft(this.area.querySelector(".draft"));
    this.element.scrollIntoView({ block: "start" });
  }

  /** Whether its last word, or why there is none, has come from the server. */
  get ended() {
    return Boolean(this.#ended);
  }

  /**
   * Asks with the fields of `body` and follows the answer to its end. Shows itself what went wrong, and says how it
   * ended: "answered", "failed" (the server says why), "stopped", "lost" in the middle, "busy", "server", "forbidden",
   * or "unreached" and "throttled" (`wait` seconds), which are shown elsewhere: nothing was asked yet.
   */
  async answer(body, signal) {
    say(texts.searching);
    const outcome = await this.#outcome(body, signal);
    this.progress.remove();
    this.area.setAttribute("aria-busy", "false");
    this.element.classList.remove("is-running", "is-writing");
    return outcome;
  }

  async #outcome(body, signal) {
    let response;
    try {
      response = await fetch(texts.stream, { method: "POST", body, signal });
    } catch (error) {
      return this.#broken(error, "unreached");
    }
    this.wait = response.status === 429 ? Number(response.headers.get("Retry-After")) : 0;
    if (this.wait > 0) {
      response.body.cancel().catch(() => {});
      say("");
      return "throttled";
    }
    // A refusal comes as events too, and says why.
    const streams = response.headers.get("Content-Type")?.startsWith("text/event-stream");
    return streams ? this.#follow(response, signal) : this.#show(refusal(response.status));
  }

  async #follow(response, signal) {
    try {
      for await (const { name, ...fields } of eventsOf(response, signal)) this.#on[name]?.(fields);
    } catch (error) {
      return this.#broken(error, "lost");
    }
    return this.#ended || this.#show("lost");
  }

  #broken(error, otherwise) {
    if (this.#ended) return this.#ended;
    const state = error.name === "AbortError" ? "stopped" : otherwise;
    say(state === "stopped" ? texts.stopped : ""); // the others are alerts, which speak for themselves
    return state === "unreached" ? state : this.#show(state);
  }

  #on = {
    step: ({ step, html }) => this.#step(step, html),
    retrieved: ({ html }) => this.#retrieved(html),
    revised: () => this.draft.clear(),
    delta: ({ text }) => this.#write(text),
    citation: ({ citation, html }) => {
      this.draft.cite(citation);
      this.#tell("kt:cited", { number: citation.number, html });
    },
    completed: ({ html }) => this.#complete(html),
    failed: ({ html }) => this.#fail(html),
    saved: ({ conversation_id: conversation, exchange_id: exchange }) => {
      this.element.id = exchange;
      this.#tell("kt:saved", { conversation, exchange, question: this.question });
    },
  };

  #step({ number, status }, html) {
    const before = this.steps.querySelector(`[data-step="${number}"]`);
    if (before) before.outerHTML = html;
    else this.steps.insertAdjacentHTML("beforeend", html);
    if (this.element.classList.contains("is-writing")) this.#progressOf(status === "running" ? number : null);
  }

  /** While the answer is being written the steps are folded; one that still runs is named below it. */
  #progressOf(number) {
    const name = number && this.steps.querySelector(`[data-step="${number}"] b`)?.textContent;
    this.progress.hidden = !name;
    if (name) this.progress.lastChild.textContent = `${name}…`;
  }

  #retrieved(html) {
    this.progress.innerHTML = html;
    const corrections = this.progress.querySelector("template[data-corrections]");
    this.area.querySelector(".corrections")?.remove();
    if (corrections) this.area.prepend(corrections.content);
    corrections?.remove();
  }

  /** With the first word the text takes the place that it keeps: what was above it goes below. */
  #write(text) {
    if (!this.element.classList.contains("is-writing")) {
      this.element.classList.add("is-writing");
      this.area.append(this.progress, this.steps);
      this.#progressOf(null);
      say(texts.writing);
    }
    this.draft.add(text);
  }

  #complete(html) {
    this.area.innerHTML = html;
    this.#ended = "answered";
    say(this.area.querySelector("template[data-said]")?.content.textContent ?? "");
    this.#tell("kt:shown");
  }

  #fail(html) {
    // An answer that only could not be saved stays, and so does what was written before the model fell silent.
    if (!this.#ended && this.draft.isEmpty) this.area.replaceChildren();
    this.area.insertAdjacentHTML("beforeend", html);
    this.area.append(this.#again());
    this.#ended = "failed";
    this.#tell("kt:shown");
  }

  /** Below what came: why there is no more, and what can be done. */
  #show(name) {
    const shown = state(name);
    this.area.append(shown);
    shown.querySelector("[data-reload]")?.addEventListener("click", () => location.reload());
    if (name !== "forbidden") this.area.append(this.#again());
    return name;
  }

  /** Above the answer: the conversation it was asked in is gone. */
  moved() {
    this.area.prepend(state("moved"));
  }

  #again() {
    const button = state("again");
    button.addEventListener("click", () => this.#tell("kt:again", { question: this.question }));
    return button;
  }

  #tell(name, detail = {}) {
    this.element.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }
}

/** Pages instead of events: a session that has ended (some lead to a page to sign in), a server that is not ready. */
function refusal(status) {
  if (status === 403 || status < 400) return "forbidden";
  return [502, 503, 504].includes(status) ? "busy" : "server";
}

function state(name) {
  return states.querySelector(`[data-state="${name}"]`).cloneNode(true);
}
