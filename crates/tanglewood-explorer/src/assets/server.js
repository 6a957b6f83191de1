// The only module that knows who answers: a server, or a worker in this browser with the library inside.

/** `fetch`, or what takes its place. */
const request = document.documentElement.dataset.answers === "worker" ? (await import("./in-browser.js")).ask : (path, options) => fetch(`api/${path}`, options);

/** What is refused, with the line or the field it is about if there is one, and names that may have been meant. */
export class Refusal extends Error {
  constructor({ message, line, column, field, nearest }) {
    super(message);
    Object.assign(this, { line, column, field, nearest: nearest ?? [] });
  }
}

/** Names of systems and of files, and whether there is a model. */
export const about = () => ask("about");
/** A tree, with the systems that cover it and a derivation. */
export const tree = (question) => ask("tree", question);
/** One step of a derivation. */
export const step = (question) => ask("tree", { ...question, step_only: true }, "step");
/** The same for a second system. */
export const beside = (question) => ask("tree", question, "beside");
export const besideStep = (question) => ask("tree", { ...question, step_only: true }, "beside step");
/** The trees and probabilities of a matrix. */
export const scores = (question) => ask("scores", question);
/** What the model says about a sentence. */
export const parse = (question) => ask("parse", question);
/** The rows of the list of a treebank's sentences that are seen. */
export const rows = (question) => ask("sentences", question, "rows");
/** One row of the list. */
export const row = (question) => ask("sentences", { ...question, count: 1 }, "row");
/** How long the list is, and where in it a sentence is. */
export const selection = (question) => ask("sentences", { ...question, count: 0 }, "selection");
/** One sentence of a treebank. */
export const sentence = (question) => ask("sentence", question);
/** Hands over a file of the reader's; the answer names it and lists all files. */
export const open = (file) => send(`open?name=${encodeURIComponent(file.name)}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
/** Counts and coverage of the sentences that a filter lets through. */
export const statistics = (question) => ask("statistics", question);

/** A sentence as a file. */
export const file = (question) => send("export", posted(question), (response) => response.blob());

const posted = (question) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) });
const asked = new Map();

/** The answer, or null if there is a newer question of its kind by then; throws a Refusal. */
async function ask(path, question, kind = path) {
  asked.get(kind)?.abort();
  const controller = new AbortController();
  asked.set(kind, controller);
  const { signal } = controller;
  try {
    const answer = await send(path, question === undefined ? { signal } : { ...posted(question), signal });
    return signal.aborted ? null : answer;
  } catch (refusal) {
    if (signal.aborted) return null;
    throw refusal;
  }
}

/** Sends a request; throws a Refusal. */
async function send(path, options, read = (response) => response.json()) {
  try {
    const response = await request(path, options);
    if (!response.ok) throw new Refusal((await response.json()).error);
    return await read(response);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal({ message: `no answer; is the server still running? (${error.message})` });
  }
}
