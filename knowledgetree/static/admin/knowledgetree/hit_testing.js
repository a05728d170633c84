// Marks a passage without leaving the page. Without this file the forms do it by themselves.

const status = document.querySelector("[data-mark-status]");
const stale = document.querySelector("[data-stale]");

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-mark]");
  if (!form) return;
  event.preventDefault();
  save(form, event.submitter);
});

async function save(form, button) {
  let said = status.dataset.failed;
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body: new FormData(form, button),
      headers: { Accept: "application/json" },
    });
    const answer = await response.json();
    // Not form.dataset: that is the field of this name.
    if (response.ok) press(form.getAttribute("data-mark"), answer.grade);
    said = answer.said;
  } catch {
    // A lost network, or a page of the server's in place of an answer: what stands above is said.
  }
  status.textContent = said;
}

// The same document may stand in both columns, with several passages.
function press(marked, grade) {
  for (const button of document.querySelectorAll(`form[data-mark="${marked}"] button`)) {
    button.setAttribute("aria-pressed", String(grade > 0 && button.value === String(grade)));
  }
  if (stale) stale.hidden = false;
}
