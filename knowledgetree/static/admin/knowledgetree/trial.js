// A question to an assistant beside its form: what stands in the form now answers. Without this file the saved one does.

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("#trial form");
  if (!form) return;
  event.preventDefault();
  const answer = document.getElementById("trial-answer");
  const whole = new FormData(document.getElementById("assistant_form"));
  for (const [name, value] of new FormData(form)) whole.set(name, value);
  whole.set("whole", "1");
  whole.set("fragment", "1");
  answer.textContent = form.dataset.waiting;
  try {
    const response = await fetch(form.action, { method: "POST", body: whole });
    if (!response.ok) throw new Error(String(response.status));
    answer.innerHTML = await response.text(); // escaped by the server's templates
  } catch {
    answer.textContent = form.dataset.failed;
  }
});
