// Going through a derivation, forwards and backwards.

import { revealItem } from "./scrolling.js";
import { nodeName } from "./text-direction.js";

const get = (id) => document.getElementById(id);

export class Stepping {
  /** `go(step)` is called when another step is wanted. */
  constructor(go) {
    this.go = go;
    this.step = 0;
    this.run = { transitions: [], arcs: [], covered: true, reasons: null };
    this.forms = [];
    get("first").addEventListener("click", () => this.to(0));
    get("back").addEventListener("click", () => this.to(this.step - 1));
    get("forward").addEventListener("click", () => this.to(this.step + 1));
    get("last").addEventListener("click", () => this.to(Infinity));
    get("slider").addEventListener("input", () => this.to(Number(get("slider").value)));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get length() {
    return this.run.transitions.length;
  }

  to(step) {
    this.go(Math.max(step, 0));
  }

  key(event) {
    const typing = event.target.closest?.("input, textarea, select, [data-word], [data-own-keys]");
    if (typing || event.ctrlKey || event.altKey || event.metaKey || get("tree-view").hidden) return;
    const step = { ArrowLeft: this.step - 1, ArrowRight: this.step + 1, Home: 0, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.to(step);
  }

  /** Shows another derivation. */
  showRun(run, forms) {
    this.run = run;
    this.forms = forms;
    this.showTransitions();
    get("slider").max = this.length;
    const why = get("why");
    why.hidden = run.covered;
    if (!run.covered) {
      const title = document.createElement("p");
      title.textContent = `${run.system} cannot build this tree. After ${this.length} steps the buffer is empty, and nothing can be removed:`;
      const list = document.createElement("ul");
      list.append(...run.reasons.map((reason) => Object.assign(document.createElement("li"), { textContent: reason })));
      why.replaceChildren(title, list);
    }
  }

  /** A button for each transition. Those that are there already are used again. */
  showTransitions() {
    const list = get("steps");
    while (list.childElementCount > this.length) list.lastElementChild.remove();
    while (list.childElementCount < this.length) {
      const at = list.childElementCount;
      const button = document.createElement("button");
      button.type = "button";
      button.addEventListener("click", () => this.to(at));
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    }
    this.run.transitions.forEach((name, at) => {
      const button = list.children[at].firstChild;
      if (button.textContent !== name) button.textContent = name;
      button.title = this.arc(at);
      if (this.run.arcs[at]) button.dataset.arc = this.run.arcs[at][1];
      else delete button.dataset.arc;
    });
  }

  arc(at) {
    const arc = this.run.arcs[at];
    return arc ? `${nodeName(arc[0], this.forms)} → ${nodeName(arc[1], this.forms)}` : "";
  }

  /** Shows where we are. */
  showStep(step) {
    this.step = step;
    get("slider").value = step;
    get("back").disabled = get("first").disabled = step === 0;
    get("forward").disabled = get("last").disabled = step === this.length;
    const next = this.run.transitions[step];
    const end = this.run.covered ? "done" : "stuck";
    get("where").textContent = `Step ${step} of ${this.length}: ${next ? [`next ${next}`, this.arc(step)].filter(Boolean).join(", ") : end}`;
    [...get("steps").querySelectorAll("button")].forEach((button, at) => {
      if (at === step) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const shown = get("steps").children[Math.min(step, this.length - 1)];
    if (shown) revealItem(get("steps"), shown);
  }
}
