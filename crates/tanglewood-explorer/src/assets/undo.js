// Undo and redo of what has been typed, dragged and parsed, in all views.

import { state } from "./state.js";

/** What is brought back. */
const CONTENT = ["text", "sentence", "file", "at", "matrix", "words", "typed", "require", "forbid"];
/** Keys pressed within this many milliseconds are one change. */
const PAUSE = 800;
/** How many changes can be undone at most, and how many characters they have in all. */
const CHANGES = 200;
const CHARACTERS = 20e6;

const get = (id) => document.getElementById(id);
const snapshot = () => Object.fromEntries(CONTENT.map((key) => [key, state[key]]));
const size = (entry) => entry.text.length + entry.matrix.length + entry.typed.length;

class Undo {
  constructor() {
    this.start();
    /** Called when the state has been brought back. */
    this.show = () => {};
    get("undo").addEventListener("click", () => this.undo());
    get("redo").addEventListener("click", () => this.redo());
    document.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  /** Begins anew with what is seen now. */
  start() {
    this.past = [];
    this.future = [];
    this.present = snapshot();
    this.last = { kind: null, time: 0 };
    this.enable();
  }

  /** Notes what the state has become. */
  note(kind) {
    const now = snapshot();
    if (CONTENT.every((key) => now[key] === this.present[key])) return;
    const time = performance.now();
    const goesOn = ["text", "matrix", "typed"].includes(kind) && this.last.kind === kind && time - this.last.time < PAUSE;
    if (!goesOn) this.past.push(this.present);
    this.present = now;
    this.future = [];
    this.last = { kind, time };
    let total = this.past.reduce((sum, entry) => sum + size(entry), 0);
    while (this.past.length > CHANGES || (total > CHARACTERS && this.past.length > 1)) total -= size(this.past.shift());
    this.enable();
  }

  undo() {
    this.go(this.past, this.future);
  }

  redo() {
    this.go(this.future, this.past);
  }

  go(from, to) {
    if (from.length === 0) return;
    to.push(this.present);
    this.present = from.pop();
    this.last = { kind: null, time: 0 };
    Object.assign(state, this.present);
    this.enable();
    this.show();
  }

  /** The large fields are filled by the page, so the browser's own undo would not know what was there; small fields have theirs. */
  key(event) {
    const key = event.key.toLowerCase();
    const isOurs = (event.ctrlKey || event.metaKey) && !event.altKey && !event.target.closest?.("input");
    if (!isOurs || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) this.redo();
    else this.undo();
  }

  enable() {
    get("undo").disabled = this.past.length === 0;
    get("redo").disabled = this.future.length === 0;
  }
}

export const undo = new Undo();
