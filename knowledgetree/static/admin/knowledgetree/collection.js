// Groups matter to a restricted collection alone: elsewhere their choice is hidden. Without this it is always shown.

const line = document.querySelector(".field-groups")?.closest(".field-line, .form-row") ?? null;

function show() {
  const chosen = document.querySelector("input[name=visibility]:checked");
  if (line && chosen) line.hidden = chosen.value !== "restricted";
}

document.addEventListener("change", (event) => {
  if (event.target.name === "visibility") show();
});
show();
