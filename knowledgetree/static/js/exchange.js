// One question with its answer while it comes: what the stream says becomes what the page shows.
//
// Events on the article, which bubble: "kt:saved" with { conversation, exchange, question }, "kt:shown" when HTML of
// the server stands in its answer area (a finished answer, a failure), "kt:again" with { question } where the reader
// wants it asked once more.

import { Draft } from "./draft.js";
import { eventsOf } from "./events.js";

const texts = document.getElementById("composer").dataset;

export class Exchange {
  #ended = false;

  /** Puts the question at the end of the conversation. */
  constructor(question) {
    this.question = question;
    this.element = document.getElementById("new-exchange").content.firstElementChild.cloneNode(true);
    this.element.querySelector(".question").textContent = question;
    document.getElementById("exchanges").append(this.element);
    this.area = this.element.querySelector(".answer-area");
    this.draft = new Draft(this.area.querySelector(".draft"));
    this.element.scrollIntoView({ block: "start" });
  }

  /** Asks with the fields of `body` and follows the answer to its end; says itself what went wrong. */
  async answer(body, signal) {
    try {
      await this.#follow(body, signal);
      if (!this.#ended) this.#fail(texts.lost);
    } catch (error) {
      if (error.name === "AbortError") this.area.append(paragraph("stopped", texts.stopped), this.#again());
      else this.#fail(texts.lost);
    }
    this.area.querySelector(".progress")?.remove();
    this.area.setAttribute("aria-busy", "false");
    this.element.classList.remove("is-running");
  }

  async #follow(body, signal) {
    const response = await fetch(texts.stream, { method: "POST", body, signal });
    // A refusal (429) comes as events too, and says why.
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) throw new Error(String(response.status));
    for await (const { name, fields } of eventsOf(response)) this.#on[name]?.(fields);
  }

  #on = {
    step: (fields) => this.#step(fields),
    retrieved: ({ html }) => { this.area.querySelector(".progress").innerHTML = html; },
    revised: () => this.draft.clear(),
    delta: ({ text }) => this.draft.add(text),
    citation: ({ citation }) => this.draft.cite(citation),
    completed: ({ html }) => this.#complete(html),
    failed: ({ message, html }) => {
      if (!this.#ended) this.area.replaceChildren();  // an answer that only could not be saved stays
      this.#fail(message, html);
      this.#ended = true;
    },
    saved: ({ conversation_id: conversation, exchange_id: exchange }) => {
      this.element.id = exchange;
      this.#tell("kt:saved", { conversation, exchange, question: this.question });
    },
  };

  #step({ step, html }) {
    const list = this.area.querySelector(".live-steps");
    if (!list) return;
    const before = list.querySelector(`[data-step="${step.number}"]`);
    if (before) before.outerHTML = html;
    else list.insertAdjacentHTML("beforeend", html);
  }

  #complete(html) {
    this.area.innerHTML = html;
    this.#ended = true;
    this.#tell("kt:shown");
  }

  #fail(message, html = "") {
    const box = paragraph("failure", message);
    box.setAttribute("role", "alert");
    if (html) this.area.insertAdjacentHTML("beforeend", html);
    else this.area.append(box);
    this.area.append(this.#again());
    if (html) this.#tell("kt:shown");
  }

  #again() {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "quiet", textContent: texts.retry });
    button.addEventListener("click", () => this.#tell("kt:again", { question: this.question }));
    return button;
  }

  #tell(name, detail = {}) {
    this.element.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }
}

function paragraph(className, text) {
  return Object.assign(document.createElement("p"), { className, textContent: text });
}
