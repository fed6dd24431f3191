"use strict";
// Keys, the large view of a picture, and saving each mark of a scale at once. Everything else works without this file.

const rows = [...document.querySelectorAll(".row")];
const statusLine = document.getElementById("status");
const SETTLE_MS = 250; // a key struck twice by accident must not label the next item too
let ready = false, sent = false, here = 0;

const typing = (target) => target.matches("textarea, select, input[type=text]");

function say(text, wrong = false) {
  if (!statusLine) return;
  statusLine.textContent = text;
  statusLine.classList.toggle("wrong", wrong);
}

function stand(row, focus = true) {
  here = Math.max(0, Math.min(row, rows.length - 1));
  rows.forEach((one, at) => one.classList.toggle("here", at === here));
  if (!focus || !rows.length) return;
  rows[here].focus({ preventScroll: true });
  rows[here].scrollIntoView({ block: "nearest" });
}

async function save(row) {
  const form = document.getElementById("label");
  const body = new URLSearchParams({ quiet: "1" });
  for (const [name, value] of new FormData(form)) if (!/^(value|note)-/.test(name) || rows[row].querySelector(`[name="${name}"]`)) body.append(name, value);
  if (!rows[row].querySelector("input:checked")) return;
  try {
    const answer = await fetch(form.action, { method: "POST", body });
    if (!answer.ok) throw new Error(answer.status === 409 ? "your labels are closed" : "the server refused it");
    const told = await answer.json();
    document.querySelector("#progress b").textContent = told.finished;
    document.querySelector("progress").value = told.finished;
    say(told.left ? `Saved. ${told.left} ${told.left === 1 ? "line is" : "lines are"} open.` : "All lines are saved. Enter goes on.");
  } catch (fault) {
    say(`Not saved: ${fault instanceof TypeError ? "the program is not running any more" : fault.message}.`, true);
  }
}

rows.forEach((row, at) => {
  row.addEventListener("focusin", () => stand(at, false));
  row.addEventListener("change", (event) => {
    if (event.target.matches("[data-advise]")) row.querySelector("details").open = true;
    save(at);
  });
});
if (rows.length) stand(rows.findIndex((row) => !row.querySelector("input:checked")), false);

// --- pictures ---

const pictures = [...document.querySelectorAll("a.zoom")];
let large = null, shown = 0;

function frame() {
  large = document.createElement("dialog");
  large.className = "large";
  large.append(document.createElement("img"));
  large.addEventListener("click", () => large.close());
  document.body.append(large);
}

function enlarge(at) {
  if (!pictures.length) return;
  if (!large) frame();
  shown = (at + pictures.length) % pictures.length;
  const small = pictures[shown].querySelector("img");
  large.firstChild.src = pictures[shown].href;
  large.firstChild.alt = small.alt;
  large.setAttribute("aria-label", small.alt);
  if (!large.open) large.showModal();
}
pictures.forEach((link, at) => link.addEventListener("click", (event) => {
  event.preventDefault();
  enlarge(at);
}));

// --- keys ---

function press(key) {
  const near = rows.length ? rows[here].querySelector(`[data-key="${key}"]`) : null;
  const target = near || [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && !one.closest(".row"));
  if (!target || target.matches(":disabled")) return false;
  if (near) {
    near.click();
    stand(here + 1);
  } else {
    const labels = target.matches("button");
    if (labels && (!ready || sent)) return true;
    target.click();
  }
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (large && large.open) {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") enlarge(shown + (event.key === "ArrowRight" ? 1 : -1));
    return;
  }
  if (typing(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.repeat) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "Enter" && event.target.matches("a, button, summary")) return;
  if (key === "j" || key === "k") stand(here + (key === "j" ? 1 : -1));
  else if (key === "z") enlarge(0);
  else if (key === "m") note();
  else if (key === "Escape") document.querySelectorAll(".keys[open]").forEach((one) => { one.open = false; });
  else if (!press(key)) return;
  event.preventDefault();
});

function note() {
  const field = rows.length ? rows[here].querySelector("textarea") : document.getElementById("note");
  if (!field) return;
  if (field.closest("details")) field.closest("details").open = true;
  field.focus();
}

document.addEventListener("submit", (event) => {
  if (sent) event.preventDefault();
  sent = true;
});
window.addEventListener("pageshow", () => { sent = false; });
setTimeout(() => {
  ready = true;
  document.documentElement.dataset.ready = "1";
}, SETTLE_MS);
if (statusLine && statusLine.textContent.trim()) say(statusLine.textContent.trim()); // said anew, so that a screen reader tells it
