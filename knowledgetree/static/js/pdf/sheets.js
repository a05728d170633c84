// One page of a PDF: its place in the column, its picture, its words to be selected, and what is marked on it.

import { TextLayer } from "../../vendor/pdfjs/pdf.min.mjs";

const PIXELS = 2 ** 24;  // of a canvas; phones refuse more

export class Sheet {
  /** `size`: a guess until the page is read. `marks`: an SVG over the whole page, or nothing. */
  constructor(number, size, { label, language, marks }) {
    this.number = number;
    this.element = document.createElement("div");
    this.element.className = "pdf-sheet";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", label);
    this.element.sheet = this;
    this.language = language;
    this.scale = 0;  // at which it is drawn, or being drawn
    this.take(size);
    if (marks) this.element.append(marks);
  }

  /** Zooming changes one property of the column, which every sheet and its words follow. */
  take({ width, height }) {
    this.width = width;
    this.element.style.width = `calc(var(--total-scale-factor) * ${width}px)`;
    this.element.style.height = `calc(var(--total-scale-factor) * ${height}px)`;
  }

  async draw(pdf, scale) {
    if (this.scale === scale) return;
    this.task?.cancel();
    this.scale = scale;
    const page = await pdf.getPage(this.number);
    if (this.scale !== scale) return;
    this.take(page.getViewport({ scale: 1 }));
    const viewport = page.getViewport({ scale });
    const canvas = await this.paint(page, viewport);
    if (!canvas || this.scale !== scale) return;
    this.canvas?.remove();
    this.canvas = canvas;
    this.element.prepend(canvas);
    if (!this.words) await this.write(page, viewport);
  }

  /** Undefined where something else is to be drawn by now. */
  async paint(page, viewport) {
    const ratio = Math.min(devicePixelRatio || 1, Math.sqrt(PIXELS / (viewport.width * viewport.height)));
    const canvas = document.createElement("canvas");
    canvas.width = Math.floor(viewport.width * ratio);
    canvas.height = Math.floor(viewport.height * ratio);
    canvas.setAttribute("aria-hidden", "true");
    this.task = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] });
    try {
      await this.task.promise;
    } catch (error) {
      if (error.name === "RenderingCancelledException") return undefined;
      throw error;
    }
    return canvas;
  }

  async write(page, viewport) {
    this.words = document.createElement("div");
    this.words.className = "pdf-words";
    this.words.lang = this.language;
    this.element.append(this.words);
    await new TextLayer({ textContentSource: page.streamTextContent(), container: this.words, viewport }).render();
  }

  /** The words stay, for the browser's search; the picture is what takes memory. */
  release() {
    this.task?.cancel();
    this.scale = 0;
    this.canvas?.remove();
    this.canvas = null;
  }
}
