// Copying an answer as text, its sources as [n].

const texts = document.getElementById("composer").dataset;

export function listen() {
  document.addEventListener("click", copy);
  document.addEventListener("kt:shown", (event) => showButtons(event.target));
  showButtons(document);
}

/** Buttons that need JavaScript are hidden in the markup. */
function showButtons(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
}

async function copy(event) {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(textOf(button.closest(".answer-area").querySelector("[data-answer]")));
  const label = button.querySelector("span");
  const before = label.textContent;
  label.textContent = texts.copied;
  setTimeout(() => { label.textContent = before; }, 1600);
}

function textOf(shown) {
  const answer = shown.cloneNode(true);
  for (const chip of answer.querySelectorAll(".chip")) chip.textContent = `[${chip.textContent}]`;
  answer.className = "visually-hidden prose";
  document.body.append(answer);
  const text = answer.innerText;
  answer.remove();
  return text.trim();
}
