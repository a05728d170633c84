// The chat page: asks, shows the answer as it comes, keeps address and list of conversations true.

import * as composer from "./composer.js";
import { Draft } from "./draft.js";
import { eventsOf } from "./events.js";
import * as panel from "./panel.js";

const form = document.getElementById("composer");
const texts = form.dataset;
let running = null;

composer.listen(ask);
panel.listen();
document.getElementById("stop").addEventListener("click", () => running?.abort());
document.addEventListener("click", copy);
showButtons(document);

async function ask(question) {
  if (running) return;
  running = new AbortController();
  composer.running(true);
  const exchange = begin(question);
  const area = exchange.querySelector(".answer-area");
  const body = composer.submission(question);
  composer.clear();
  try {
    const ended = await follow(body, exchange, question);
    if (!ended) fail(area, texts.lost, question);
  } catch (error) {
    if (error.name === "AbortError") area.append(paragraph("stopped", texts.stopped), retryButton(question));
    else fail(area, texts.lost, question);
  }
  area.querySelector(".progress")?.remove();
  area.setAttribute("aria-busy", "false");
  exchange.classList.remove("is-running");
  composer.running(false);
  running = null;
}

async function follow(body, exchange, question) {
  const area = exchange.querySelector(".answer-area");
  const draft = new Draft(area.querySelector(".draft"));
  const response = await fetch(texts.stream, { method: "POST", body, signal: running.signal });
  // A refusal (429) comes as events too, and says why.
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) throw new Error(String(response.status));
  let ended = false;
  for await (const { name, fields } of eventsOf(response)) {
    if (name === "step") showStep(area.querySelector(".live-steps"), fields);
    else if (name === "retrieved") area.querySelector(".progress").innerHTML = fields.html;
    else if (name === "revised") draft.clear();
    else if (name === "delta") draft.add(fields.text);
    else if (name === "citation") draft.cite(fields.citation);
    else if (name === "saved") saved(exchange, fields, question);
    else if (name === "completed") {
      area.innerHTML = fields.html;
      showButtons(area);
      ended = true;
    } else if (name === "failed") {
      if (!ended) area.replaceChildren();  // an answer that only could not be saved stays
      fail(area, fields.message, question, fields.html);
      ended = true;
    }
  }
  return ended;
}

function showStep(list, { step, html }) {
  if (!list) return;
  const before = list.querySelector(`[data-step="${step.number}"]`);
  if (before) before.outerHTML = html;
  else list.insertAdjacentHTML("beforeend", html);
}

function begin(question) {
  document.body.classList.remove("is-empty");
  document.querySelector(".welcome")?.remove();
  document.querySelector(".examples")?.remove();
  const exchange = document.getElementById("new-exchange").content.firstElementChild.cloneNode(true);
  exchange.querySelector(".question").textContent = question;
  document.getElementById("exchanges").append(exchange);
  exchange.scrollIntoView({ block: "start" });
  return exchange;
}

function saved(exchange, { conversation_id: conversation, exchange_id: id }, question) {
  exchange.id = id;
  if (form.elements.conversation.value === conversation) return;
  form.elements.conversation.value = conversation;
  const address = `/c/${conversation}/`;
  history.replaceState(null, "", address);
  const link = document.createElement("a");
  Object.assign(link, { href: address, textContent: question, title: question });
  link.setAttribute("aria-current", "page");
  const item = document.createElement("li");
  item.append(link);
  document.getElementById("conversations").prepend(item);
  document.querySelector(".rail-empty").hidden = true;
  document.getElementById("question").placeholder = texts.followUp;
}

function fail(area, message, question, html = "") {
  const box = paragraph("failure", message);
  box.setAttribute("role", "alert");
  if (html) area.insertAdjacentHTML("beforeend", html);
  else area.append(box);
  area.append(retryButton(question));
}

function retryButton(question) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet", textContent: texts.retry });
  button.addEventListener("click", () => {
    if (running) return;
    button.closest(".exchange").remove();
    ask(question);
  });
  return button;
}

function paragraph(className, text) {
  return Object.assign(document.createElement("p"), { className, textContent: text });
}

/** Buttons that need JavaScript are hidden in the markup. */
function showButtons(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
}

async function copy(event) {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const answer = button.closest(".answer-area").querySelector("[data-answer]").cloneNode(true);
  for (const chip of answer.querySelectorAll(".chip")) chip.textContent = `[${chip.textContent}]`;
  answer.className = "visually-hidden prose";
  document.body.append(answer);
  const text = answer.innerText;
  answer.remove();
  await navigator.clipboard.writeText(text.trim());
  const label = button.querySelector("span");
  const before = label.textContent;
  label.textContent = texts.copied;
  setTimeout(() => { label.textContent = before; }, 1600);
}
