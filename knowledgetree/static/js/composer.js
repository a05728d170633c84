// The question box: keys, height, and what is said there about a question that cannot be sent.

import * as countdown from "./countdown.js";

const form = document.getElementById("composer");
const box = document.getElementById("question");
const counter = document.getElementById("counter");
const trouble = document.getElementById("trouble");
const retry = document.getElementById("trouble-retry");
const texts = form.dataset;
const longest = box.maxLength;
const countedFrom = 0.9 * longest;
let waiting = null;

/** Calls `ask` with the question of each submission. */
export function listen(ask) {
  form.noValidate = true;
  box.removeAttribute("maxlength"); // it would cut what is pasted without a word
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { name, value } = event.submitter ?? {};
    submit(name === "insist" || name === "again" ? value : box.value, ask, name === "again");
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  box.addEventListener("input", typed);
  document.addEventListener("keydown", comeBack);
  document.addEventListener("click", edit);
  retry.addEventListener("click", () => form.requestSubmit());
  window.addEventListener("online", () => {
    if (waiting && waiting === box.value.trim()) form.requestSubmit();
  });
  count();
  grow();
}

/** What the form sends for `question`: filters, conversation and token included. */
export function submission(question, again = false) {
  const fields = new FormData(form);
  fields.set("question", question);
  if (again) fields.set("again", question);
  return fields;
}

export function clear() {
  write("");
}

/** The question did not reach the server: it is back in the box, unless another one was typed meanwhile. */
export function giveBack(question) {
  if (!box.value.trim()) write(question);
  waiting = question;
  say(navigator.onLine ? texts.unreached : texts.offline, { again: true });
  box.focus();
}

/** One question too many: it is back in the box, and can be sent after so many seconds. */
export function hold(question, seconds) {
  if (!box.value.trim()) write(question);
  quiet();
  countdown.start(seconds);
  box.focus();
}

export function running(now) {
  document.getElementById("stop").hidden = !now;
  document.getElementById("send").hidden = now;
}

function submit(text, ask, again = false) {
  const question = text.trim();
  if (countdown.counts()) return;
  if (!question) say(texts.empty);
  else if (question.length > longest) say(texts.tooLong);
  else {
    quiet();
    ask(question, again);
  }
}

/** A question that was asked, to be worded otherwise; what stood in the box goes. */
function edit(event) {
  const link = event.target.closest("a[data-edit]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  quiet();
  write(link.dataset.edit);
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}

function comeBack(event) {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  box.focus();
}

function write(text) {
  box.value = text;
  count();
  grow();
}

function typed() {
  if (box.value.trim().length <= longest) quiet();
  count();
  grow();
}

function say(text, { again = false } = {}) {
  trouble.querySelector("p").textContent = text;
  trouble.hidden = false;
  retry.hidden = !again;
  box.focus();
}

function quiet() {
  trouble.hidden = true;
  waiting = null;
}

function count() {
  const length = box.value.trim().length;
  counter.hidden = length < countedFrom;
  counter.textContent = `${length} / ${longest}`;
  counter.classList.toggle("is-over", length > longest);
}

function grow() {
  if (CSS.supports("field-sizing", "content")) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}
