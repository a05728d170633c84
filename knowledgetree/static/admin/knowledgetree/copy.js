// Buttons that copy what a field holds; hidden in the markup, for without this file they do nothing.

document.addEventListener("DOMContentLoaded", () => {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
});

async function copy(button) {
  await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).value);
  const before = button.textContent;
  button.textContent = button.dataset.copied;
  setTimeout(() => { button.textContent = before; }, 1600);
}
