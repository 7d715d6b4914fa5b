// Boxes and values over the picture.

const color = "#34dba9";
const ink = "#06231a";
const halo = "rgb(0 0 0 / 45%)";
const font = 'ui-rounded, "SF Pro Rounded", system-ui, sans-serif';

/**
 * Draws dice over a picture.
 *
 * @param {HTMLCanvasElement} canvas lies over the picture and has its shape.
 * @param {{width: number, height: number, dice: object[]}} result boxes in pixels of the picture.
 */
export function draw(canvas, { width, height, dice }) {
  const density = window.devicePixelRatio || 1;
  const [columns, rows] = [canvas.clientWidth, canvas.clientHeight];
  const [wide, high] = [Math.round(columns * density), Math.round(rows * density)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const context = canvas.getContext("2d");
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, columns, rows);
  const boxes = dice.map((die) => ({
    x: (die.x * columns) / width,
    y: (die.y * rows) / height,
    width: (die.width * columns) / width,
    height: (die.height * rows) / height,
  }));
  const taken = [...boxes];
  for (const [index, die] of dice.entries()) outline(context, boxes[index], isSure(die));
  for (const [index, die] of dice.entries()) {
    const value = die.value || die.likeliest;
    if (!value) continue;
    const place = tagPlace(context, boxes[index], String(value), taken, { columns, rows });
    tag(context, place, String(value), isSure(die));
    taken.push(place);
  }
}

/** Whether a die lies still and is read. */
function isSure(die) {
  return die.isStill !== false && die.value > 0;
}

function outline(context, { x, y, width, height }, sure) {
  const margin = 2;
  const radius = Math.min(10, width / 4, height / 4);
  context.beginPath();
  context.roundRect(x - margin, y - margin, width + 2 * margin, height + 2 * margin, radius);
  context.setLineDash([]);
  context.lineWidth = 4.5;
  context.strokeStyle = halo;
  context.stroke();
  context.setLineDash(sure ? [] : [6, 5]);
  context.lineWidth = 2.5;
  context.strokeStyle = sure ? color : "#ffffff";
  context.stroke();
}

/** Where a value stands: beside its box, on the side where it hides least of other boxes and values. */
function tagPlace(context, box, text, taken, { columns, rows }) {
  context.font = `700 16px ${font}`;
  const [width, height, gap] = [context.measureText(text).width + 14, 24, 6];
  const middle = { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2 };
  const places = [
    { x: middle.x, y: box.y - gap - height },
    { x: box.x + box.width + gap, y: middle.y },
    { x: box.x - gap - width, y: middle.y },
    { x: middle.x, y: box.y + box.height + gap },
  ];
  let best = null;
  let least = Infinity;
  for (const { x, y } of places) {
    const place = {
      x: Math.min(Math.max(2, x), columns - width - 2),
      y: Math.min(Math.max(2, y), rows - height - 2), width, height,
    };
    const hidden = taken.reduce((sum, other) => sum + overlap(place, other), 0);
    if (hidden < least - 1) [best, least] = [place, hidden];
  }
  return best;
}

function overlap(a, b) {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}

function tag(context, { x, y, width, height }, text, sure) {
  context.setLineDash([]);
  context.beginPath();
  context.roundRect(x, y, width, height, 8);
  context.shadowColor = halo;
  context.shadowBlur = 5;
  context.fillStyle = sure ? color : "#ffffff";
  context.fill();
  context.shadowBlur = 0;
  context.fillStyle = ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x + width / 2, y + height / 2 + 1);
}

/** Removes all boxes. */
export function clear(canvas) {
  canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
}
