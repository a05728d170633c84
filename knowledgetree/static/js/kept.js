// The text of the question box survives a reload and a sign-in: it is kept for this tab, one for each conversation.

const form = document.getElementById("composer");
const box = document.getElementById("question");

/** Puts back what was typed; what the server wrote into the box counts more. */
export function listen() {
  const text = read(place());
  if (text && !box.value) box.value = text;
  box.addEventListener("input", () => keep(box.value));
  document.addEventListener("click", carry);
  document.addEventListener("submit", leave);
}

/** Where a question belongs to now: its conversation, "" for a new one. */
export function place() {
  return form.elements.conversation.value;
}

export function keep(text, where = place()) {
  stored((storage) => text ? storage.setItem(key(where), text) : storage.removeItem(key(where)));
}

/** The question has its answer; what was typed since stays. */
export function forget(question, where) {
  if (read(where)?.trim() === question) keep("", where);
}

/** Who signs in comes back to a new conversation. */
function carry(event) {
  if (event.target.closest(".account a, .nothing-to-read a") && box.value) keep(box.value, "");
}

/** Who signs out leaves nothing behind. */
function leave(event) {
  if (!event.target.action.includes("logout")) return;
  stored((storage) => Object.keys(storage).filter((name) => name.startsWith(key(""))).forEach((name) => storage.removeItem(name)));
}

function key(where) {
  return `question:${where}`;
}

function read(where) {
  return stored((storage) => storage.getItem(key(where)));
}

/** A browser may forbid to store anything. */
function stored(use) {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
