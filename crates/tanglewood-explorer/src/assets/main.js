// Where everything starts.

import * as server from "./server.js";
import { ParseView } from "./parse-view.js";
import { offerFormats } from "./saving.js";
import { ScoreView } from "./score-view.js";
import { linkToShare } from "./share.js";
import { follow, read, state, write, writeNow } from "./state.js";
import { TreeView } from "./tree-view.js";
import { Treebank } from "./treebank.js";
import { undo } from "./undo.js";

const get = (id) => document.getElementById(id);
/** Shows another view, with what it is to be about. */
const lookAt = (view, changes) => {
  Object.assign(state, changes, { view });
  undo.note("view");
  write("view");
  return showState();
};
const views = { tree: new TreeView(lookAt), parse: new ParseView(lookAt), scores: new ScoreView() };
const sections = { tree: "tree-view", parse: "parse-view", scores: "score-view" };

async function showState() {
  if (!(state.view in views)) state.view = "tree";
  document.body.dataset.view = state.view;
  for (const [view, id] of Object.entries(sections)) get(id).hidden = view !== state.view;
  document.querySelector(".parts").hidden = state.view !== "tree";
  for (const button of document.querySelectorAll("header nav button")) {
    if (button.dataset.view === state.view) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  await views[state.view].update();
}

for (const button of document.querySelectorAll("header nav button")) {
  button.addEventListener("click", () => lookAt(button.dataset.view, {}));
}

const copy = get("copy-link");
copy.addEventListener("click", async () => {
  writeNow();
  const { link, says } = await linkToShare(state.view === "tree" ? views.tree.answer?.conllu : null);
  try {
    await navigator.clipboard.writeText(link);
    copy.textContent = says;
  } catch {
    copy.textContent = "The address bar has the link";
  }
  setTimeout(() => (copy.textContent = "Copy link"), 1500);
});

undo.show = () => {
  write("undo");
  showState();
};

const treebank = new Treebank((changes, byHand) => {
  if (byHand) return views.tree.change(changes, "sentence");
  Object.assign(state, changes, { step: state.step });
  return showState();
});

/** Shows what the address says. */
async function open() {
  let { missing, needsFile } = await read();
  if (needsFile) {
    try {
      await treebank.openAt(state.file, state.at, false);
      return;
    } catch (refusal) {
      missing = refusal.message;
      Object.assign(state, { file: "", at: 0 });
    }
  }
  await showState();
  if (missing) get("text-message").textContent = missing;
}

window.addEventListener("popstate", async () => {
  follow();
  await open();
  undo.note("back");
});

async function about() {
  const { systems, classes, model, formats, files } = await server.about();
  get("systems").append(...systems.map((name) => new Option(name, name)));
  get("classes").append(...classes.map((name) => new Option(name, name)));
  if (model) get("text-label").append("; or text, which Parse turns into trees");
  for (const part of [get("parse"), get("ask-model"), document.querySelector("header [data-view=parse]")]) part.hidden = !model;
  offerFormats(formats);
  await treebank.setFiles(files);
  // With nothing else asked for, the first sentence is shown.
  if (files.length > 0 && location.hash === "") {
    await treebank.choose(0, false);
    undo.start();
  }
}

await open();
undo.start();
await about();
