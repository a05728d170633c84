// Thumbs, a comment and the report of a gap under an answer, saved without leaving the page. Without this file they are plain forms.

export function listen() {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-feedback]");
    if (!form || !event.submitter) return;
    event.preventDefault();
    send(form, event.submitter);
  });
  // A fresh answer has no number until it is saved.
  document.addEventListener("kt:saved", ({ target, detail }) => {
    for (const form of target.querySelectorAll("form[data-feedback]")) {
      form.elements.exchange.value = detail.exchange;
      form.hidden = false;
    }
  });
}

async function send(form, button) {
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  const status = form.querySelector(".feedback-status");
  status.textContent = "";
  try {
    status.textContent = await exchanged(form, button);
  } catch {
    status.textContent = form.dataset.failed;
  }
  form.ariaBusy = "false";
}

/** Puts what the server says in place of what was pressed; the sentence to read out. */
async function exchanged(form, button) {
  const body = new FormData(form);
  body.set(button.name, button.value);
  body.set("fragment", "1");
  body.set("csrfmiddlewaretoken", document.querySelector("input[name=csrfmiddlewaretoken]").value);
  const response = await fetch(form.getAttribute("action"), { method: "POST", body });
  if (![200, 400, 429].includes(response.status)) throw new Error(String(response.status));
  form.querySelector(".feedback-body").innerHTML = await response.text();
  const said = form.querySelector("[data-said]");
  (form.querySelector(`[data-verdict="${button.dataset.verdict}"]`) ?? said)?.focus();
  return response.ok ? said.dataset.said : "";
}
