// What a screen reader is told while an answer comes: that it is looked for, written and there; not every word of it.

const status = document.getElementById("status");

export function say(text) {
  if (status.textContent !== text) status.textContent = text;
}
