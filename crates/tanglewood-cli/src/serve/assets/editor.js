// A text field with line numbers, and a message about one of its lines.

export class Editor {
  constructor(name) {
    this.field = document.getElementById(name);
    this.gutter = document.getElementById(`${name}-gutter`);
    this.message = document.getElementById(`${name}-message`);
    this.bad = null;
    this.field.addEventListener("scroll", () => this.follow());
    this.field.addEventListener("input", () => this.number());
  }

  get value() {
    return this.field.value;
  }

  set value(text) {
    if (this.field.value !== text) this.field.value = text;
    this.number();
  }

  number() {
    const count = this.field.value.split("\n").length;
    if (this.gutter.childElementCount !== count) {
      const lines = Array.from({ length: Math.min(count, 5000) }, (_, at) => {
        const line = document.createElement("div");
        line.textContent = at + 1;
        return line;
      });
      this.gutter.replaceChildren(...lines);
    }
    for (const line of this.gutter.querySelectorAll(".bad")) line.classList.remove("bad");
    if (this.bad) this.gutter.children[this.bad - 1]?.classList.add("bad");
    this.follow();
  }

  follow() {
    this.gutter.scrollTop = this.field.scrollTop;
  }

  /** Says what is wrong, and marks the line. */
  complain(refusal) {
    this.bad = refusal.line;
    const place = refusal.line ? `Line ${refusal.line}${refusal.column ? `, column ${refusal.column}` : ""}: ` : "";
    this.message.textContent = place + refusal.message;
    this.field.setAttribute("aria-invalid", "true");
    this.number();
  }

  /** All is well. */
  content() {
    if (this.bad === null && this.message.textContent === "") return;
    this.bad = null;
    this.message.textContent = "";
    this.field.removeAttribute("aria-invalid");
    this.number();
  }
}
