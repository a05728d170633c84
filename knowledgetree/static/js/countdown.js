// After one question too many: the seconds until the next one, and the button that waits for their end.
//
// A screen reader hears once how long it takes and once that it is over; the numbers between are for the eyes.

import { say } from "./status.js";

const part = document.getElementById("countdown");
const seen = part.querySelector("[data-seconds]");
const send = document.getElementById("send");
let end = 0;
let timer;

/** Whether nothing can be sent yet. */
export function counts() {
  return end > 0;
}

export function start(seconds) {
  end = Date.now() + seconds * 1000;
  part.hidden = false;
  send.disabled = true;
  say(part.dataset.said.replace("{n}", seconds));
  clearInterval(timer);
  timer = setInterval(tick, 250);
  tick();
}

function tick() {
  const left = Math.ceil((end - Date.now()) / 1000); // of the clock: a page in the background is not called each second
  if (left > 0) seen.textContent = left;
  else stop();
}

function stop() {
  clearInterval(timer);
  end = 0;
  part.hidden = true;
  send.disabled = false;
  say(part.dataset.over);
}
