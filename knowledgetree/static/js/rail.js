// The list of conversations and the head of the one that is open: found while typing, renamed in place, deleted after
// a question, renewed after each answer. Without this file all of it is links and forms.

const search = document.getElementById("rail-search");
const status = document.getElementById("rail-status");
const dialog = document.getElementById("delete-dialog");
const PAUSE = 250;  // milliseconds after the last key
let loading = null;
let timer = 0;

export function listen() {
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, PAUSE);
  });
  search.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    find();
  });
  document.addEventListener("kt:saved", ({ detail }) => renew(query(), detail.conversation));
  document.addEventListener("click", click);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeMenus(true);
  });
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  showButtons();
}

function click(event) {
  const link = event.target.closest("a[data-rename], a[data-delete], a[data-rail-page], button[data-copy-address]");
  if (!event.target.closest("details.menu")) closeMenus(false);
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (link.dataset.copyAddress !== undefined) copyAddress(link);
  else if (link.dataset.rename !== undefined) rename(link);
  else if (link.dataset.delete !== undefined) askBeforeDeleting(link);
  else turn(link);
}

const query = (page = "") => new URLSearchParams({ find: search.elements.find.value.trim(), page });
const open = () => document.getElementById("composer").elements.conversation.value;

async function find() {
  if (!await renew(query())) return;
  const found = document.querySelectorAll("#conversations .row").length;
  if (!search.elements.find.value.trim()) status.textContent = "";
  else status.textContent = found ? `${status.dataset.some} ${found}` : status.dataset.none;
}

async function turn(link) {
  if (!await renew(query(new URL(link.href).searchParams.get("page")))) return;
  document.getElementById("conversations").scrollTop = 0;
  document.querySelector("#conversations a")?.focus();
}

/** The list as the server has it now; whether it came. */
async function renew(parameters, current = open()) {
  loading?.abort();
  const mine = loading = new AbortController();
  parameters.set("current", current);
  try {
    const response = await fetch(`${search.dataset.address}?${parameters}`, { signal: mine.signal });
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    replace("conversations", page);
    replace("conversation-head", page);
    const title = document.querySelector("#conversation-head h1");
    if (title) document.title = `${title.textContent} · KnowledgeTree`;
    showButtons();
    return true;
  } catch (error) {
    if (error.name !== "AbortError") status.textContent = status.dataset.failed;
    return false;
  }
}

/** Not while the reader is in it: a name that is being typed must stay. */
function replace(id, page) {
  const [before, after] = [document.getElementById(id), page.getElementById(id)];
  if (before.contains(document.activeElement) && before.querySelector("form.rename, details[open]")) return;
  const place = before.scrollTop;
  before.replaceWith(after);
  after.scrollTop = place;
}

function rename(link) {
  const row = link.closest(".row");
  const form = document.getElementById("rename-form").content.firstElementChild.cloneNode(true);
  const field = form.elements.title;
  field.value = link.dataset.rename;
  row.querySelector("details").open = false;
  row.classList.add("is-renaming");
  row.append(form);
  field.select();
  const cancel = () => {
    form.remove();
    row.classList.remove("is-renaming");
    row.querySelector("summary").focus();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(form, link).catch(() => location.assign(link.href));
  });
}

async function save(form, link) {
  const body = new FormData(form);
  body.set("fragment", "1");
  const response = await fetch(new URL(link.href).pathname, { method: "POST", body });
  if (response.status !== 204) throw new Error(String(response.status));
  const row = form.closest(".row").dataset.row;
  form.remove();
  await renew(query());
  document.querySelector(`[data-row="${row}"] a`)?.focus();
}

function askBeforeDeleting(link) {
  const menu = link.closest("details");
  menu.open = false;
  menu.querySelector("summary").focus();  // where the dialog gives it back to
  const form = dialog.querySelector("form");
  form.action = new URL(link.href).pathname;
  form.elements.next.value = location.pathname;
  dialog.querySelector(".dialog-subject").textContent = link.dataset.delete;
  dialog.showModal();
}

function closeMenus(giveBack) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    const inside = menu.contains(document.activeElement);
    menu.open = false;
    if (giveBack && inside) menu.querySelector("summary").focus();
  }
}

/** Buttons that need JavaScript are hidden in the markup. */
function showButtons() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy-address]")) button.hidden = false;
}

async function copyAddress(button) {
  await navigator.clipboard.writeText(document.getElementById("share-address").value);
  button.textContent = document.getElementById("composer").dataset.copied;
}
