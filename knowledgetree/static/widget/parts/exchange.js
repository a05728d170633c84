// One question with its answer, while it comes and when it is there.

import { assuranceOf, chipOf, contradictionsOf, sectionsOf, sourcesOf } from "./answer.js";
import { element, icon } from "./elements.js";
import { nodesOf } from "./markdown.js";

export class Exchange {
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
