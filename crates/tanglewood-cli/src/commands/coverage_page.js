// Tables whose columns can be sorted: numbers from the largest down first, names from A on.
for (const table of document.querySelectorAll("table.sortable")) {
  const titles = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  titles.forEach((title, column) => {
    title.querySelector("button").addEventListener("click", () => {
      const value = (row) => row.cells[column].dataset.value;
      const first = column === 0 ? "ascending" : "descending";
      const second = column === 0 ? "descending" : "ascending";
      const order = title.getAttribute("aria-sort") === first ? second : first;
      for (const other of titles) other.removeAttribute("aria-sort");
      title.setAttribute("aria-sort", order);
      const compare = (a, b) =>
        column === 0
          ? a.cells[0].textContent.localeCompare(b.cells[0].textContent)
          : Number(value(a)) - Number(value(b));
      const rows = [...body.rows].sort(compare);
      if (order === "descending") rows.reverse();
      body.append(...rows);
    });
  });
}
