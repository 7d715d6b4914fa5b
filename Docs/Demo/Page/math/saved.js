// Games that are kept in the browser: one on the board and one practice, each as the module writes it.

const keys = { board: "dice-math-board", practice: "dice-math-practice" };

function stored(act) {
  try {
    return act(localStorage);
  } catch {
    // A browser that keeps nothing plays as well.
    return null;
  }
}

/** Keeps a game that has begun and is not over. */
export function keep(math, { play, phase, canUndo }) {
  if (phase === "won") forget(play);
  else if (canUndo) stored((storage) => storage.setItem(keys[play], math.save()));
}

/** Forgets a game. */
export function forget(play) {
  stored((storage) => storage.removeItem(keys[play]));
}

/** The text of a kept game, or null. */
export function kept(play) {
  return stored((storage) => storage.getItem(keys[play]));
}

/**
 * All kept games that can go on. Those that cannot be read are forgotten.
 *
 * @returns {{games: {play: string, state: object}[], problems: string[]}}
 */
export function offers(math) {
  const games = [];
  const problems = [];
  for (const play of Object.keys(keys)) {
    const saved = kept(play);
    if (saved === null) continue;
    try {
      const { state } = math.restore(saved);
      if (state.play !== play) throw new Error(`A game of the kind "${state.play}" is kept as "${play}".`);
      games.push({ play, state });
    } catch (error) {
      problems.push(error.message);
      forget(play);
    }
  }
  return { games, problems };
}
