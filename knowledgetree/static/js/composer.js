// The question box: keys, height, count of filters.

const form = document.getElementById("composer");
const box = document.getElementById("question");

/** Calls `ask` with the question of each submission. */
export function listen(ask) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = (event.submitter?.name === "question" ? event.submitter.value : box.value).trim();
    if (question) ask(question);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  box.addEventListener("input", grow);
  form.addEventListener("change", countFilters);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    box.focus();
  });
  grow();
  countFilters();
}

/** What the form sends for `question`: filters, conversation and token included. */
export function submission(question) {
  const fields = new FormData(form);
  fields.set("question", question);
  return fields;
}

export function clear() {
  box.value = "";
  grow();
}

export function running(now) {
  document.getElementById("stop").hidden = !now;
  document.getElementById("send").hidden = now;
}

function grow() {
  if (CSS.supports("field-sizing", "content")) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}

function countFilters() {
  const chosen = form.querySelectorAll(".filters input:checked").length;
  document.getElementById("filter-count").textContent = chosen ? ` (${chosen})` : "";
}
