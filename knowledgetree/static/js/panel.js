// A cited source beside the answer. Links work without this file; with it, a plain click stays on the page.
// An open panel is a step of the history, so that "back" closes it, which is what people on a phone do.

const panel = document.getElementById("panel");
const body = document.getElementById("panel-body");
const openLink = document.getElementById("panel-open");
const steps = new Map([[-1, document.getElementById("panel-previous")], [1, document.getElementById("panel-next")]]);
let exchange = null;  // whose sources are stepped through; its answer may be written anew meanwhile
let opener = null;  // the link that focus returns to
let shown = "";  // the address of what is shown
let loading = null;

export function listen() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-source]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(link);
  });
  document.getElementById("panel-close").addEventListener("click", leave);
  window.addEventListener("popstate", follow);
  for (const [by, button] of steps) button.addEventListener("click", () => step(by));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) leave();
  });
  document.addEventListener("kt:shown", ({ target }) => { if (target === exchange) count(); });
}

async function open(link) {
  if (!(await load(link))) return;
  collapse();
  opener = link;
  exchange = link.closest(".exchange");
  if (panel.hidden) history.pushState({ panel: link.href }, "");
  else history.replaceState({ panel: link.href }, "");
  show(link);
  panel.focus({ preventScroll: true });
}

/** At once: a step back may be late, or fall into one that is still under way. */
function leave() {
  close();
  if (history.state?.panel) history.back();
}

/** Back closes the panel, forward opens it again. */
function follow({ state }) {
  if (!state?.panel) {
    if (!panel.hidden) close();
  } else if (panel.hidden) {
    const link = [...document.querySelectorAll("a[data-source]")].find(({ href }) => href === state.panel);
    if (link) reopen(link);
  }
}

async function reopen(link) {
  if (!(await load(link))) return;
  exchange = link.closest(".exchange");
  show(link);
}

/** Focus stays on the button; what is shown now is said aloud. */
async function step(by) {
  const links = siblings();
  const next = links[links.findIndex(isShown) + by];
  if (!next || !(await load(next))) return;
  collapse();
  history.replaceState({ panel: next.href }, "");
  show(next);
  const parts = ["panel-count", "panel-place"].map((id) => document.getElementById(id).textContent);
  document.getElementById("panel-said").textContent = [next.textContent, ...parts].filter(Boolean).join(", ");
}

async function load(link) {
  loading?.abort();
  loading = new AbortController();
  const address = new URL(link.href);
  address.searchParams.set("fragment", "1");
  const asked = link.closest(".exchange")?.id;  // its question's words are marked
  if (asked) address.searchParams.set("exchange", asked);
  address.hash = "";
  try {
    const response = await fetch(address, { signal: loading.signal });
    if (!response.ok) throw new Error(String(response.status));
    body.innerHTML = await response.text();
    return true;
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href);
    return false;
  }
}

function show(link) {
  shown = link.href;
  openLink.href = link.href;
  panel.hidden = false;
  document.body.classList.add("has-panel");
  document.getElementById("panel-place").textContent = body.querySelector("[data-place]")?.textContent ?? "";
  count();
  const mark = body.querySelector("#cytat");
  body.scrollTop = mark ? mark.getBoundingClientRect().top - body.getBoundingClientRect().top + body.scrollTop - body.clientHeight * 0.3 : 0;
}

/** Focus goes before the panel does, or it would fall back to the page between. */
function close() {
  const back = opener?.isConnected ? opener : siblings().find(isShown);
  collapse();
  back?.focus();
  panel.hidden = true;
  document.body.classList.remove("has-panel");
}

/** Which of how many is shown, and which links stand for it. */
function count() {
  const links = siblings();
  const at = links.findIndex(isShown);
  const label = document.getElementById("panel-count");
  label.textContent = links.length > 1 ? label.dataset.of.replace("{n}", at + 1).replace("{total}", links.length) : "";
  // Not `disabled`, which would take the focus away from the button at the last step.
  for (const [by, button] of steps) {
    button.hidden = links.length < 2;
    button.setAttribute("aria-disabled", String(!links[at + by]));
  }
  for (const link of sources().filter(isShown)) link.setAttribute("aria-expanded", "true");
}

function collapse() {
  for (const link of sources()) link.removeAttribute("aria-expanded");
}

function isShown(link) {
  return link.href === shown;
}

/** The sources of the answer by their numbers, each address once; of one that is still being written, its chips. */
function siblings() {
  const cards = sources().filter((link) => link.closest(".source"))
    .sort((one, other) => numberOf(one) - numberOf(other)); // those of one document stand together
  return [...new Map((cards.length ? cards : sources()).map((link) => [link.href, link])).values()];
}

function numberOf(link) {
  return Number(link.closest(".source").dataset.number) || Number.MAX_SAFE_INTEGER;
}

function sources() {
  return [...(exchange ?? document).querySelectorAll("a[data-source]")];
}
