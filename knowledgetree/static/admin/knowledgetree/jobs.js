// Refreshes the cells of the jobs on this page while any of them can still change.

const INTERVAL = 2000;
const source = document.getElementById("job-progress");

function rowsByJob() {
  const rows = new Map();
  for (const box of document.querySelectorAll("#result_list input.action-select")) {
    rows.set(box.value, box.closest("tr"));
  }
  return rows;
}

async function refresh(rows) {
  const address = new URL(source.dataset.url, location.href);
  for (const id of rows.keys()) address.searchParams.append("id", id);
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { rows: cells, settled } = await response.json();
  for (const [id, columns] of Object.entries(cells)) {
    for (const [name, html] of Object.entries(columns)) {
      const cell = rows.get(id)?.querySelector(`.field-${name}`);
      if (cell && cell.innerHTML !== html) cell.innerHTML = html; // escaped by the server's templates
    }
  }
  return settled;
}

async function follow() {
  const rows = rowsByJob();
  if (!rows.size) return;
  let settled = false;
  if (!document.hidden) {
    try {
      settled = await refresh(rows);
    } catch {
      // The server restarts or the network is away: the next round asks again.
    }
  }
  if (!settled) setTimeout(follow, INTERVAL);
}

if (source) follow();
