// A PDF as it looks. Pages are drawn as they come into sight; the file is fetched in the parts that they need.

import { GlobalWorkerOptions, getDocument, VerbosityLevel } from "../../vendor/pdfjs/pdf.min.mjs";
import { Sheet } from "./sheets.js";

const LIBRARY = new URL("../../vendor/pdfjs/", import.meta.url);
const PART = 2 ** 20;  // bytes of one request; each is a download of its own in the audit log
const LARGEST_IMAGE = 60_000_000;  // pixels, as when a file is read
const MOST = 10_000;  // pages: a file may claim any number
const KEPT = 12;  // pictures of pages that are out of sight
const ACTUAL = 96 / 72;  // pixels in a point at 100 %
const [SMALLEST, LARGEST, STEP] = [0.25 * ACTUAL, 5 * ACTUAL, 1.2];
const COMFORTABLE = 1.25 * ACTUAL;

const column = document.getElementById("main");
const message = document.getElementById("pdf-message");
const said = document.getElementById("pdf-said");
const field = document.getElementById("pdf-number");
const [previous, next, smaller, larger, fit, toMark] =
  ["previous", "next", "smaller", "larger", "fit", "cited"].map((name) => document.getElementById(`pdf-${name}`));
const { file, language, label, of: ofTotal, failed } = column.dataset;

const sheets = [];
const near = new Set();  // in sight or nearly
let pdf = null;
let scale = 0;
let fitting = "comfortably";  // or "width", or "" where the reader chose a size
let current = 1;
let asked = null;  // where the column stood when a page was asked for: that page is current, however short it is

GlobalWorkerOptions.workerSrc = new URL("pdf.worker.min.mjs", LIBRARY).href;

async function start() {
  pdf = await getDocument({
    url: file,
    rangeChunkSize: PART,
    disableStream: true,
    disableAutoFetch: true,
    useWasm: false,  // our policy allows none: the decoders below are scripts
    wasmUrl: new URL("decoders/", LIBRARY).href,
    standardFontDataUrl: new URL("fonts/", LIBRARY).href,
    maxImageSize: LARGEST_IMAGE,
    verbosity: VerbosityLevel.ERRORS,
  }).promise;
  const total = Math.min(pdf.numPages, MOST);
  current = Math.min(Number(column.dataset.page) || 1, total);
  const size = (await pdf.getPage(current)).getViewport({ scale: 1 });
  for (let number = 1; number <= total; number += 1) {
    const marks = document.querySelector(`#pdf-marks [data-page="${number}"]`);
    sheets.push(new Sheet(number, size, { label: label.replace("{number}", number), language, marks }));
  }
  message.hidden = true;
  document.getElementById("pdf-tools").hidden = false;
  document.getElementById("pdf-total").textContent = ofTotal.replace("{total}", total);
  column.append(...sheets.map(({ element }) => element));
  resize();
  if (sheets[current - 1].element.contains(mark())) showMark();
  else go(current);
  if (document.activeElement === document.body) column.focus({ preventScroll: true });
  listen();
}

/* Sizes */

function resize() {
  const room = column.clientWidth - 2 * parseFloat(getComputedStyle(column).paddingLeft);
  const whole = room / sheets[current - 1].width;
  if (fitting) zoom(fitting === "width" ? whole : Math.min(whole, COMFORTABLE));
}

/** What is read stays where it is. */
function zoom(to) {
  const wanted = Math.min(LARGEST, Math.max(SMALLEST, to));
  if (Math.abs(wanted - scale) < 0.001) return;
  const { element } = sheets[current - 1];
  const down = (column.scrollTop - element.offsetTop) / (element.offsetHeight || 1);
  const across = (column.scrollLeft + column.clientWidth / 2) / column.scrollWidth;
  scale = wanted;
  column.style.setProperty("--total-scale-factor", scale);
  document.getElementById("pdf-scale").textContent = `${Math.round((100 * scale) / ACTUAL)}\u00a0%`;
  stand(element.offsetTop + down * element.offsetHeight);
  column.scrollLeft = across * column.scrollWidth - column.clientWidth / 2;
  for (const sheet of near) draw(sheet);
}

