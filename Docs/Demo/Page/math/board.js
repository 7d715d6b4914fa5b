// The board from above: nine sections in a circle, the star on the ninth, a pawn for each player.

const count = 9;
const [middle, outer, inner] = [200, 194, 98];
const tones = ["#ffd9c7", "#cfe8ff", "#d9f2d0", "#f6dcf5", "#fff0b8", "#cdeee9", "#e3ddff", "#ffe0ea"];

function element(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function at(radius, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [middle + radius * Math.cos(angle), middle + radius * Math.sin(angle)];
}

/** Where a section's middle lies: the first on top, then clockwise. */
function degrees(section) {
  return -90 + ((section - 1) * 360) / count;
}

function wedge(section) {
  const half = 180 / count - 0.7;
  const [from, to] = [degrees(section) - half, degrees(section) + half];
  const round = (place) => place.map((number) => number.toFixed(2)).join(" ");
  return `M${round(at(outer, from))}A${outer} ${outer} 0 0 1 ${round(at(outer, to))}`
    + `L${round(at(inner, to))}A${inner} ${inner} 0 0 0 ${round(at(inner, from))}Z`;
}

function star(x, y, size) {
  const points = [];
  for (let corner = 0; corner < 10; corner += 1) {
    const radius = corner % 2 ? size * 0.45 : size;
    const angle = (-90 + corner * 36) * (Math.PI / 180);
    points.push(`${(x + radius * Math.cos(angle)).toFixed(1)},${(y + radius * Math.sin(angle)).toFixed(1)}`);
  }
  return element("polygon", { points: points.join(" "), class: "star" });
}

function pawn(player) {
  return element(
    "g", { class: `pawn player-${player}` },
    element("ellipse", { cx: 0, cy: 17, rx: 17, ry: 5, class: "shadow" }),
    element("path", { d: "M-15 17c0-9 7-12 8-20a11 11 0 1 1 14 0c1 8 8 11 8 20z" }),
    element("text", { y: -6.5 }),
  );
}

/** Draws the board and moves its pawns. */
export class Board {
  #pawns = [pawn(0), pawn(1)];
  #sections = [];
  #places = [1, 1];
  #node;

  /** @param {SVGElement} node an empty drawing. */
  constructor(node) {
    this.#node = node;
    node.setAttribute("viewBox", "0 0 400 400");
    node.setAttribute("role", "img");
    for (let section = 1; section <= count; section += 1) {
      const isTarget = section === count;
      const [x, y] = at(isTarget ? 172 : 174, degrees(section));
      const label = element("text", { x, y, class: "number" });
      label.textContent = section;
      const shape = element("path", { d: wedge(section), class: isTarget ? "section target" : "section" });
      if (!isTarget) shape.setAttribute("fill", tones[section - 1]);
      this.#sections.push(shape);
      node.append(shape);
      if (isTarget) node.append(star(x, y, 24));
      node.append(label);
    }
    node.append(element("circle", { cx: middle, cy: middle, r: inner - 5, class: "middle" }));
    node.append(...this.#pawns);
    this.place([1, 1]);
  }

  /** Names the pawns by the first letters of the players' names. */
  name(names) {
    for (const [player, name] of names.entries()) {
      this.#pawns[player].querySelector("text").textContent = [...name][0].toUpperCase();
    }
  }

  /** Puts pawns on sections. */
  place(sections) {
    this.#places = [...sections];
    for (const [player, section] of sections.entries()) {
      // Two on one section stand beside each other.
      const shift = sections[0] === sections[1] ? (player ? 9.5 : -9.5) : 0;
      const [x, y] = at(128, degrees(section) + shift);
      this.#pawns[player].style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
    for (const [index, shape] of this.#sections.entries()) {
      shape.classList.toggle("taken", sections.includes(index + 1));
    }
  }

  /** Shows whose turn it is; null for nobody's. */
  turn(player) {
    for (const [index, node] of this.#pawns.entries()) node.classList.toggle("active", index === player);
    if (player !== null) this.#node.append(this.#pawns[player]);
  }

  /** Moves a pawn section by section, with a pause of so many milliseconds after each, unless it is over. */
  async move(player, way, pause, onStep, isOver = () => false) {
    for (const [step, section] of way.entries()) {
      if (isOver()) return;
      const sections = [...this.#places];
      sections[player] = section;
      this.place(sections);
      onStep(step, section);
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
