// Walks over a page as keyboards and screen readers do, and tells what they would miss.

function isShown(node) {
  return node.checkVisibility() && node.getClientRects().length > 0;
}

/** What a screen reader calls an element. */
function name(node) {
  const label = node.getAttribute("aria-label") ?? "";
  const labelled = [...(node.labels ?? [])].map((other) => other.textContent).join(" ");
  return (label || labelled || node.textContent).trim();
}

/** What is wrong, a sentence each. */
export function problems(document) {
  const found = [];
  const what = (node) => `<${node.localName}${node.id ? ` id="${node.id}"` : ""}>`;
  const controls = [...document.querySelectorAll("button, input, select, textarea, a[href]")].filter(isShown);
  for (const node of controls) {
    if (!name(node)) found.push(`${what(node)} has no name.`);
    if (node.tabIndex > 0) found.push(`${what(node)} changes the order of focus.`);
    if (node.tabIndex < 0) found.push(`${what(node)} cannot be reached with the keyboard.`);
    const { width, height } = (node.closest("label") ?? node).getBoundingClientRect();
    if (node.localName !== "a" && Math.min(width, height) < 44) {
      found.push(`${what(node)} is ${width.toFixed(0)} by ${height.toFixed(0)} pixels.`);
    }
  }
  for (const node of document.querySelectorAll("[onclick]")) found.push(`${what(node)} is no button.`);
  for (const node of [...document.querySelectorAll("[role=img]")].filter(isShown)) {
    if (!name(node)) found.push(`${what(node)} is a picture without words.`);
  }
  for (const node of [...document.querySelectorAll("svg, img")].filter(isShown)) {
    const isHidden = node.closest("[aria-hidden=true]") || node.getAttribute("alt") === "";
    if (!isHidden && !name(node)) found.push(`${what(node)} is neither named nor hidden.`);
  }
  if (!document.documentElement.lang) found.push("The page has no language.");
  if (!document.querySelector("[role=status][aria-live]")) found.push("Nothing is told to screen readers.");
  if ([...document.querySelectorAll("h1")].filter(isShown).length !== 1) found.push("There is not one h1.");
  if (!document.querySelector("main")) found.push("There is no main part.");
  return found;
}
