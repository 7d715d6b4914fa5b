// What is remembered on this device: names, language, sounds and what was chosen last.

/** What was remembered, whatever it is: any script of this address may have written it. */
export const remembered = (() => {
  try {
    const values = JSON.parse(localStorage.getItem("dice-math"));
    return values instanceof Object && !Array.isArray(values) ? values : {};
  } catch {
    return {};
  }
})();

/** Remembers more. */
export function remember(values) {
  Object.assign(remembered, values);
  try {
    localStorage.setItem("dice-math", JSON.stringify(remembered));
  } catch {
    // A browser that keeps nothing plays as well.
  }
}
