// Where everything starts.

import { ScoreView } from "./score-view.js";
import { link, read, state, write, writeNow } from "./state.js";
import { TreeView } from "./tree-view.js";

const views = { tree: new TreeView(), scores: new ScoreView() };
const sections = { tree: "tree-view", scores: "score-view" };

async function showState() {
  if (!(state.view in views)) state.view = "tree";
  for (const [view, id] of Object.entries(sections)) document.getElementById(id).hidden = view !== state.view;
  for (const button of document.querySelectorAll("nav button")) {
    if (button.dataset.view === state.view) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  await views[state.view].update();
}

for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => {
    state.view = button.dataset.view;
    write();
    showState();
  });
}

const copy = document.getElementById("copy-link");
copy.addEventListener("click", async () => {
  writeNow();
  try {
    await navigator.clipboard.writeText(new URL(link(), location.href).href);
    copy.textContent = "Copied";
  } catch {
    copy.textContent = "The address bar has the link";
  }
  setTimeout(() => (copy.textContent = "Copy link"), 1500);
});

window.addEventListener("hashchange", () => {
  read();
  showState();
});

async function about() {
  const { systems, model } = await (await fetch("api/about")).json();
  document.getElementById("systems").append(...systems.map((name) => new Option(name, name)));
  if (model) document.getElementById("text-label").append("; or text, to be parsed");
  document.getElementById("parse").hidden = !model;
}

about();
read();
showState();
