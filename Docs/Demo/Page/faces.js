// Dice as small drawings.

const columns = { left: 10, middle: 20, right: 30 };
const corners = [["left", "left"], ["right", "right"], ["right", "left"], ["left", "right"]];
const sides = [["left", "middle"], ["right", "middle"]];
const center = [["middle", "middle"]];
const pips = [
  [], center, corners.slice(0, 2), [...corners.slice(0, 2), ...center], corners,
  [...corners, ...center], [...corners, ...sides],
];

function element(name, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

/** The face of a die; 0 for one that is not read. */
export function face(value) {
  const drawing = element("svg", { class: "face", viewBox: "0 0 40 40", role: "img" });
  drawing.setAttribute("aria-label", value === 0 ? "not read" : String(value));
  drawing.append(element("rect", { x: 1, y: 1, width: 38, height: 38, rx: 9 }));
  if (value >= 1 && value <= 6) {
    for (const [x, y] of pips[value]) {
      drawing.append(element("circle", { cx: columns[x], cy: columns[y], r: 3.9 }));
    }
  } else {
    const text = element("text", { x: 20, y: 20 });
    text.textContent = value === 0 ? "?" : String(value);
    drawing.append(text);
  }
  return drawing;
}

/** Puts faces into a list, one item each; nothing changes where they are there already. */
export function showFaces(list, values) {
  const key = values.join(" ");
  if (list.dataset.values === key) return;
  list.dataset.values = key;
  list.replaceChildren(
    ...values.map((value) => {
      const item = document.createElement("li");
      item.append(face(value));
      return item;
    }),
  );
}
