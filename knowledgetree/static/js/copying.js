// Copying an answer with its sources as [n], as text and as formatted text; or question, answer and sources as Markdown.

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
    await write(button.closest(".answer-area").querySelector("[data-answer]"));
  } else await navigator.clipboard.writeText(await exported(button.closest(".exchange").id));
  label.textContent = texts.copied;
  setTimeout(() => { label.textContent = before; }, 1600);
}

/** A space that may not break is for reading; in a table of numbers it would be a letter. */
function plainSpaces(text) {
  return text.replaceAll("\u00a0", " ").replaceAll("&nbsp;", " ").trim();
}

/** As the server exports it, with addresses that work elsewhere. */
async function exported(exchange) {
  const conversation = document.getElementById("composer").elements.conversation.value;
  const response = await fetch(`/c/${conversation}/export.md?exchange=${exchange}`);
  if (!response.ok) throw new Error(String(response.status));
  return (await response.text()).trim();
}

/** A word processor takes lists and tables as such, a plain field takes the text. */
async function write(shown) {
  const answer = shown.cloneNode(true);
  for (const chip of answer.querySelectorAll(".chip")) chip.replaceWith(`[${chip.textContent}]`);
  const html = plainSpaces(answer.innerHTML);
  answer.className = "visually-hidden prose";
  document.body.append(answer);
  const text = plainSpaces(answer.innerText);
  answer.remove();
  if (!window.ClipboardItem) return navigator.clipboard.writeText(text);
  const kinds = { "text/plain": text, "text/html": html };
  const blobs = Object.entries(kinds).map(([type, content]) => [type, new Blob([content], { type })]);
  return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}
