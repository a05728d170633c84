// Copying an answer as text, its sources as [n]; or question, answer and sources as Markdown.

const texts = document.getElementById("composer").dataset;

export function listen() {
  document.addEventListener("click", copy);
  document.addEventListener("kt:shown", (event) => showButtons(event.target));
  showButtons(document);
}

/** Buttons that need JavaScript are hidden in the markup. */
function showButtons(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copy], [data-copy-sources]")) button.hidden = false;
}

async function copy(event) {
  const button = event.target.closest("[data-copy], [data-copy-sources]");
  if (!button) return;
  const label = button.querySelector("span");
  const before = label.textContent;
  if (button.dataset.copySources === undefined) {
    await navigator.clipboard.writeText(textOf(button.closest(".answer-area").querySelector("[data-answer]")));
  } else await navigator.clipboard.writeText(await exported(button.closest(".exchange").id));
  label.textContent = texts.copied;
  setTimeout(() => { label.textContent = before; }, 1600);
}

/** As the server exports it, with addresses that work elsewhere. */
async function exported(exchange) {
  const conversation = document.getElementById("composer").elements.conversation.value;
  const response = await fetch(`/c/${conversation}/export.md?exchange=${exchange}`);
  if (!response.ok) throw new Error(String(response.status));
  return (await response.text()).trim();
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
