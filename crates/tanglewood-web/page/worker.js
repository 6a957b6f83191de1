// The library in a worker: it answers what the server would, one question after the other.

const LIBRARY = "tanglewood.wasm";
const MODEL = "en.model";
/** The status of an answer that says that a model has to be handed over first. */
const MODEL_AWAITED = 425;

const compiled = WebAssembly.compileStreaming(fetch(LIBRARY)).catch(async () => {
  // The host does not say that it is WebAssembly.
  return WebAssembly.compile(await (await fetch(LIBRARY)).arrayBuffer());
});
let library = null;
let model = null;

/** The bytes of the model, which is large: it is fetched when it is needed, and once. */
function fetchModel() {
  model ??= fetch(MODEL).then((response) => {
    if (!response.ok) throw new Error(`${MODEL}: ${response.status}`);
    return response.arrayBuffer();
  });
  model.catch(() => (model = null));
  return model;
}

/** Copies bytes to where the library looks for them. */
function write(...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let place = library.tanglewood_room(length);
  for (const part of parts) {
    new Uint8Array(library.memory.buffer, place, part.length).set(part);
    place += part.length;
  }
}

/** What the library has answered, copied: its memory may move. */
function answer(status) {
  const bytes = (place, length) => new Uint8Array(library.memory.buffer, place, length).slice();
  const content = bytes(library.tanglewood_answer(), library.tanglewood_answer_length());
  const kind = new TextDecoder().decode(bytes(library.tanglewood_kind(), library.tanglewood_kind_length()));
  return { status, kind, bytes: content.buffer };
}

function ask(path, bytes) {
  const name = new TextEncoder().encode(path);
  write(name, new Uint8Array(bytes));
  return answer(library.tanglewood_ask(name.length));
}

async function loadModel() {
  write(new Uint8Array(await fetchModel()));
  const { status, bytes } = answer(library.tanglewood_model());
  if (status !== 200) throw new Error(new TextDecoder().decode(bytes));
}

const refusal = (status, message) => ({
  status,
  kind: "application/json",
  bytes: new TextEncoder().encode(JSON.stringify({ error: { message } })).buffer,
});

async function reply(path, bytes) {
  try {
    library ??= (await WebAssembly.instantiate(await compiled)).exports;
    let found = ask(path, bytes);
    if (found.status === MODEL_AWAITED) {
      await loadModel();
      found = ask(path, bytes);
    }
    return found;
  } catch (error) {
    // After a trap nothing is known of the library's memory: the next question gets a new one.
    if (error instanceof WebAssembly.RuntimeError) library = null;
    return refusal(500, `something went wrong here; please report it (${error.message})`);
  }
}

let turn = Promise.resolve();
self.addEventListener("message", ({ data: { path, bytes } }) => {
  turn = turn.then(async () => {
    const found = await reply(path, bytes);
    self.postMessage(found, [found.bytes]);
  });
});
