// Taps and keys that come too fast.

/** The control that the latest tap was for. */
let tapped = null;

/**
 * Passes over the second tap of a double tap, and a key that is held, where they are for what has come in the place
 * of what the first one was for.
 */
export function passOverSecondTaps() {
  addEventListener("click", (event) => {
    const control = event.target.closest("button, label, a");
    if (event.detail > 1 && tapped !== null && tapped !== control && !tapped.checkVisibility()) {
      event.preventDefault();
      event.stopPropagation();
    } else tapped = control;
  }, true);
  addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter") event.preventDefault();
  }, true);
}
