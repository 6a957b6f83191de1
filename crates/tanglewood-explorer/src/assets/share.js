// A link for others: the whole text if it can be packed into an address, otherwise the sentence that is seen.

import { pack } from "./long-text.js";
import { ADDRESS_TEXT, fragmentOf, state } from "./state.js";

/** Addresses longer than this are cut by some programs. */
const LINK = 8000;

/** The address to give away, and what to say about it. `shown` is the sentence that is seen, as CoNLL-U. */
export async function linkToShare(shown) {
  const here = new URL(location.href);
  if (!here.hash.includes("kept=")) return { link: here.href, says: "Copied" };
  const whole = new URL(fragmentOf({}, "packed", await pack(state.text)), here).href;
  if (whole.length <= LINK || !shown) return { link: whole, says: "Copied" };
  const one = shown.length <= ADDRESS_TEXT ? ["text", shown] : ["packed", await pack(shown)];
  return { link: new URL(fragmentOf({ sentence: 0, file: "", at: 0 }, ...one), here).href, says: "Copied: this sentence only" };
}
