// Shows how far the synchronisation of this source is, and its report once it ended.

const INTERVAL = 1500;
const cell = document.querySelector("[data-job]");

async function follow() {
  const address = new URL(cell.dataset.url, location.href);
  address.searchParams.set("id", cell.dataset.job);
  let settled = false;
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" } });
    if (response.status === 403) return;
    const state = await response.json();
    const html = state.rows[cell.dataset.job]?.progress;
    if (html && cell.innerHTML !== html) cell.innerHTML = html; // escaped by the server's templates
    settled = state.settled;
  } catch {
    // The server restarts or the network is away: the next round asks again.
  }
  if (!settled) setTimeout(follow, INTERVAL);
  else if (!document.querySelector("form.kt-changed")) location.reload();
}

if (cell) {
  for (const form of document.forms) form.addEventListener("input", () => form.classList.add("kt-changed"));
  setTimeout(follow, INTERVAL);
}
