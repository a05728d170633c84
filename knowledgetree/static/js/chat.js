// The chat page: asks, keeps address and list of conversations true. What an exchange tells it: exchange.js.

import * as cards from "./cards.js";
import * as composer from "./composer.js";
import * as copying from "./copying.js";
import { Exchange } from "./exchange.js";
import * as feedback from "./feedback.js";
import * as filters from "./filters.js";
import * as kept from "./kept.js";
import * as panel from "./panel.js";
import * as rail from "./rail.js";

const form = document.getElementById("composer");
let running = null;
let page = location.pathname; // what the document shows; "back" changes the address alone

kept.listen();
composer.listen(ask);
filters.listen();
copying.listen();
feedback.listen();
panel.listen();
rail.listen();
cards.listen();
document.getElementById("stop").addEventListener("click", stop);
document.addEventListener("keydown", stopWithEscape, { capture: true }); // before the panel: it closes first
document.addEventListener("kt:saved", saved);
document.addEventListener("kt:again", again);
window.addEventListener("popstate", goBack);

/** One question at a time: what is being answered is stopped where another is asked. */
async function ask(question, again = false) {
  while (running) {
    if (running.question === question && !running.exchange.ended) return; // clicked twice
    stop();
    await running.over;
  }
  running = { question, again, aborter: new AbortController() };
  running.over = answered(running).finally(() => { running = null; });
}

async function answered(asked) {
  const { question, again, aborter } = asked;
  const wasEmpty = document.body.classList.contains("is-empty");
  const askedIn = kept.place();
  composer.running(true);
  document.body.classList.remove("is-empty");
  const exchange = asked.exchange = new Exchange(question);
  const body = composer.submission(question, again);
  composer.clear();
  kept.keep(question, askedIn);
  const outcome = await exchange.answer(body, aborter.signal);
  composer.running(false);
  if (outcome === "unreached") takeBack(exchange, wasEmpty, () => composer.giveBack(question));
  else if (outcome === "throttled") takeBack(exchange, wasEmpty, () => composer.hold(question, exchange.wait));
  else if (outcome === "forbidden") kept.keep(question, ""); // a new session may not know the conversation
  else kept.forget(question, askedIn);
  if (outcome === "answered" && askedIn && kept.place() !== askedIn) exchange.moved();
}

/** Nothing was asked: the page is as it was before. */
function takeBack(exchange, wasEmpty, giveBack) {
  exchange.element.remove();
  document.body.classList.toggle("is-empty", wasEmpty);
  giveBack();
}

/** An answer that has come is only being saved: it belongs to the conversation. */
function stop() {
  if (running && !running.exchange.ended) running.aborter.abort();
}

function stopWithEscape(event) {
  if (event.key === "Escape" && document.getElementById("panel").hidden) stop();
}

function again(event) {
  event.target.remove();
  ask(event.detail.question);
}

function saved({ detail: { conversation } }) {
  if (form.elements.conversation.value === conversation) return;
  form.elements.conversation.value = conversation;
  history.pushState(null, "", `/c/${conversation}/${filters.query()}`);
  page = location.pathname;
  document.getElementById("question").placeholder = form.dataset.followUp;
}

/** The empty page before a question, the conversation after it: the server has both. */
function goBack() {
  if (location.pathname !== page) location.reload();
}
