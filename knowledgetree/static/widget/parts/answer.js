// What stands below an answer: how sure it is, where sources differ, the sources, the nearest places.

import { element, outside } from "./elements.js";

const LONGEST_QUOTE = 280; // characters
const LONGEST_HEADING = 70;

/** The citation as a number in the text; `citation` is undefined until it has come. */
export function chipOf(number, citation, texts) {
  if (!citation) return element("span", { className: "chip" }, number);
  return outside(citation.url, { className: "chip", title: citation.title, "aria-label": texts.source(number, citation.title) }, number);
}

export function assuranceOf(assurance) {
  const summary = element("summary", {}, assurance.words);
  return element("details", { className: `assurance is-${assurance.level}` }, summary, element("p", {}, assurance.meaning));
}

export function contradictionsOf(contradictions, texts) {
  const said = ({ value, title }) => [element("q", {}, value), ` (${title})`];
  const items = contradictions.map(({ subject, first, second }) =>
    element("li", {}, subject && element("b", {}, `${subject}: `), said(first), `, ${texts.but} `, said(second)));
  return element("section", { className: "warning" }, element("h3", {}, texts.differ), element("ul", {}, items));
}

export function sourcesOf(citations, texts) {
  const items = citations.map((citation) => element("li", {},
    outside(citation.url, {}, `${citation.number}. ${citation.title}`, element("span", { className: "hidden" }, ` ${texts.newTab}`)),
    element("p", { className: "place" }, placeOf(citation, texts)),
    element("blockquote", {}, shortened(citation.quote, LONGEST_QUOTE))));
  const summary = element("summary", {}, `${texts.sources} (${citations.length})`);
  return element("details", {}, summary, element("ol", { className: "sources" }, items));
}

export function sectionsOf(sections, texts) {
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