function choose(to) {
  fitting = "";
  zoom(to);
  said.textContent = document.getElementById("pdf-scale").textContent;
}

/* Pages */

async function draw(sheet) {
  try {
    await sheet.draw(pdf, scale);
  } catch {
    sheet.element.classList.add("is-broken");
    sheet.element.dataset.broken = failed;
  }
  const drawn = sheets.filter(({ canvas }) => canvas);
  const far = drawn.filter((one) => !near.has(one)).sort((a, b) => distance(b) - distance(a));
  for (const one of far.slice(0, Math.max(0, drawn.length - KEPT))) one.release();
}

const distance = ({ number }) => Math.abs(number - current);

function go(number) {
  show(Math.min(sheets.length, Math.max(1, number)));
  stand(sheets[current - 1].element.offsetTop - 8);
}

function turn(by) {
  go(current + by);
  said.textContent = `${label.replace("{number}", current)} ${ofTotal.replace("{total}", sheets.length)}`;
}

const mark = () => column.querySelector("#cytat rect");  // null where nothing is marked

function showMark() {
  const sheet = mark().closest(".pdf-sheet");
  const place = mark().getBoundingClientRect();
  show(sheet.sheet.number);
  stand(column.scrollTop + place.top - column.getBoundingClientRect().top - 0.3 * column.clientHeight);
  column.scrollLeft += place.left - column.getBoundingClientRect().left - column.clientWidth / 10;
}

function stand(top) {
  column.scrollTop = top;
  asked = column.scrollTop;
}

let noted = 0;

function show(number) {
  current = number;
  field.value = number;
  // Not `disabled`, which would take the focus away from the button at the last page.
  previous.setAttribute("aria-disabled", number === 1);
  next.setAttribute("aria-disabled", number === sheets.length);
  clearTimeout(noted);
  noted = setTimeout(note, 500);
}

/** To load it again, or to send it on, opens the page that is read. */
function note() {
  const address = new URL(location.href);
  address.searchParams.set("page", current);
  history.replaceState(history.state, "", address);
}

function follow() {
  if (asked !== null && Math.abs(column.scrollTop - asked) < 2) return;
  asked = null;
  const line = column.scrollTop + 0.4 * column.clientHeight;
  const above = [...near].filter(({ element }) => element.offsetTop <= line).map(({ number }) => number);
  const number = Math.max(...above);
  if (above.length && number !== current) show(number);
}

/* The reader */

function listen() {
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) near.add(target.sheet);
      else near.delete(target.sheet);
      if (isIntersecting) draw(target.sheet);
    }
  }, { root: column, rootMargin: "60% 0px" });
  for (const { element } of sheets) sight.observe(element);
  new ResizeObserver(resize).observe(column);
  column.addEventListener("scroll", follow, { passive: true });
  previous.addEventListener("click", () => turn(-1));
  next.addEventListener("click", () => turn(1));
  smaller.addEventListener("click", () => choose(scale / STEP));
  larger.addEventListener("click", () => choose(scale * STEP));
  fit.addEventListener("click", () => { fitting = "width"; resize(); });
  if (mark()) toMark.hidden = false;
  toMark.addEventListener("click", showMark);
  field.form.addEventListener("submit", (event) => { event.preventDefault(); leap(); });
  field.addEventListener("focus", () => field.select());
  field.addEventListener("blur", () => { field.value = current; });
  column.addEventListener("keydown", press);
}

function leap() {
  if (/^\d{1,6}$/.test(field.value.trim())) turn(Number(field.value) - current);
  column.focus({ preventScroll: true });
}

/** Keys of one character count only while the pages have the focus (WCAG 2.1.4); the arrows move what is wider than the column. */
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey && event.key !== "+") return;
  const wide = column.scrollWidth > column.clientWidth + 1;
  const action = {
    ArrowLeft: wide ? null : () => turn(-1),
    ArrowRight: wide ? null : () => turn(1),
    "-": () => choose(scale / STEP),
    "+": () => choose(scale * STEP),
    "=": () => choose(scale * STEP),
    0: () => { fitting = "comfortably"; resize(); },
  }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

start().catch(() => {
  message.hidden = false;
  message.querySelector("span").textContent = said.textContent = failed;
});
