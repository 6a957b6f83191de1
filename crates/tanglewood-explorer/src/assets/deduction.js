// The items of the deduction beside the derivation: each is proved by a rule from earlier ones, and belongs to a step.

import { revealItem } from "./scrolling.js";

const get = (id) => document.getElementById(id);

export class DeductionItems {
  /** `goTo(step)` is called when an item is chosen; `ask()` when items are wanted, or no longer. */
  constructor(goTo, ask) {
    this.goTo = goTo;
    get("deduction").addEventListener("toggle", () => ask());
  }

  get isOpen() {
    return get("deduction").open;
  }

  show({ deduction, direction }) {
    const items = deduction?.items ?? [];
    const counted = direction === "rtl" ? " Words are counted from the last." : "";
    get("deduction-hint").textContent = deduction?.reason ?? `An item stands for a run: from one stack and place in the buffer to another.${counted}`;
    this.steps = 0;
    get("items").replaceChildren(...items.map((item) => this.line(item)));
  }

  line({ item, rule, from, steps }) {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    const name = Object.assign(document.createElement("span"), { className: "item", textContent: item });
    const why = Object.assign(document.createElement("span"), { className: "hint", textContent: from.length ? `${rule} from ${from.join(", ")}` : rule });
    button.append(name, " ", why);
    const line = document.createElement("li");
    line.append(button);
    // Combining two items takes no step: such an item is there as soon as both are.
    this.steps = steps ?? this.steps;
    line.dataset.steps = this.steps;
    button.addEventListener("click", () => this.goTo(Number(line.dataset.steps)));
    return line;
  }

  /** Marks what has been proved after some steps. */
  showStep(step) {
    let last = null;
    for (const line of get("items").children) {
      const isProved = Number(line.dataset.steps) <= step;
      line.classList.toggle("unproved", !isProved);
      line.firstChild.removeAttribute("aria-current");
      if (isProved) last = line;
    }
    last?.firstChild.setAttribute("aria-current", "step");
    if (last && this.isOpen) revealItem(get("items"), last);
  }
}
