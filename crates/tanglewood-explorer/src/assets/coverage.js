// The table of systems: which of them build the tree, in which direction.

const signs = { true: "✓", false: "✗" };
const names = { ltr: "first word first", rtl: "last word first" };
const powers = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Shows the table; `choose` is told which system and direction to look at. */
export function showCoverage(body, rows, chosen, choose) {
  const known = new Map([...body.rows].map((row) => [row.dataset.system, row]));
  const shown = rows.map((entry) => {
    const row = known.get(entry.system) ?? newRow(entry, choose);
    for (const direction of ["ltr", "rtl"]) {
      const button = row.querySelector(`[data-direction="${direction}"]`);
      const covered = entry[direction];
      button.textContent = signs[covered];
      button.className = covered ? "yes" : "no";
      button.ariaLabel = `${entry.system}, ${names[direction]}: ${covered ? "covered" : "not covered"}`;
      button.title = covered ? "Show how" : "Show why not";
      button.ariaPressed = String(entry.system === chosen.system && direction === chosen.direction);
    }
    return row;
  });
  // Rows that stay where they are keep the focus.
  if (shown.length !== body.rows.length || shown.some((row, at) => row !== body.rows[at])) body.replaceChildren(...shown);
}

function newRow({ system, time }, choose) {
  const row = document.createElement("tr");
  row.dataset.system = system;
  const name = document.createElement("th");
  name.scope = "row";
  name.textContent = system;
  const cost = document.createElement("td");
  cost.textContent = `O(n${[...String(time)].map((digit) => powers[digit]).join("")})`;
  row.append(name, cost);
  for (const direction of ["ltr", "rtl"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.direction = direction;
    button.addEventListener("click", () => choose(system, direction));
    const cell = document.createElement("td");
    cell.append(button);
    row.append(cell);
  }
  return row;
}
