// Everything that is seen follows from this, and it is kept in the address: a link reproduces a view.

import { examples } from "./examples.js";

const defaults = {
  view: "tree",
  text: examples[0].text,
  sentence: 0,
  system: "all-s0s1",
  direction: "ltr",
  step: 0,
  matrix: "0 1 2 9 0\n0 0 1 1 0\n0 2 0 1 0\n0 8 0 0 7\n0 0 6 5 0",
  words: "",
  "score-system": "all-s0s1",
  "score-direction": "ltr",
  k: 5,
  "multi-root": false,
};

export const state = { ...defaults };

/** Takes over what the address says; everything else is as at the start. */
export function read() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  for (const [key, value] of Object.entries(defaults)) {
    const text = fragment.get(key);
    if (text === null) state[key] = value;
    else if (typeof value === "number") state[key] = Math.max(0, Math.floor(Number(text)) || 0);
    else if (typeof value === "boolean") state[key] = text === "true";
    else state[key] = text;
  }
}

/** The address of what is seen now. */
export function link() {
  const fragment = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    if (value !== defaults[key]) fragment.set(key, value);
  }
  return `${location.pathname}#${fragment}`;
}

let waiting = null;

/** Puts it into the address, a moment later: browsers do not like it when that is done at every key. */
export function write() {
  clearTimeout(waiting);
  waiting = setTimeout(writeNow, 250);
}

export function writeNow() {
  clearTimeout(waiting);
  history.replaceState(null, "", link());
}
