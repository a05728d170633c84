// The answer while it is being written: plain text with citation chips. The finished one comes from the server as HTML.

export class Draft {
  #text = "";
  #addresses = new Map();
  #scheduled = false;

  constructor(element) {
    this.element = element;
  }

  get isEmpty() {
    return !this.#text;
  }

  add(text) {
    this.#text += text;
    this.#schedule();
  }

  clear() {
    this.#text = "";
    this.#addresses.clear();
    this.#schedule();
  }

  cite(citation) {
    this.#addresses.set(String(citation.number), citation);
    this.#schedule();
  }

  #schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.element.replaceChildren(...this.#nodes());
    });
  }

  #nodes() {
    // An unfinished "[1" at the end waits for its bracket; emphasis signs are not for the reader's eyes.
    const shown = this.#text.replace(/\[\d{0,3}$/, "").replaceAll("**", "").trimStart();
    return shown.split(/(\[\d{1,3}\])/).map((piece) => {
      const number = piece.match(/^\[(\d{1,3})\]$/)?.[1];
      return number ? this.#chip(number) : document.createTextNode(piece);
    });
  }

  #chip(number) {
    const citation = this.#addresses.get(number);
    const chip = document.createElement(citation ? "a" : "span");
    chip.className = "chip";
    chip.textContent = number;
    if (citation) {
      chip.href = citation.url;
      chip.title = citation.title;
      if (citation.origin !== "web") chip.dataset.source = "";
      else Object.assign(chip, { target: "_blank", rel: "noopener noreferrer nofollow" });
    }
    return chip;
  }
}
