// Changing heads on the picture: by dragging arcs or words, or with the keyboard.

import { part } from "./picture.js";

/** How near to the top edge a drag has to end to mean the root. */
const ROOT_ZONE = 34;

/** Makes a picture of a tree one that can be changed; `change(word, head)` is called for each change. */
export function makeDraggable(picture, forms, heads, change, say) {
  picture.setAttribute("role", "group");
  const words = [...picture.querySelectorAll("[data-word]")];
  // All sizes are asked for before anything changes: each change would have everything measured again.
  const boxes = words.map((word) => word.querySelector(".form").getBBox());
  words.forEach((word, at) => prepareWord(word, boxes[at], forms, heads));
  for (const arc of picture.querySelectorAll("g[data-head]")) {
    const hit = arc.querySelector(".line").cloneNode();
    hit.setAttribute("class", "hit");
    arc.prepend(hit);
  }
  picture.addEventListener("pointerdown", (event) => {
    const grabbed = event.target.closest("[data-dependent], [data-word]");
    if (!grabbed || event.button !== 0) return;
    event.preventDefault();
    drag(picture, words, Number(grabbed.dataset.dependent ?? grabbed.dataset.word), event, change);
  });
  picture.addEventListener("keydown", (event) => keyboard(event, words, forms, change, say));
}

function prepareWord(word, box, forms, heads) {
  const number = Number(word.dataset.word);
  const name = (node) => (node === 0 ? "the root" : `${node} ${forms[node - 1] ?? ""}`);
  word.prepend(part("rect", { class: "ground", x: box.x - 6, y: box.y - 3, width: box.width + 12, height: box.height + 6, rx: 5 }));
  word.setAttribute("tabindex", number === 1 ? "0" : "-1");
  word.setAttribute("role", "button");
  word.setAttribute("aria-label", `word ${name(number)}, head ${name(heads[number - 1])}`);
}

const middle = (word) => Number(word.querySelector(".form").getAttribute("x"));

function drag(picture, words, dependent, start, change) {
  const point = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  const own = words[dependent - 1];
  const ground = Number(own.querySelector(".form").getAttribute("y")) - 20;
  const thread = part("path", { class: "thread" });
  const zone = part("rect", { class: "to-root", width: picture.viewBox.baseVal.width, height: ROOT_ZONE, visibility: "hidden" });
  picture.append(zone, thread);
  own.classList.add("picked");
  let head = null;
  const move = (event) => {
    const { x, y } = point(event);
    thread.setAttribute("d", `M${middle(own)} ${ground}L${x} ${y}`);
    const nearest = words.reduce((best, word) => (Math.abs(middle(word) - x) < Math.abs(middle(best) - x) ? word : best));
    const toRoot = y < ROOT_ZONE;
    const candidate = toRoot || nearest === own ? null : nearest;
    for (const word of words) word.classList.toggle("candidate", word === candidate);
    zone.setAttribute("visibility", toRoot ? "visible" : "hidden");
    head = toRoot ? 0 : candidate && Number(candidate.dataset.word);
  };
  const end = (event) => {
    picture.removeEventListener("pointermove", move);
    picture.removeEventListener("pointerup", end);
    picture.removeEventListener("pointercancel", end);
    for (const word of words) word.classList.remove("candidate", "picked");
    thread.remove();
    zone.remove();
    if (event.type === "pointerup" && head !== null) change(dependent, head);
  };
  picture.setPointerCapture(start.pointerId);
  picture.addEventListener("pointermove", move);
  picture.addEventListener("pointerup", end);
  picture.addEventListener("pointercancel", end);
}

function keyboard(event, words, forms, change, say) {
  const word = event.target.closest("[data-word]");
  if (!word) return;
  const at = words.indexOf(word);
  const picked = words.find((other) => other.classList.contains("picked"));
  const fromRight = words.length > 1 && middle(words[0]) > middle(words[1]);
  const step = { ArrowLeft: fromRight ? 1 : -1, ArrowRight: fromRight ? -1 : 1 }[event.key];
  if (step) words[at + step]?.focus();
  else if (event.key === "Home") words[0].focus();
  else if (event.key === "End") words.at(-1).focus();
  else if (event.key === "Escape" && picked) {
    picked.classList.remove("picked");
    say("");
  } else if (event.key === "0" && picked) change(Number(picked.dataset.word), 0);
  else if (event.key === "Enter" || event.key === " ") {
    if (!picked) {
      word.classList.add("picked");
      say(`Choose the new head of ${forms[at]}: arrow keys and Enter, 0 for the root, Escape to leave it.`);
    } else if (picked === word) {
      picked.classList.remove("picked");
      say("");
    } else change(Number(picked.dataset.word), Number(word.dataset.word));
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
