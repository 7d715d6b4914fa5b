internal import DiceCodecs
internal import DiceCommandLine
internal import DiceDrawing
internal import DiceFiles
internal import DiceGameKit
internal import DiceGeometry
internal import DiceImaging

/// Pictures of numbers that were read, in a folder.
struct NumberCopies {
  /// The longer side of a drawing's picture, in pixels.
  private static let drawingSide = 480.0
  private static let margin = 40.0

  private let folder: String
  private let isForced: Bool

  /// The copies that the arguments ask for; nil for none.
  ///
  /// - Throws: `ToolError.usage` for a folder that is read, `.file` where it cannot be made.
  init?(_ arguments: ParsedArguments) throws(ToolError) {
    guard let folder = arguments[NumbersCommand.annotate] else { return nil }
    self.folder = folder
    isForced = arguments.contains(OutputPlan.force)
    var plan = OutputPlan(arguments)
    plan.read(arguments.positionals)
    for path in arguments.positionals where path != "-" { plan.read(Paths.parent(of: path)) }
    try plan.keepApart(folder: folder, for: "--annotate")
    try OutputFile.createFolder(folder)
  }

  /// Writes a picture with the boxes of its numbers.
  func write(
    _ image: PixelImage, _ numbers: [PictureNumber], of path: String
  ) throws(ToolError) {
    var canvas = Canvas(AnnotatedCopies.upright(image))
    canvas.drawBoxes(
      numbers.flatMap { number in
        [
          BoxAnnotation(
            box: number.box,
            label: "\(number.text)  \(NumberText.percent(Double(number.confidence)))",
            shortLabel: number.text, color: PixelColor.forValue(number.digits[0].value))
        ]
      })
    try write(canvas.image, name: Self.name(of: path))
  }

  /// Writes a picture of a drawing, with the boxes of its digits.
  func write(
    _ drawing: Drawing, _ reading: NumberReading, of path: String, line: Int
  ) throws(ToolError) {
    let points = drawing.strokes.flatMap(\.points)
    let (left, right) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 0)
    let (top, bottom) = (points.map(\.y).min() ?? 0, points.map(\.y).max() ?? 0)
    let size = max(right - left, bottom - top)
    let fitting = (Self.drawingSide - 2 * Self.margin) / size
    let scale = size > 0 && fitting.isFinite ? fitting : 1
    func place(_ point: StrokePoint) -> PixelPoint {
      PixelPoint(
        x: Self.margin + (point.x - left) * scale, y: Self.margin + (point.y - top) * scale)
    }
    let width = Int(2 * Self.margin + (right - left) * scale)
    let height = Int(2 * Self.margin + (bottom - top) * scale)
    var canvas = Canvas(
      PixelImage(
        width: width, height: height, format: .rgb,
        samples: [UInt8](repeating: 255, count: 3 * width * height)))
    let rejected = Set(reading.rejected.flatMap { $0 })
    for (index, stroke) in drawing.strokes.enumerated() {
      let color = rejected.contains(index) ? PixelColor.otherValueColor : .black
      Self.draw(stroke.points.map(place), color: color, on: &canvas)
    }
    let boxes = reading.digits.map { digit in
      let places = digit.strokes.flatMap { drawing.strokes[$0].points }.map(place)
      let (xs, ys) = (places.map(\.x), places.map(\.y))
      return BoxAnnotation(
        box: BoundingBox(
          minX: (xs.min() ?? 0) - 6, minY: (ys.min() ?? 0) - 6, maxX: (xs.max() ?? 0) + 6,
          maxY: (ys.max() ?? 0) + 6),
        label: "\(digit.value)  \(NumberText.percent(Double(digit.confidence)))",
        shortLabel: "\(digit.value)", color: PixelColor.forValue(digit.value))
    }
    canvas.drawBoxes(boxes)
    try write(canvas.image, name: "\(Self.name(of: path))-\(line)")
  }

  /// Draws a line through places with a round pen.
  private static func draw(
    _ places: [PixelPoint], color: PixelColor, on canvas: inout Canvas
  ) {
    let width = 5.0
    for (index, end) in places.prefix(4096).enumerated() {
      let start = places[max(0, index - 1)]
      let (x, y) = (end.x - start.x, end.y - start.y)
      let steps = min(500, max(1, Int((x.magnitude + y.magnitude) / 1.5)))
      for step in 1...steps {
        let share = Double(step) / Double(steps)
        canvas.fill(
          BoundingBox(
            midX: start.x + share * x, midY: start.y + share * y, width: width, height: width),
          cornerRadius: width / 2, color: color)
      }
    }
  }

  private static func name(of path: String) -> String {
    path == "-"
      ? "standard-input" : Paths.removingExtension(of: Paths.lastComponent(of: path))
  }

  private func write(_ image: PixelImage, name: String) throws(ToolError) {
    let path = Paths.joined(folder, name + ".png")
    var plan = OutputPlan(isForced: isForced)
    plan.write(path, for: "--annotate", .signed, makesFolder: true)
    try plan.check()
    try OutputFile.write(Signature.added(to: PNGEncoder.encode(image)), to: path)
  }
}
