// The drop zone: files and folders join the file input, each can be taken out again, and what cannot be read is said
// before it is sent. Without this file the input alone works.

const zone = document.querySelector("[data-drop-zone]");
const input = zone?.querySelector("input[type=file]");
const list = document.getElementById("chosen-files");
const LARGEST_SUM = 64_000_000; // bytes: more takes too long to read here
const HEAD = 1024; // bytes by which the server tells what a file is
const AT_ONCE = 200; // files of one request
let chosen = []; // { file, row, refused }

function size(bytes) {
  const [amount, unit] = bytes < 1_000_000 ? [Math.max(bytes / 1000, 0.1), "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  const options = { style: "unit", unit, maximumFractionDigits: 1 };
  return amount.toLocaleString(document.documentElement.lang, options);
}

function element(name, fields = {}) {
  return Object.assign(document.createElement(name), fields);
}

function nothingSaid() {
  return element("input", { type: "hidden", name: "purpose" });
}

/** Its name, its size, the button that takes it out, and what the server says of it. */
function rowOf(file) {
  const name = file.webkitRelativePath || file.name;
  const remove = element("button", { type: "button", textContent: "×", className: "kt-take-out", ariaLabel: list.dataset.remove.replace("{name}", name) });
  remove.addEventListener("click", () => takeOut(file));
  const row = element("li");
  const alike = element("div");
  alike.append(nothingSaid());
  row.append(element("span", { textContent: name }), element("span", { textContent: size(file.size) }), remove, alike);
  return row;
}

function add(files) {
  const known = new Set(chosen.map(({ file }) => keyOf(file)));
  for (const file of files) {
    if (known.has(keyOf(file))) continue;
    known.add(keyOf(file));
    const one = { file, row: rowOf(file), refused: file.size > Number(list.dataset.most) || !file.size };
    if (one.refused) refuse(one.row, file.size ? list.dataset.tooLarge : list.dataset.empty);
    chosen.push(one);
  }
  list.replaceChildren(...chosen.map(({ row }) => row));
  settle();
  check();
}

function keyOf(file) {
  return [file.webkitRelativePath, file.name, file.size, file.lastModified].join("|");
}

function takeOut(file) {
  const at = chosen.findIndex((one) => one.file === file);
  chosen[at].row.remove();
  chosen.splice(at, 1);
  (list.querySelectorAll(".kt-take-out")[at] ?? list.querySelector(".kt-take-out:last-of-type") ?? input).focus();
  settle();
}

function refuse(row, why) {
  row.lastElementChild.replaceChildren(element("span", { className: "kt-failure", textContent: why }));
}

/** What is sent: the files that can be read, in the order of their rows. */
function settle() {
  const files = new DataTransfer();
  for (const { file, refused } of chosen) if (!refused) files.items.add(file);
  input.files = files.files;
}

async function checksum(file) {
  if (!crypto.subtle || file.size > LARGEST_SUM) return ""; // the server finds the same content by itself
  const sum = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function head(file) {
  return btoa(String.fromCharCode(...new Uint8Array(await file.slice(0, HEAD).arrayBuffer())));
}

let round = 0;

// What each file may be: the server says it beside its name, with a choice where the name is taken.
async function check() {
  const mine = ++round;
  const asked = chosen.filter(({ file }) => file.size && file.size <= Number(list.dataset.most));
  if (!asked.length || !input.form.elements.collection.value) return;
  try {
    for (let from = 0; from < asked.length && mine === round; from += AT_ONCE) {
      const some = asked.slice(from, from + AT_ONCE);
      const pieces = await told(some.map(({ file }) => file));
      if (mine !== round) return;
      pieces.forEach((html, place) => say(some[place], html));
    }
    settle();
  } catch {
    // Without an answer nothing is said of the files, and the server asks when they have come.
  }
}

async function told(files) {
  const form = input.form;
  const asked = new FormData();
  for (const name of ["csrfmiddlewaretoken", "collection", "when_taken"]) asked.append(name, form.elements[name].value);
  for (const file of files) {
    asked.append("name", file.name);
    asked.append("checksum", await checksum(file));
    asked.append("head", await head(file));
  }
  const response = await fetch(list.dataset.check, { method: "POST", body: asked });
  return response.ok ? (await response.json()).files : [];
}

function say(one, html) {
  one.row.lastElementChild.innerHTML = html; // escaped by the server
  one.refused = Boolean(one.row.querySelector("[data-alike=refused]"));
}

/** The files of what was dropped; of a folder all that lie in it. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.length ? (await Promise.all(entries.map(filesOf))).flat() : [...transfer.files];
}

async function filesOf(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const inside = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map(filesOf))).flat();
}

function chooseFolder() {
  const picker = element("input", { type: "file", multiple: true, webkitdirectory: true });
  picker.addEventListener("change", () => add(picker.files));
  picker.click();
}

if (input) {
  zone.classList.add("kt-drop-ready");
  input.addEventListener("change", () => add([...input.files]));
  const folder = zone.querySelector("[data-folder]");
  folder.hidden = !("webkitdirectory" in input);
  folder.addEventListener("click", chooseFolder);
  for (const name of ["collection", "when_taken"]) input.form.elements[name].addEventListener("change", check);
  for (const name of ["dragenter", "dragover"]) {
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.add("kt-drop-over");
    });
  }
  for (const name of ["dragleave", "drop"]) {
    zone.addEventListener(name, () => zone.classList.remove("kt-drop-over"));
  }
  zone.addEventListener("drop", async (event) => {
    event.preventDefault();
    add(await dropped(event.dataTransfer));
  });
  zone.closest("form").addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button) {
      button.textContent = button.dataset.busy;
      button.setAttribute("aria-disabled", "true");
    }
  });
}
