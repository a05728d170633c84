// A cited source beside the answer. Links work without this file; with it, a plain click stays on the page.

const panel = document.getElementById("panel");
const body = document.getElementById("panel-body");
const openLink = document.getElementById("panel-open");
let opener = null;
let loading = null;

export function listen() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-source]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(link);
  });
  document.getElementById("panel-close").addEventListener("click", close);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) close();
  });
}

async function open(link) {
  loading?.abort();
  loading = new AbortController();
  const address = new URL(link.href);
  address.searchParams.set("fragment", "1");
  address.hash = "";
  try {
    const response = await fetch(address, { signal: loading.signal });
    if (!response.ok) throw new Error(String(response.status));
    body.innerHTML = await response.text();
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href);
    return;
  }
  show(link);
}

function show(link) {
  opener?.removeAttribute("aria-expanded");
  opener = link;
  opener.setAttribute("aria-expanded", "true");
  openLink.href = link.href;
  panel.hidden = false;
  document.body.classList.add("has-panel");
  panel.focus({ preventScroll: true });
  const mark = body.querySelector("#cytat");
  body.scrollTop = mark ? mark.getBoundingClientRect().top - body.getBoundingClientRect().top + body.scrollTop - body.clientHeight * 0.3 : 0;
}

function close() {
  panel.hidden = true;
  document.body.classList.remove("has-panel");
  opener?.removeAttribute("aria-expanded");
  opener?.focus();
  opener = null;
}
