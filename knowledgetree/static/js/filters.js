// What the search is narrowed to: chips above the box, their number, and the address, so that a reload keeps them.

const form = document.getElementById("composer");
const filters = form.querySelector(".filters");
const list = document.getElementById("filter-chips");
const count = document.getElementById("filter-count");
const days = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });

export function listen() {
  filters.addEventListener("change", show);
  form.elements.assistant?.addEventListener("change", hint);
  document.addEventListener("click", closeFromOutside);
  document.addEventListener("keydown", closeWithEscape);
  document.addEventListener("kt:shown", offerAll);
  chips();
}

/** The chosen filters as the query of an address, with its question mark; "" where there are none. */
export function query() {
  const fields = new URLSearchParams(chosen().map(({ field, value }) => [field.name, value]));
  return fields.size ? `?${fields}` : "";
}

function show() {
  chips();
  history.replaceState(history.state, "", location.pathname + query() + location.hash);
}

/** Each chosen value with its words. */
function chosen() {
  return [...filters.querySelectorAll("[name]")].flatMap((field) => {
    if (field.type === "checkbox") return field.checked ? [{ field, value: field.value, label: field.dataset.chip }] : [];
    if (!field.value) return [];
    const label = field.type === "date"
      ? `${field.dataset.chip}: ${days.format(new Date(field.value))}`
      : field.selectedOptions[0].dataset.chip;
    return [{ field, value: field.value, label }];
  });
}

function chips() {
  const all = chosen();
  list.replaceChildren(...all.map(chip));
  list.hidden = !all.length;
  count.textContent = all.length ? ` (${all.length})` : "";
}

function chip({ field, label }) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "filter-chip", textContent: `${label} ` });
  button.setAttribute("aria-label", `${list.dataset.remove}: ${label}`);
  const sign = Object.assign(document.createElement("span"), { textContent: "×", ariaHidden: "true" });
  button.append(sign);
  button.addEventListener("click", () => remove(field));
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function empty(field) {
  if (field.type === "checkbox") field.checked = false;
  else field.value = "";
}

function remove(field) {
  empty(field);
  show();
  (list.querySelector("button") ?? filters.querySelector("summary")).focus();
}

/** Nothing found in a part of the documents is no word about the others. */
function offerAll({ target: exchange }) {
  const notFound = exchange.querySelector(".not-found");
  if (!notFound || !chosen().length) return;
  const offer = document.getElementById("states").content.querySelector("[data-state=narrowed]").cloneNode(true);
  const button = offer.querySelector("button");
  button.value = exchange.querySelector(".question").textContent;
  button.addEventListener("click", removeAll); // and then it sends the form
  notFound.after(offer);
}

function removeAll() {
  for (const { field } of chosen()) empty(field);
  show();
}

function hint({ target }) {
  const { hint: words, suggestions } = target.selectedOptions[0].dataset;
  document.getElementById("assistant-hint").textContent = words;
  offer(suggestions || target.options[0].dataset.suggestions);
}

/** Questions to begin with, one a line: those of the assistant, or what the documents offer. */
function offer(lines) {
  const [first, ...others] = form.querySelectorAll(".examples button");
  if (!first || !lines) return;
  const buttons = lines.split("\n").map((question) => {
    const button = first.cloneNode();
    button.value = button.textContent = question;
    return button;
  });
  others.forEach((button) => button.remove());
  first.replaceWith(...buttons);
}

function closeFromOutside(event) {
  if (filters.open && !form.contains(event.target)) filters.open = false;
}

function closeWithEscape(event) {
  if (event.key !== "Escape" || !filters.open || !filters.contains(document.activeElement)) return;
  filters.open = false;
  filters.querySelector("summary").focus();
}
