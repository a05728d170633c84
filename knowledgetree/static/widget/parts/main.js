// The tag on the host page: what its attributes say, and the element that it makes.
//
// data-widget (the public identifier), data-lang (pl, en; else that of the page), data-theme (light, dark; else the
// reader's), data-accent (#rrggbb), data-position (left), data-page (title: title and address of the page go along).

import { KnowledgeTree } from "../client.js";
import { element } from "./elements.js";
import { Panel } from "./panel.js";
import { paint, styleSheet } from "./style.js";
import { languageOf, textsIn } from "./texts.js";

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
