// The canvas to write on. Strokes are read while they are drawn.

const readEvery = 120;

/** Draws strokes and has them read. */
export class Pad {
  #canvas;
  #math;
  #onReading;
  #strokes = [];
  #current = null;
  #pointer = null;
  #rejected = new Set();
  #readTime = 0;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {import("./game.js").DiceMath} math its ink is open.
   * @param {(reading: object, isOver: boolean) => void} onReading what the strokes say; `isOver` is
   *   false while the pen is down.
   */
  constructor(canvas, math, onReading) {
    this.#canvas = canvas;
    this.#math = math;
    this.#onReading = onReading;
    canvas.addEventListener("pointerdown", (event) => this.#begin(event));
    canvas.addEventListener("pointermove", (event) => this.#go(event));
    canvas.addEventListener("pointerup", (event) => this.#end(event));
    canvas.addEventListener("pointercancel", (event) => this.#cancel(event));
    new ResizeObserver(() => this.#draw()).observe(canvas);
  }

  /** Whether a pen is down. */
  get isDrawing() {
    return this.#current !== null;
  }

  get isEmpty() {
    return this.#strokes.length === 0 && this.#current === null;
  }

  /** Takes the last stroke back. */
  undo() {
    if (this.#strokes.length === 0) return;
    this.#strokes.pop();
    this.#tell(this.#math.undoStroke(), true);
  }

  /** Takes all strokes away and says nothing about it. */
  clear() {
    this.#strokes = [];
    this.#current = null;
    this.#pointer = null;
    this.#rejected.clear();
    this.#math.clearInk();
    this.#draw();
  }

  #begin(event) {
    if (this.#pointer !== null || event.button > 0) return;
    event.preventDefault();
    try {
      this.#canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that a script made cannot be captured.
    }
    this.#pointer = event.pointerId;
    this.#current = [];
    this.#add(event);
    this.#draw();
  }

  #go(event) {
    if (event.pointerId !== this.#pointer) return;
    const events = event.getCoalescedEvents?.() ?? [];
    for (const each of events.length > 0 ? events : [event]) this.#add(each);
    this.#draw();
    if (performance.now() - this.#readTime < readEvery) return;
    this.#readTime = performance.now();
    this.#tell(this.#math.stroke(this.#current, false), false);
  }

  #end(event) {
    if (event.pointerId !== this.#pointer) return;
    const stroke = this.#current;
    this.#current = null;
    this.#pointer = null;
    this.#strokes.push(stroke);
    this.#tell(this.#math.stroke(stroke, true), true);
  }

  #cancel(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#current = null;
    this.#pointer = null;
    this.#draw();
  }

  #add(event) {
    const box = this.#canvas.getBoundingClientRect();
    this.#current.push(event.clientX - box.left, event.clientY - box.top);
  }

  #tell(reading, isOver) {
    this.#rejected = new Set(reading.rejected.flat());
    this.#draw();
    this.#onReading(reading, isOver);
  }

  #draw() {
    const canvas = this.#canvas;
    const density = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    const context = canvas.getContext("2d");
    context.scale(density, density);
    context.lineCap = "round";
    context.lineJoin = "round";
    context.lineWidth = 9;
    const color = getComputedStyle(canvas).color;
    const all = this.#current ? [...this.#strokes, this.#current] : this.#strokes;
    for (const [index, points] of all.entries()) {
      context.strokeStyle = color;
      context.globalAlpha = this.#rejected.has(index) && this.#current === null ? 0.35 : 1;
      context.beginPath();
      context.moveTo(points[0], points[1]);
      // A dot is a line to itself.
      if (points.length === 2) context.lineTo(points[0], points[1]);
      for (let at = 2; at < points.length; at += 2) context.lineTo(points[at], points[at + 1]);
      context.stroke();
    }
  }
}
