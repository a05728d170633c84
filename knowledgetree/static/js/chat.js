// The chat page: asks, keeps address and list of conversations true. What an exchange tells it: exchange.js.

import * as composer from "./composer.js";
import * as copying from "./copying.js";
import { Exchange } from "./exchange.js";
import * as panel from "./panel.js";

const form = document.getElementById("composer");
let running = null;

composer.listen(ask);
copying.listen();
panel.listen();
document.getElementById("stop").addEventListener("click", stop);
document.addEventListener("kt:saved", saved);
document.addEventListener("kt:again", again);

async function ask(question) {
  if (running) return;
  running = new AbortController();
  composer.running(true);
  leaveWelcome();
  const exchange = new Exchange(question);
  const body = composer.submission(question);
  composer.clear();
  await exchange.answer(body, running.signal);
  composer.running(false);
  running = null;
}

function stop() {
  running?.abort();
}

function again(event) {
  if (running) return;
  event.target.remove();
  ask(event.detail.question);
}

function leaveWelcome() {
  document.body.classList.remove("is-empty");
  document.querySelector(".welcome")?.remove();
  document.querySelector(".examples")?.remove();
}

function saved({ detail: { conversation, question } }) {
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
  document.getElementById("question").placeholder = form.dataset.followUp;
}
