// Regions marked data-live="on" are fetched again until the server says "off". Without this the reader reloads the page.

const INTERVAL = 1500;

function moving() {
  return document.querySelectorAll("[data-live=on][id]");
}

function replace(region, fresh) {
  if (region.innerHTML !== fresh.innerHTML) {
    const focused = region.contains(document.activeElement) ? document.activeElement.id : "";
    region.replaceChildren(...fresh.childNodes);
    if (focused) document.getElementById(focused)?.focus();
  }
  for (const { name, value } of fresh.attributes) if (name.startsWith("data-")) region.setAttribute(name, value);
}

async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const region of moving()) {
    const fresh = page.getElementById(region.id);
    if (fresh) replace(region, fresh);
    else region.dataset.live = "off"; // such as the first steps, all done: they stay until the page is opened anew
  }
}

async function follow() {
  if (!document.hidden) {
    try {
      await refresh();
    } catch {
      // The server restarts or the network is away: the next round asks again.
    }
  }
  if (moving().length) setTimeout(follow, INTERVAL);
}

if (moving().length) setTimeout(follow, INTERVAL);
