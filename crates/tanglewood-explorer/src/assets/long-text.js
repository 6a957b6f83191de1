// Texts that are too long for an address: kept in this browser, or packed for a link that is given away.

const PREFIX = "tanglewood-text-";
/** How many texts are kept at most. */
const KEPT = 8;

/** Keeps a text and gives back its key. Where nothing can be kept, the key leads nowhere. */
export function keep(text) {
  const key = digest(text);
  try {
    if (localStorage.getItem(PREFIX + key) === null) store(key, text);
  } catch {
    // The browser does not permit it; only a reload will show that.
  }
  return key;
}

/** The text of a key; throws if it is not kept. */
export function recall(key) {
  const kept = localStorage.getItem(PREFIX + key);
  if (kept === null) throw new Error("not kept");
  return kept.slice(kept.indexOf("\n") + 1);
}

/** The oldest texts make room. Each begins with the time at which it was stored. */
function store(key, text) {
  const age = (name) => Number(localStorage.getItem(name).split("\n", 1)[0]);
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  names.sort((a, b) => age(a) - age(b));
  while (names.length >= KEPT) localStorage.removeItem(names.shift());
  for (;;) {
    try {
      return localStorage.setItem(PREFIX + key, `${Date.now()}\n${text}`);
    } catch (full) {
      if (names.length === 0) throw full;
      localStorage.removeItem(names.shift());
    }
  }
}

/** A short name that two texts hardly ever share: two 32-bit FNV-1a sums, one of them from the end. */
function digest(text) {
  let [forwards, backwards] = [0x811c9dc5, 0x811c9dc5];
  for (let at = 0; at < text.length; at++) {
    forwards = Math.imul(forwards ^ text.charCodeAt(at), 0x01000193);
    backwards = Math.imul(backwards ^ text.charCodeAt(text.length - 1 - at), 0x01000193);
  }
  return [forwards, backwards, text.length].map((sum) => (sum >>> 0).toString(36)).join("-");
}

/** A text in as few characters as an address can have. */
export async function pack(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text that was packed; throws if it is none. */
export async function unpack(packed) {
  const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

async function through(stream, bytes) {
  const out = new Response(stream.readable).arrayBuffer();
  const writer = stream.writable.getWriter();
  // What is wrong with the bytes is told by the other end, too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  return new Uint8Array(await out);
}
