// The canvas to write on. Strokes are read while they are drawn.

const readEvery = 120;
/** What has moved less has not drawn. */
const stillPixels = 10;

/** Draws strokes and has them read. */
export class Pad {
  #canvas;
  #math;
  #onReading;
  #strokes = [];
  #current = null;
  #pointer = null;
  /** How large what draws is, in square pixels. */
  #area = 0;
  /** Whether a pen has written: then hands lie on the pad, and fingers are passed over until it is cleared. */
  #hasPen = false;
  /** The canvas's size when the first stroke began: in its pixels strokes are kept. */
  #size = null;
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
    this.#hasPen = false;
    this.#size = null;
    this.#rejected.clear();
    this.#math.clearInk();
    this.#draw();
  }

  #begin(event) {
    if (event.button > 0 || !this.#takes(event)) return;
    event.preventDefault();
    try {
      this.#canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that a script made cannot be captured.
    }
    this.#pointer = event.pointerId;
    this.#area = event.width * event.height;
    this.#hasPen ||= event.pointerType === "pen";
    this.#current = [];
    this.#size ??= [this.#canvas.clientWidth, this.#canvas.clientHeight];
    this.#add(event);
    this.#draw();
  }

  /** Whether what touches the canvas draws. A pen, or a smaller touch, follows on a palm that lies there. */
  #takes({ pointerType, width, height }) {
    if (this.#hasPen && pointerType === "touch") return false;
    if (this.#pointer === null) return true;
    if (pointerType === "pen") return !this.#hasPen;
    const [x, y] = this.#current;
    const isStill = this.#current.every((place, at) => Math.abs(place - (at % 2 ? y : x)) < stillPixels);
    return isStill && width * height <= this.#area;
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
    if (event.pointerId === this.#pointer) this.drop();
  }

  /** Gives up the stroke that is drawn just now. */
  drop() {
    this.#current = null;
    this.#pointer = null;
    this.#draw();
  }

  #add(event) {
    const box = this.#canvas.getBoundingClientRect();
    this.#current.push((event.clientX - box.left) / this.#scale, (event.clientY - box.top) / this.#scale);
  }

  /** How strokes are enlarged to be seen whole on a canvas that has another size since. */
  get #scale() {
    if (!this.#size || this.#canvas.clientWidth === 0) return 1;
    const [width, height] = this.#size;
    return Math.min(1, this.#canvas.clientWidth / width, this.#canvas.clientHeight / height);
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
    context.scale(density * this.#scale, density * this.#scale);
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
