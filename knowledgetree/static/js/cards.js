// A card with the source of a citation chip, on hover and keyboard focus. On touch screens a tap opens the panel at once.

const SHOW_AFTER = 200;  // ms: a pointer on its way across the text opens nothing
const HIDE_AFTER = 250;  // ms: time to reach the card itself
const MARGIN = 12;
const CHIP = ".answer-area .chip";

const card = document.createElement("div");
const drafted = new WeakMap();  // the sources of an answer that is still being written, by answer area
let chip = null;
let timer = 0;

export function listen() {
  Object.assign(card, { id: "source-card", className: "source-card", hidden: true });
  card.setAttribute("role", "tooltip");
  document.body.append(card);
  document.addEventListener("kt:cited", keep);
  document.addEventListener("kt:shown", hide);
  document.addEventListener("pointerover", hover);
  document.documentElement.addEventListener("pointerleave", () => later(HIDE_AFTER, hide));
  document.addEventListener("focusin", focused);
  document.addEventListener("focusout", ({ target }) => { if (target === chip) hide(); });
  document.addEventListener("click", ({ target }) => { if (target.closest(CHIP)) hide(); });
  document.addEventListener("scroll", ({ target }) => { if (!card.contains(target)) hide(); }, { capture: true, passive: true });
  // Before the panel hears it: the first Escape puts away the card alone.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || card.hidden) return;
    event.stopImmediatePropagation();
    hide();
  }, { capture: true });
}

function keep({ target, detail: { number, html } }) {
  const area = target.querySelector(".answer-area");
  const holder = document.createElement("template");
  holder.innerHTML = html;
  drafted.set(area, (drafted.get(area) ?? new Map()).set(String(number), holder.content.querySelector(".source")));
}

function hover({ target, pointerType }) {
  if (pointerType === "touch") return;
  const over = target.closest(CHIP);
  if (over) later(chip ? 0 : SHOW_AFTER, () => show(over));
  else if (card.contains(target)) clearTimeout(timer);
  else if (chip && document.activeElement !== chip) later(HIDE_AFTER, hide);
  else if (!chip) clearTimeout(timer);
}

/** Focus that comes back from the panel shows nothing: its reader has just seen the source. */
function focused({ target, relatedTarget }) {
  if (target.matches(`${CHIP}:focus-visible`) && !relatedTarget?.closest("#panel")) show(target);
}

function later(milliseconds, act) {
  clearTimeout(timer);
  timer = setTimeout(act, milliseconds);
}

function show(next) {
  clearTimeout(timer);
  if (next === chip || !next.isConnected) return;
  hide();
  const source = sourceOf(next);
  if (!source) return;
  chip = next;
  if (chip.title && !chip.ariaLabel) chip.ariaLabel = `${chip.textContent}: ${chip.title}`;
  chip.removeAttribute("title");  // the browser would show it above the card
  chip.setAttribute("aria-describedby", card.id);
  card.replaceChildren(...content(source));
  card.hidden = false;
  place();
}

function hide() {
  clearTimeout(timer);
  chip?.removeAttribute("aria-describedby");
  chip = null;
  card.hidden = true;
}

function sourceOf(of) {
  const area = of.closest(".answer-area");
  const number = of.textContent.trim();
  return area.querySelector(`.source[data-number="${CSS.escape(number)}"]`) ?? drafted.get(area)?.get(number);
}

function content(source) {
  const title = Object.assign(document.createElement("p"), { className: "source-card-title" });
  const link = source.querySelector(".source-link").textContent.trim();
  title.textContent = [source.dataset.title, link].filter(Boolean).join(" › "); // of several passages the link names the section
  return [title, ...[".source-place", "blockquote"].map((part) => source.querySelector(part).cloneNode(true))];
}

/** Under the chip where there is room, else above it; never past an edge of the window. */
function place() {
  const at = chip.getClientRects()[0];
  const { width, height } = card.getBoundingClientRect();
  const left = Math.min(at.left - MARGIN, document.documentElement.clientWidth - width - MARGIN);
  const below = at.bottom + MARGIN / 2;
  const top = below + height + MARGIN <= innerHeight ? below : at.top - height - MARGIN / 2;
  card.style.left = `${Math.max(MARGIN, left)}px`;
  card.style.top = `${Math.max(MARGIN, top)}px`;
}
