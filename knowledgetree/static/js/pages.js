// Turning and enlarging the pages of a PDF where they are. Links work without this file; with it, only the picture changes,
// and an enlarged page opens at what is marked on it and can be dragged.

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
  const same = link.rel ? `a[rel=${link.rel}]` : "a[data-zoom]";
  (there.querySelector(same) ?? there.querySelector("summary")).focus({ preventScroll: true });
  there.scrollIntoView({ block: "nearest" });
  seek(there.querySelector(".page-view.is-zoomed"));
}

/** What is marked begins near the left edge, in the upper part of what is seen. */
function seek(view) {
  const mark = view?.querySelector(".page-marks rect");
  if (!mark) return;
  const at = mark.getBoundingClientRect();
  const seen = view.getBoundingClientRect();
  view.scrollBy(at.left - seen.left - seen.width / 10, at.top - seen.top - seen.height / 3);
}

seek(document.querySelector(".page-view.is-zoomed"));

// A finger scrolls it by itself.
document.addEventListener("pointerdown", (event) => {
  const view = event.target.closest(".page-view.is-zoomed");
  if (!view || event.pointerType !== "mouse" || event.button) return;
  event.preventDefault();
  view.focus({ preventScroll: true });
  view.setPointerCapture(event.pointerId);
  view.classList.add("is-moved");
  const move = ({ movementX, movementY }) => view.scrollBy(-movementX, -movementY);
  view.addEventListener("pointermove", move);
  view.addEventListener("lostpointercapture", () => {
    view.removeEventListener("pointermove", move);
    view.classList.remove("is-moved");
  }, { once: true });
});
