// What is wrong with a name is said beside the field it was typed into, with names that may have been meant.

/** Says it; `choose(name)` is called if one of the nearest names is chosen. */
export function complainAt(field, refusal, choose) {
  const message = document.getElementById(`${field.id}-message`);
  const buttons = refusal.nearest.map((name) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    button.addEventListener("click", () => choose(name));
    return button;
  });
  message.replaceChildren(refusal.message, ...buttons);
  field.setAttribute("aria-invalid", "true");
}

/** All is well. */
export function contentWith(field) {
  document.getElementById(`${field.id}-message`).replaceChildren();
  field.removeAttribute("aria-invalid");
}
