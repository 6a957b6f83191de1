// Asks a worker that has the library inside, in the way in which `fetch` asks a server.

/** A question that takes longer is given up, as the server does: milliseconds. */
const MOST_TIME = 20_000;

const waiting = [];
let current = null;
let worker = null;

/** A response to a question, as of `fetch`. A question that is aborted before its turn is never asked. */
export async function ask(path, { body, signal } = {}) {
  const bytes = await bytesOf(body);
  return new Promise((resolve, reject) => {
    waiting.push({ path, bytes, signal, resolve, reject });
    next();
  });
}

/** What is compressed by gzip is unpacked on the way: the library in a browser cannot. */
async function bytesOf(body) {
  if (body === undefined) return new ArrayBuffer(0);
  if (typeof body === "string") return new TextEncoder().encode(body).buffer;
  const bytes = await body.arrayBuffer();
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first !== 0x1f || second !== 0x8b) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function next() {
  if (current !== null) return;
  do current = waiting.shift() ?? null;
  while (current?.signal?.aborted);
  if (current === null) return;
  worker ??= start();
  current.timer = setTimeout(() => giveUp("this took too long; try a shorter sentence or a cheaper system"), MOST_TIME);
  worker.postMessage({ path: current.path, bytes: current.bytes }, [current.bytes]);
}

function start() {
  const started = new Worker("worker.js", { type: "module" });
  started.addEventListener("message", ({ data: { status, kind, bytes } }) => {
    finish((question) => question.resolve(new Response(bytes, { status, headers: { "Content-Type": kind } })));
  });
  started.addEventListener("error", ({ message }) => giveUp(`the library cannot be run: ${message}`));
  return started;
}

function finish(answer) {
  const question = current;
  current = null;
  if (question !== null) {
    clearTimeout(question.timer);
    answer(question);
  }
  next();
}

/** Files that were opened are gone with the worker. */
function giveUp(message) {
  worker?.terminate();
  worker = null;
  finish((question) => question.reject(new Error(message)));
}
