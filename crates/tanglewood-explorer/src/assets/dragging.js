// Changing heads on the picture: by dragging arcs or words, by taps, or with the keyboard.

import { part } from "./picture.js";
import { isolated } from "./text-direction.js";

/** How near to the top edge a drag has to end to mean the root. */
const ROOT_ZONE = 34;
/** A pointer that moves less than this is a click or a tap. */
const TAP = 6;

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
  const grabbed = (event) => event.target.closest("[data-dependent], [data-word]");
  picture.addEventListener("pointerdown", (event) => {
    const part = grabbed(event);
    if (!part || event.button !== 0) return;
    event.preventDefault();
    drag(picture, words, part, event, change, (word) => pick(word, words, forms, change, say));
  });
  // A finger on a word or an arc drags it; elsewhere it scrolls. Without this the browser would take the drag for scrolling.
  picture.addEventListener("touchstart", (event) => grabbed(event) && event.preventDefault(), { passive: false });
  picture.addEventListener("keydown", (event) => keyboard(event, words, forms, change, say));
}

function prepareWord(word, box, forms, heads) {
  const number = Number(word.dataset.word);
  const head = heads[number - 1];
  const headName = head === 0 ? "the root" : `${head} ${isolated(forms[head - 1] ?? "")}`;
  // What is read out begins with what is seen.
  const seen = [...word.querySelectorAll("text")].map((text) => text.textContent).join(" ");
  word.prepend(part("rect", { class: "ground", x: box.x - 6, y: box.y - 3, width: box.width + 12, height: box.height + 6, rx: 5 }));
  word.setAttribute("tabindex", number === 1 ? "0" : "-1");
  word.setAttribute("role", "button");
  word.setAttribute("aria-label", `${seen}, word ${number}, head ${headName}`);
}

const middle = (word) => Number(word.querySelector(".form").getAttribute("x"));

function drag(picture, words, grabbed, start, change, tap) {
  const dependent = Number(grabbed.dataset.dependent ?? grabbed.dataset.word);
  const point = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  const own = words[dependent - 1];
  const ground = Number(own.querySelector(".form").getAttribute("y")) - 20;
  const thread = part("path", { class: "thread" });
  const zone = part("rect", { class: "to-root", width: picture.viewBox.baseVal.width, height: ROOT_ZONE, visibility: "hidden" });
  let head = null;
  let moved = false;
  const begin = () => {
    moved = true;
    picture.append(zone, thread);
    own.classList.add("dragged");
  };
  const move = (event) => {
    if (!moved && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < TAP) return;
    if (!moved) begin();
    const { x, y } = point(event);
    thread.setAttribute("d", `M${middle(own)} ${ground}L${x} ${y}`);
    const nearest = words.reduce((best, word) => (Math.abs(middle(word) - x) < Math.abs(middle(best) - x) ? word : best));
    const toRoot = y < ROOT_ZONE;
    const candidate = toRoot || nearest === own ? null : nearest;
    for (const word of words) word.classList.toggle("candidate", word === candidate);
    zone.setAttribute("visibility", toRoot ? "visible" : "hidden");
    head = toRoot ? 0 : candidate && Number(candidate.dataset.word);
    scrollAtEdges(picture.parentElement, event.clientX);
  };
  const end = (event) => {
    for (const kind of ["pointerup", "pointercancel"]) picture.removeEventListener(kind, end);
    picture.removeEventListener("pointermove", move);
    for (const word of words) word.classList.remove("candidate", "dragged");
    thread.remove();
    zone.remove();
    if (event.type !== "pointerup") return;
    if (!moved) tap(own);
    else if (head !== null) change(dependent, head);
  };
  picture.setPointerCapture(start.pointerId);
  picture.addEventListener("pointermove", move);
  for (const kind of ["pointerup", "pointercancel"]) picture.addEventListener(kind, end);
}

/** A drag can go beyond what is seen. */
function scrollAtEdges(place, x) {
  const { left, right } = place.getBoundingClientRect();
  if (x < left + 32) place.scrollLeft -= 16;
  else if (x > right - 32) place.scrollLeft += 16;
}

/** Chooses a word, or the head of the one that was chosen before. */
function pick(word, words, forms, change, say) {
  const picked = words.find((other) => other.classList.contains("picked"));
  picked?.classList.remove("picked");
  say("");
  if (picked && picked !== word) change(Number(picked.dataset.word), Number(word.dataset.word));
  else if (!picked) {
    word.classList.add("picked");
    const form = isolated(forms[words.indexOf(word)] || word.dataset.word);
    say(`Choose the new head of ${form}: tap it, or arrow keys and Enter; 0 for the root, Escape to leave it.`);
  }
  word.focus({ preventScroll: true });
}

function keyboard(event, words, forms, change, say) {
  const word = event.target.closest("[data-word]");
  if (!word || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = words.indexOf(word);
  const picked = words.find((other) => other.classList.contains("picked"));
  const fromRight = words.length > 1 && middle(words[0]) > middle(words[1]);
  const step = { ArrowLeft: fromRight ? 1 : -1, ArrowRight: fromRight ? -1 : 1 }[event.key];
  if (step) words[at + step]?.focus();
  else if (event.key === "Home") words[0].focus();
  else if (event.key === "End") words.at(-1).focus();
  else if (event.key === "Escape" && picked) pick(picked, words, forms, change, say);
  else if (event.key === "0" && picked) change(Number(picked.dataset.word), 0);
  else if (event.key === "Enter" || event.key === " ") pick(word, words, forms, change, say);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
