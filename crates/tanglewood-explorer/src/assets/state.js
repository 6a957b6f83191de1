// Everything that is seen follows from this, and the address stands for it: a link reproduces a view, and Back returns to the view before.

import { examples } from "./examples.js";
import { keep, recall, unpack } from "./long-text.js";

const defaults = {
  view: "tree",
  file: "",
  at: 0,
  text: examples[0].text,
  sentence: 0,
  system: "all-s0s1",
  direction: "ltr",
  step: 0,
  beside: "",
  matrix: "0 1 2 9 0\n0 0 1 1 0\n0 2 0 1 0\n0 8 0 0 7\n0 0 6 5 0",
  words: "",
  "score-system": "all-s0s1",
  "score-direction": "ltr",
  k: 5,
  "multi-root": false,
  typed: "A review has just appeared of her new novel.",
  "typed-place": 0,
  "parse-system": "any",
  "parse-direction": "ltr",
  "best-count": 5,
  require: "",
  forbid: "",
};

/** Texts up to this many characters are part of the address. */
export const ADDRESS_TEXT = 2000;
/** Changes of these kinds that follow each other are one entry of the browser's history. */
const MERGED = new Set(["text", "step", "matrix", "typed"]);

export const state = { ...defaults };

/** The text of the treebank's sentence that is shown, as the file has it: it need not be in the address. */
let fromFile = null;

/** Says what the file has at the state's place. */
export function setFileText(text) {
  fromFile = text;
}

/** Takes over what the address says; everything else is as at the start. Gives back what could not be had, if anything. */
export async function read() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  let missing = null;
  for (const [key, value] of Object.entries(defaults)) {
    const text = fragment.get(key);
    if (text === null) state[key] = value;
    else if (typeof value === "number") state[key] = Math.max(0, Math.floor(Number(text)) || 0);
    else if (typeof value === "boolean") state[key] = text === "true";
    else state[key] = text;
  }
  try {
    if (fragment.has("packed")) state.text = await unpack(fragment.get("packed"));
    else if (fragment.has("kept")) state.text = recall(fragment.get("kept"));
  } catch {
    missing = "The text of this link is not kept in this browser any more; an example is shown instead.";
  }
  fromFile = null;
  const hasText = ["text", "packed", "kept"].some((key) => fragment.has(key));
  return { missing, needsFile: state.file !== "" && !hasText };
}

/** The part of an address that stands for a state whose text is given in one of the ways that `read` knows. */
export function fragmentOf(changes, textKey, text) {
  const fragment = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...state, ...changes })) {
    if (key !== "text" && value !== defaults[key]) fragment.set(key, value);
  }
  if (textKey) fragment.set(textKey, text);
  return `${location.pathname}#${fragment}`;
}

/** The address of a state. Long texts are kept beside it. */
function address(shown) {
  const { file, text } = shown;
  if (file ? text === fromFile : text === defaults.text) return fragmentOf(shown, null);
  if (text.length <= ADDRESS_TEXT) return fragmentOf(shown, "text", text);
  return fragmentOf(shown, "kept", keep(text));
}

let waiting = null;
let pending = null;
let last = null;

/** Notes a change of some kind: a new entry of the browser's history, or one entry for many small changes of the same kind. */
export function write(kind) {
  if (kind === last && MERGED.has(kind)) return rewrite();
  // What is still to be written belongs to the entry before.
  writeNow();
  history.pushState(null, "", address(state));
  last = kind;
}

/** Has the address follow a moment later: browsers do not like it when that is done at every key. */
export function rewrite() {
  pending = { ...state };
  clearTimeout(waiting);
  waiting = setTimeout(writeNow, 250);
}

export function writeNow() {
  clearTimeout(waiting);
  if (pending !== null) history.replaceState(null, "", address(pending));
  pending = null;
}

/** Forgets what was noted: the address is what counts now. */
export function follow() {
  clearTimeout(waiting);
  pending = null;
  last = null;
}
