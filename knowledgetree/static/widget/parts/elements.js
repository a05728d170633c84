// Elements without HTML: a host page may require trusted types, and nothing of an answer is ever markup.

/** An element with properties, attributes (`aria-…`, `data-…`, and those that have no property) and children. */
export function element(name, properties = {}, ...children) {
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

export function icon(name) {
  const SVG = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 20 20");
  picture.setAttribute("aria-hidden", "true");
  picture.append(document.createElementNS(SVG, "path"));
  picture.firstChild.setAttribute("d", ICONS[name]);
  return picture;
}

/** A link to another page, which learns nothing of this one; plain text where there is none to open. */
export function outside(href, properties, ...children) {
  if (!href) return element("span", properties, ...children);
  return element("a", { ...properties, href, target: "_blank", rel: "noopener noreferrer" }, ...children);
}
