// Digits as somebody may write them, in strokes of straight lines and arcs in a box 0.6 wide and 1 high.

/** Places on an ellipse from one angle to another, in degrees, clockwise as seen. */
function arc(x, y, width, height, from, to) {
  const places = [];
  const count = Math.max(4, Math.ceil(Math.abs(to - from) / 15));
  for (let step = 0; step <= count; step += 1) {
    const angle = ((from + ((to - from) * step) / count) * Math.PI) / 180;
    places.push([x + width * Math.cos(angle), y + height * Math.sin(angle)]);
  }
  return places;
}

const strokes = {
  0: [arc(0.3, 0.5, 0.28, 0.5, -80, -445)],
  1: [[[0.3, 0], [0.3, 1]]],
  2: [[...arc(0.3, 0.27, 0.27, 0.27, -170, 35), [0.04, 1], [0.6, 1]]],
  3: [[...arc(0.27, 0.25, 0.27, 0.25, -150, 80), ...arc(0.27, 0.74, 0.31, 0.26, -85, 150)]],
  4: [[[0.36, 0], [0.02, 0.62], [0.6, 0.62]], [[0.42, 0.32], [0.42, 1]]],
  5: [[[0.1, 0.02], [0.07, 0.42], ...arc(0.25, 0.69, 0.31, 0.31, -110, 150)], [[0.1, 0.02], [0.54, 0.02]]],
  6: [[[0.46, 0], [0.2, 0.3], ...arc(0.3, 0.71, 0.26, 0.29, -175, -545)]],
  7: [[[0.02, 0], [0.58, 0], [0.22, 1]]],
  8: [[...arc(0.3, 0.25, 0.23, 0.25, -60, -270), ...arc(0.3, 0.75, 0.27, 0.25, -90, 270), ...arc(0.3, 0.25, 0.23, 0.25, 90, -60)]],
  9: [[...arc(0.3, 0.28, 0.26, 0.28, -20, -380), [0.5, 1]]],
};

/** The stroke with places no further apart than a pen's. */
function dense(stroke, step) {
  const places = [stroke[0]];
  for (const [x, y] of stroke.slice(1)) {
    const [fromX, fromY] = places.at(-1);
    const count = Math.max(1, Math.ceil(Math.hypot(x - fromX, y - fromY) / step));
    for (let part = 1; part <= count; part += 1) {
      places.push([fromX + ((x - fromX) * part) / count, fromY + ((y - fromY) * part) / count]);
    }
  }
  return places;
}

/** Writes digits on a canvas, as a pen that is moved over it. */
export function draw(canvas, digits) {
  const { PointerEvent } = canvas.ownerDocument.defaultView;
  const box = canvas.getBoundingClientRect();
  const size = box.height * 0.62;
  const top = box.top + box.height * 0.19;
  const pointer = (name, x, y) => canvas.dispatchEvent(new PointerEvent(name, {
    bubbles: true, cancelable: true, pointerId: 3, pointerType: "pen", clientX: x, clientY: y,
  }));
  for (const [index, digit] of [...digits].entries()) {
    const left = box.left + box.width * 0.2 + index * size * 0.95;
    for (const stroke of strokes[digit]) {
      const places = dense(stroke, 0.06).map(([x, y]) => [left + x * size, top + y * size]);
      pointer("pointerdown", ...places[0]);
      for (const place of places.slice(1)) pointer("pointermove", ...place);
      pointer("pointerup", ...places.at(-1));
    }
  }
}
