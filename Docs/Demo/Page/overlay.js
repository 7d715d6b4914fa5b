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
  for (const die of dice) {
    const box = {
      x: (die.x * columns) / width,
      y: (die.y * rows) / height,
      width: (die.width * columns) / width,
      height: (die.height * rows) / height,
    };
    const isSure = die.isStill !== false && die.value > 0;
    outline(context, box, isSure);
    const value = die.value || die.likeliest;
    if (value) tag(context, box, String(value), isSure, columns);
  }
}

function outline(context, { x, y, width, height }, isSure) {
  const margin = 2;
  const radius = Math.min(10, width / 4, height / 4);
  context.beginPath();
  context.roundRect(x - margin, y - margin, width + 2 * margin, height + 2 * margin, radius);
  context.setLineDash([]);
  context.lineWidth = 4.5;
  context.strokeStyle = halo;
  context.stroke();
  context.setLineDash(isSure ? [] : [6, 5]);
  context.lineWidth = 2.5;
  context.strokeStyle = isSure ? color : "#ffffff";
  context.stroke();
}

function tag(context, { x, y, width, height }, text, isSure, columns) {
  context.font = `700 17px ${font}`;
  const wide = context.measureText(text).width + 14;
  const high = 25;
  // Above the box, or below it where there is no room.
  const top = y - 7 - high >= 2 ? y - 7 - high : y + height + 7;
  const left = Math.min(Math.max(2, x + width / 2 - wide / 2), columns - wide - 2);
  context.beginPath();
  context.roundRect(left, top, wide, high, 8);
  context.shadowColor = halo;
  context.shadowBlur = 5;
  context.fillStyle = isSure ? color : "#ffffff";
  context.fill();
  context.shadowBlur = 0;
  context.fillStyle = ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, left + wide / 2, top + high / 2 + 1);
}

/** Removes all boxes. */
export function clear(canvas) {
  canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
}
