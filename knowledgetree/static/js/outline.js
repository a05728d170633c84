// The outline says which section is being read, and is folded on small screens. Its links work without this file.

const outline = document.querySelector(".outline");
const links = new Map();

for (const link of outline?.querySelectorAll("a") ?? []) {
  const heading = document.getElementById(link.hash.slice(1));
  if (heading) links.set(heading, link);
}
const headings = [...links.keys()];

function mark(heading) {
  for (const [other, link] of links) {
    if (other === heading) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  }
  const link = links.get(heading);
  if (link && outline.scrollHeight > outline.clientHeight) {
    outline.scrollTop = link.offsetTop - outline.clientHeight / 2;
  }
}

// A section is read from when its heading passes the upper third of the screen to when the next one does.
function current() {
  return headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 3) ?? headings[0];
}

if (headings.length) {
  if (matchMedia("(max-width: 75rem)").matches) outline.querySelector("details").open = false;
  let marked = null;
  const look = () => {
    const heading = current();
    if (heading !== marked) mark((marked = heading));
  };
  const observer = new IntersectionObserver(look, { rootMargin: "0px 0px -66% 0px", threshold: [0, 1] });
  for (const heading of headings) observer.observe(heading);
  look();
}
