// The button in the corner and what it opens: a dialog beside the page, on a phone above it.

import { element, icon } from "./elements.js";
import { Exchange } from "./exchange.js";

const PHONE = "(max-width: 30rem)";
const KEEP_ALIVE = 4 * 60_000; // milliseconds; a token lives fifteen minutes

export class Panel {
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
