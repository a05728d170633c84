// The drop zone: dropped files join the file input, and the chosen ones are listed. Without this the input alone works.

const zone = document.querySelector("[data-drop-zone]");
const input = zone?.querySelector("input[type=file]");
const list = document.getElementById("chosen-files");
const LARGEST_SUM = 64_000_000; // bytes: more takes too long to read here

function size(bytes) {
  const [amount, unit] = bytes < 1_000_000 ? [Math.max(bytes / 1000, 0.1), "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  const options = { style: "unit", unit, maximumFractionDigits: 1 };
  return amount.toLocaleString(document.documentElement.lang, options);
}

function nothingSaid() {
  const purpose = document.createElement("input");
  Object.assign(purpose, { type: "hidden", name: "purpose" });
  return purpose;
}

function show() {
  list.replaceChildren(
    ...Array.from(input.files, (file) => {
      const item = document.createElement("li");
      const name = document.createElement("span");
      name.textContent = file.name;
      const weight = document.createElement("span");
      weight.textContent = size(file.size);
      const alike = document.createElement("div");
      alike.append(nothingSaid());
      item.append(name, weight, alike);
      return item;
    }),
  );
  check();
}

async function checksum(file) {
  if (!crypto.subtle || file.size > LARGEST_SUM) return ""; // the server finds the same content by itself
  const sum = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

let round = 0;

// What each file may be: the server says it beside its name, with a choice where the name is taken.
async function check() {
  const mine = ++round;
  const chosen = [...input.files];
  const form = input.form;
  if (!chosen.length || !form.elements.collection.value) return;
  const asked = new FormData();
  for (const name of ["csrfmiddlewaretoken", "collection", "when_taken"]) asked.append(name, form.elements[name].value);
  try {
    for (const file of chosen) {
      asked.append("name", file.name);
      asked.append("checksum", await checksum(file));
    }
    const response = await fetch(list.dataset.check, { method: "POST", body: asked });
    const { files } = response.ok ? await response.json() : { files: [] };
    if (mine !== round) return;
    files.forEach((html, place) => (list.children[place].lastElementChild.innerHTML = html)); // escaped by the server
  } catch {
    // Without an answer nothing is said of the files, and the server asks when they have come.
  }
}

function join(dropped) {
  const files = new DataTransfer();
  for (const file of [...input.files, ...dropped]) files.items.add(file);
  input.files = files.files;
  show();
}

if (input) {
  zone.classList.add("kt-drop-ready");
  input.addEventListener("change", show);
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
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    join(event.dataTransfer.files);
  });
  zone.closest("form").addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button) {
      button.textContent = button.dataset.busy;
      button.setAttribute("aria-disabled", "true");
    }
  });
}
