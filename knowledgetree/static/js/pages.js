// Turning the pages of a PDF where they are. Links work without this file; with it, only the picture changes.

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-page]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  turn(link);
});

async function turn(link) {
  const address = new URL(link.href);
  address.searchParams.set("fragment", "1");
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(String(response.status));
    const there = new DOMParser().parseFromString(await response.text(), "text/html").querySelector(".page-picture");
    show(there, link);
  } catch {
    location.assign(link.href);
  }
}

/** Focus stays on the link in the same direction, which names the next page; at the end it goes to the page's own. */
function show(there, link) {
  link.closest(".page-picture").replaceWith(there);
  (there.querySelector(`a[rel=${link.rel}]`) ?? there.querySelector("summary")).focus({ preventScroll: true });
  there.scrollIntoView({ block: "nearest" });
}
