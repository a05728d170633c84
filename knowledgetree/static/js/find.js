// Moving between the hits inside a document: n and p, the arrows beside the count, and Enter in the box while its words
// are those that were found. Links do the same without this file; hits in other parts of a long text are always links.

const box = document.getElementById("find-words");
const count = document.getElementById("find-count");
const next = document.getElementById("find-next");
const previous = document.getElementById("find-previous");
const marks = [...document.querySelectorAll("mark.found[id]")];
const number = (mark) => Number(mark.id.split("-").at(-1));
const found = box?.value ?? "";
const asked = /^#trafienie-\d+$/.test(location.hash) ? document.querySelector(location.hash) : null;
let at = asked ? marks.indexOf(asked) : -1;

function show(index) {
  at = index;
  const mark = marks[index];
  for (const other of document.querySelectorAll("mark.found[aria-current]")) other.removeAttribute("aria-current");
  mark.setAttribute("aria-current", "true");
  for (const link of document.querySelectorAll(".find-hit")) {
    if (Number(link.dataset.hit) === number(mark)) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  point(next, number(mark) % total() + 1);
  point(previous, number(mark) - 1 || total());
  count.textContent = count.dataset.of.replace("{number}", number(mark)).replace("{total}", total());
}

const total = () => Number(count.dataset.total);

function point(link, hit) {
  if (!link) return;
  const address = new URL(link.href);
  address.searchParams.set("hit", hit);
  address.hash = `trafienie-${hit}`;
  link.href = address.href;
}

function go(index) {
  show(index);
  history.replaceState(null, "", `#${marks[index].id}`);
  marks[index].scrollIntoView({ block: "center" });
}

function move(step) {
  const index = at + step;
  if (index >= 0 && index < marks.length) return go(index);
  if (marks.length === total()) return go(index < 0 ? marks.length - 1 : 0);
  location.assign((step > 0 ? next : previous).href);
}

if (marks.length && count) {
  if (at >= 0) show(at);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (event.key === "n" || event.key === "p") {
      event.preventDefault();
      move(event.key === "n" ? 1 : -1);
    }
  });
  box.form.addEventListener("submit", (event) => {
    if (box.value.trim() !== found) return;
    event.preventDefault();
    move(1);
  });
  for (const [link, step] of [[next, 1], [previous, -1]]) {
    link?.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      move(step);
    });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".find-hit");
    const index = link ? marks.findIndex((mark) => number(mark) === Number(link.dataset.hit)) : -1;
    if (index < 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(index);
  });
}
