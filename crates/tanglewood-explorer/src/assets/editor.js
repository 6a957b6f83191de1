// A text field with line numbers, and a message about one of its lines.

export class Editor {
  constructor(name) {
    this.field = document.getElementById(name);
    this.gutter = document.getElementById(`${name}-gutter`);
    this.message = document.getElementById(`${name}-message`);
    this.bad = null;
    for (const kind of ["scroll", "input"]) this.field.addEventListener(kind, () => this.numberSoon());
    new ResizeObserver(() => this.number()).observe(this.field);
  }

  /** Once for each frame: measuring a long text takes its time, and a paste may be told line by line. */
  numberSoon() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.number());
  }

  get value() {
    return this.field.value;
  }

  set value(text) {
    if (this.field.value === text) return;
    this.field.value = text;
    this.number();
  }

  /** Only the numbers of lines that are seen are there: texts may have any number of lines. */
  number() {
    const { scrollTop, clientHeight, value } = this.field;
    const height = parseFloat(getComputedStyle(this.field).lineHeight) || 20;
    let count = 1;
    for (let at = value.indexOf("\n"); at >= 0; at = value.indexOf("\n", at + 1)) count++;
    const first = Math.floor(scrollTop / height);
    const last = Math.min(count, Math.ceil((scrollTop + clientHeight) / height));
    const lines = Array.from({ length: Math.max(last - first, 0) }, (_, at) => {
      const line = document.createElement("div");
      line.textContent = first + at + 1;
      if (first + at + 1 === this.bad) line.className = "bad";
      return line;
    });
    this.gutter.replaceChildren(...lines);
    this.gutter.scrollTop = scrollTop - first * height;
  }

  /** Says what is wrong, and marks the line. */
  complain(refusal) {
    this.bad = refusal.line ?? null;
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
