// A list of any length: only the rows that are seen are there.

/** Rows beyond the edges that are there, too. */
const SPARE = 12;

export class VirtualList {
  /**
   * `fetchRows(offset, count)` gives a promise of rows, or of null if it was overtaken; `fill(row, entry)` shows one; `choose(place)` is called when a row
   * is chosen.
   */
  constructor(place, { fetchRows, fill, choose }) {
    Object.assign(this, { place, fetchRows, fill, choose, total: 0, chosen: -1, first: 0, rows: [] });
    this.height = document.createElement("div");
    this.height.className = "list-height";
    this.shown = document.createElement("div");
    this.shown.className = "list-rows";
    this.height.append(this.shown);
    place.replaceChildren(this.height);
    place.setAttribute("role", "listbox");
    place.tabIndex = 0;
    place.dataset.ownKeys = "";
    place.addEventListener("scroll", () => this.follow());
    place.addEventListener("keydown", (event) => this.key(event));
    place.addEventListener("click", ({ target }) => {
      const row = target.closest("[role=option]");
      if (row) this.choose(Number(row.dataset.place));
    });
    new ResizeObserver(() => this.follow()).observe(place);
  }

  /** How high a row is; the style sheet decides. */
  get rowHeight() {
    return parseFloat(getComputedStyle(this.place).getPropertyValue("--row")) || 48;
  }

  /** Shows another list, with this number of rows. */
  reset(total) {
    this.total = total;
    this.rows = [];
    this.height.style.height = `${total * this.rowHeight}px`;
    this.place.scrollTop = 0;
    return this.load();
  }

  /** Shows which row is chosen, and scrolls there if it is not seen. */
  mark(place) {
    this.chosen = place;
    const [top, height] = [place * this.rowHeight, this.rowHeight];
    const { scrollTop, clientHeight } = this.place;
    if (place >= 0 && (top < scrollTop || top + height > scrollTop + clientHeight)) this.place.scrollTop = top - clientHeight / 2 + height / 2;
    this.draw();
  }

  follow() {
    const first = Math.floor(this.place.scrollTop / this.rowHeight);
    const last = first + Math.ceil(this.place.clientHeight / this.rowHeight);
    const isThere = first >= this.first && Math.min(last, this.total) <= this.first + this.rows.length;
    if (!isThere) this.load();
  }

  async load() {
    const seen = Math.ceil(this.place.clientHeight / this.rowHeight);
    const first = Math.max(Math.floor(this.place.scrollTop / this.rowHeight) - SPARE, 0);
    const rows = this.total === 0 ? [] : await this.fetchRows(first, seen + 2 * SPARE);
    if (rows === null) return;
    this.first = first;
    this.rows = rows;
    this.draw();
    this.follow();
  }

  draw() {
    while (this.shown.childElementCount > this.rows.length) this.shown.lastElementChild.remove();
    while (this.shown.childElementCount < this.rows.length) {
      const row = document.createElement("div");
      row.setAttribute("role", "option");
      this.shown.append(row);
    }
    this.shown.style.transform = `translateY(${this.first * this.rowHeight}px)`;
    this.rows.forEach((entry, at) => {
      const row = this.shown.children[at];
      const place = this.first + at;
      row.id = `row-${place}`;
      row.dataset.place = place;
      row.setAttribute("aria-posinset", place + 1);
      row.setAttribute("aria-setsize", this.total);
      row.setAttribute("aria-selected", String(place === this.chosen));
      this.fill(row, entry);
    });
    const isThere = this.chosen >= this.first && this.chosen < this.first + this.rows.length;
    if (isThere) this.place.setAttribute("aria-activedescendant", `row-${this.chosen}`);
    else this.place.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const page = Math.max(Math.floor(this.place.clientHeight / this.rowHeight) - 1, 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.total, End: this.total }[event.key];
    if (step === undefined || this.total === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.choose(Math.min(Math.max(this.chosen + step, 0), this.total - 1));
  }
}
