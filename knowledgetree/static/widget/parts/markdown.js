// The Markdown of answers as nodes: paragraphs, lists, tables, emphasis, code. Links and HTML are shown as their text.

import { element } from "./elements.js";

const ITEM = /^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$/;
const RULE = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;
const INLINE = /\[(\d{1,3})\]|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|`([^`]+)`|!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)|\\([\\`*_{}[\]()#+.!|-])/;

/** Nodes of `text`; `chip` makes that of a citation from its number. */
export function nodesOf(text, chip) {
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
