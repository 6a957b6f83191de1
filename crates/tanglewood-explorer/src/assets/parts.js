// On a narrow screen one part of the page is seen at a time; on a wide one all are.

const buttons = [...document.querySelectorAll(".parts button")];

/** Brings a part to the front, where only one is seen. */
export function showPart(name) {
  document.body.dataset.part = name;
  for (const button of buttons) {
    if (button.dataset.part === name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

/** Up to these widths one part is seen at a time: without and with a list of sentences. */
const NARROW = { without: 760, with: 1000 };

/** Decides how many parts are seen. */
export function fitParts() {
  const sentences = document.getElementById("tree-view").classList.contains("with-sentences");
  document.body.classList.toggle("narrow", innerWidth <= NARROW[sentences ? "with" : "without"]);
}

window.addEventListener("resize", fitParts);
fitParts();

for (const button of buttons) button.addEventListener("click", () => showPart(button.dataset.part));

// The drawer with the text can be closed where it takes room from the drawing.
const toggle = document.getElementById("drawer-toggle");
toggle.addEventListener("click", () => {
  const open = toggle.getAttribute("aria-expanded") !== "true";
  toggle.setAttribute("aria-expanded", String(open));
  document.getElementById("drawer-body").hidden = !open;
});
