// The drop zone: dropped files join the file input, and the chosen ones are listed. Without this the input alone works.

const zone = document.querySelector("[data-drop-zone]");
const input = zone?.querySelector("input[type=file]");
const list = document.getElementById("chosen-files");

function size(bytes) {
  const [amount, unit] = bytes < 1_000_000 ? [Math.max(bytes / 1000, 0.1), "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  const options = { style: "unit", unit, maximumFractionDigits: 1 };
  return amount.toLocaleString(document.documentElement.lang, options);
}

function show() {
  list.replaceChildren(
    ...Array.from(input.files, (file) => {
      const item = document.createElement("li");
      const name = document.createElement("span");
      name.textContent = file.name;
      const weight = document.createElement("span");
      weight.textContent = size(file.size);
      item.append(name, weight);
      return item;
    }),
  );
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
