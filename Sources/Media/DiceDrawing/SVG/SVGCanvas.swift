internal import DiceNumerics
public import DiceGeometry
public import DiceImaging

/// A drawing in Scalable Vector Graphics: sharp at every size, alone or over a picture.
///
/// What is drawn looks as on a ``Canvas`` of the same size, text included: letters are drawn as
/// strokes, so that no font is needed, with the text itself as a title for readers and search.
///
///     var drawing = SVGCanvas(width: 640, height: 480)
///     drawing.drawBox(die.boundingBox, label: "5  98 %", color: .forValue(5))
///     let file = drawing.document
public struct SVGCanvas: DrawingSurface, Hashable, Sendable {
  /// What lies under the drawing.
  public enum Backdrop: Hashable, Sendable {
    /// Nothing: the drawing can be laid over the picture.
    case none
    /// A picture that is part of the document.
    ///
    /// `bytes` is a whole PNG or JPEG file of a picture that stands upright; `mediaType` its kind.
    case embedded(bytes: [UInt8], mediaType: MediaType)
    /// A picture that stays where it is: its address, absolute or seen from the document, in which
    /// what is no letter of an address is written with `%`.
    case linked(address: String)
  }

  /// The kind of an embedded picture.
  public enum MediaType: String, Hashable, Sendable {
    /// Portable Network Graphics.
    case png = "image/png"
    /// JPEG.
    case jpeg = "image/jpeg"
  }

  /// Columns of the picture.
  public let width: Int
  /// Rows of the picture.
  public let height: Int
  /// What lies under the drawing.
  public let backdrop: Backdrop
  /// What the document shows, for readers; nothing is said where it is empty.
  public var title: String

  private var body = MarkupWriter()

  /// An empty drawing.
  ///
  /// - Precondition: `width` and `height` are positive.
  public init(width: Int, height: Int, backdrop: Backdrop = .none, title: String = "") {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    self.width = width
    self.height = height
    self.backdrop = backdrop
    self.title = title
  }

  /// The whole SVG file: UTF-8, without scripts, styles or fonts.
  public var document: [UInt8] {
    var file = MarkupWriter()
    file.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    write(to: &file, isStandalone: true)
    file.raw("\n")
    return file.bytes
  }

  /// The drawing as an `svg` element, as part of a page: it takes the width it is given.
  package func write(to file: inout MarkupWriter, isStandalone: Bool = false) {
    file.raw("<svg xmlns=\"http://www.w3.org/2000/svg\"")
    if isStandalone {
      file.attribute("width", Double(width))
      file.attribute("height", Double(height))
    }
    file.raw(" viewBox=\"0 0 ")
    file.numbers(Double(width), Double(height))
    file.raw("\" role=\"img\">")
    if !title.isEmpty {
      file.raw("<title>")
      file.text(title)
      file.raw("</title>")
    }
    file.raw("\n")
    switch backdrop {
    case .none: break
    case .embedded(let bytes, let mediaType):
      beginImage(&file)
      file.raw("data:")
      file.text(mediaType.rawValue)
      file.raw(";base64,")
      file.raw(Base64.encode(bytes))
      file.raw("\"/>\n")
    case .linked(let address):
      beginImage(&file)
      file.text(address)
      file.raw("\"/>\n")
    }
    file.raw(body.bytes)
    file.raw("</svg>")
  }

  private func beginImage(_ file: inout MarkupWriter) {
    file.raw("<image")
    file.attribute("width", Double(width))
    file.attribute("height", Double(height))
    file.raw(" preserveAspectRatio=\"none\" href=\"")
  }

  // MARK: - Drawing

  /// Fills a box with round corners.
  public mutating func fill(_ box: BoundingBox, cornerRadius: Double = 0, color: PixelColor) {
    guard box.isProper, !box.isEmpty, cornerRadius.isFinite, color.alpha > 0 else { return }
    begin(box, cornerRadius)
    body.paint("fill", "fill-opacity", color)
    body.raw("/>\n")
  }

  /// Draws the outline of a box, with its middle on the box's edges.
  public mutating func stroke(
    _ box: BoundingBox, cornerRadius: Double = 0, lineWidth: Double, color: PixelColor
  ) {
    guard box.isProper, cornerRadius.isFinite, lineWidth > 0, lineWidth.isFinite, color.alpha > 0
    else { return }
    begin(box, cornerRadius)
    body.raw(" fill=\"none\"")
    body.paint("stroke", "stroke-opacity", color)
    body.attribute("stroke-width", lineWidth)
    body.raw("/>\n")
  }

  /// Writes text, letter by letter as strokes; text with characters that have no strokes is written
  /// with whatever font there is, in the same width.
  public mutating func drawText(
    _ text: String, at origin: PixelPoint, size: Double, weight: TextWeight = .bold,
    color: PixelColor
  ) {
    guard let pen = Pen(size: size, weight: weight), origin.isFinite, color.alpha > 0,
      !text.isEmpty
    else { return }
    var hasGlyphs = true
    for scalar in text.unicodeScalars
    where scalar != "\n" && !StrokeFont.hasGlyph(scalar) { hasGlyphs = false }
    if !hasGlyphs {
      writeText(text, at: origin, size: pen.size, weight, color)
      return
    }
    body.raw("<path fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"")
    body.paint("stroke", "stroke-opacity", color)
    body.attribute("stroke-width", pen.width)
    body.raw(" d=\"")
    pen.layOut(text, at: origin) { (scalar, x, y) in
      writeGlyph(scalar, x: x, y: y, scale: pen.scale)
    }
    body.raw("\"/>\n")
  }

  /// Draws the way that something took, from faint at its first point to the full colour and width
  /// at its last one.
  public mutating func drawTrail(_ points: [PixelPoint], lineWidth: Double, color: PixelColor) {
    guard lineWidth > 0, lineWidth.isFinite, color.alpha > 0 else { return }
    for part in Trail(points).parts {
      let strength = (part.startStrength + part.endStrength) / 2
      body.raw("<path fill=\"none\" d=\"M")
      body.numbers(part.segment.startX, part.segment.startY)
      body.raw("L")
      body.numbers(part.segment.endX, part.segment.endY)
      body.raw("\"")
      body.paint(
        "stroke", "stroke-opacity", color.withOpacity(Double(color.alpha) / 255 * strength))
      body.attribute("stroke-width", lineWidth * (0.5 + 0.5 * strength))
      body.raw("/>\n")
    }
  }

  /// Draws a group with a title, which readers say and browsers show beside the pointer.
  public mutating func drawGroup(titled title: String, _ draw: (inout SVGCanvas) -> Void) {
    if title.isEmpty {
      draw(&self)
      return
    }
    body.raw("<g><title>")
    body.text(title)
    body.raw("</title>\n")
    draw(&self)
    body.raw("</g>\n")
  }

  // MARK: - Parts

  private mutating func begin(_ box: BoundingBox, _ cornerRadius: Double) {
    // Corners rather than sizes are limited, so that a huge box still ends outside the picture.
    let limit = 1e7
    func limited(_ value: Double) -> Double { min(max(value, -limit), limit) }
    let (left, top) = (limited(box.minX), limited(box.minY))
    body.raw("<rect")
    body.attribute("x", left)
    body.attribute("y", top)
    body.attribute("width", limited(box.maxX) - left)
    body.attribute("height", limited(box.maxY) - top)
    let radius = max(0, min(cornerRadius, min(box.width, box.height) / 2))
    if radius > 0 { body.attribute("rx", radius) }
  }

  private mutating func writeGlyph(
    _ character: Unicode.Scalar, x: Double, y: Double, scale: Double
  ) {
    StrokeFont.follow(character) { step in
      switch step {
      case .move(let a, let b):
        body.raw("M")
        body.numbers(x + a * scale, y + b * scale)
      case .line(let a, let b):
        body.raw("L")
        body.numbers(x + a * scale, y + b * scale)
      case .cubic(let x1, let y1, let x2, let y2, let a, let b):
        body.raw("C")
        body.numbers(
          x + x1 * scale, y + y1 * scale, x + x2 * scale, y + y2 * scale, x + a * scale,
          y + b * scale)
      case .quadratic(let x1, let y1, let a, let b):
        body.raw("Q")
        body.numbers(x + x1 * scale, y + y1 * scale, x + a * scale, y + b * scale)
      case .dot(let a, let b):
        body.raw("M")
        body.numbers(x + a * scale, y + b * scale)
        body.raw("h0")
      }
    }
  }

  private mutating func writeText(
    _ text: String, at origin: PixelPoint, size: Double, _ weight: TextWeight, _ color: PixelColor
  ) {
    body.raw("<text")
    body.attribute("x", origin.x)
    body.attribute("y", origin.y)
    body.attribute("font-size", size)
    body.attribute("textLength", Canvas.width(of: text, size: size, weight: weight))
    body.raw(" lengthAdjust=\"spacingAndGlyphs\" font-family=\"system-ui, sans-serif\"")
    if weight == .bold { body.raw(" font-weight=\"bold\"") }
    body.paint("fill", "fill-opacity", color)
    body.raw(">")
    body.text(text)
    body.raw("</text>\n")
  }
}

extension SVGCanvas: PolygonSurface {
  /// Fills a closed polygon; where it crosses itself, parts that are enclosed twice are outside.
  public mutating func fillPolygon(_ points: [PixelPoint], color: PixelColor) {
    guard points.count >= 3, points.allSatisfy({ (point) in point.isFinite }), color.alpha > 0
    else { return }
    body.raw("<path")
    body.paint("fill", "fill-opacity", color)
    body.raw(" fill-rule=\"evenodd\" d=\"")
    for (index, point) in points.enumerated() {
      body.raw(index == 0 ? "M" : "L")
      body.numbers(point.x, point.y)
    }
    body.raw("Z\"/>\n")
  }
}

extension SVGCanvas {
  /// Draws the outline of a box in dashes, with dark dashes in between.
  package mutating func strokeDashed(
    _ box: BoundingBox, lineWidth: Double, color: PixelColor
  ) {
    guard box.isProper, lineWidth > 0, lineWidth.isFinite else { return }
    stroke(
      box, cornerRadius: 0, lineWidth: lineWidth, color: PixelColor.black.withOpacity(0.6))
    begin(box, 0)
    body.raw(" fill=\"none\"")
    body.paint("stroke", "stroke-opacity", color)
    body.attribute("stroke-width", lineWidth)
    body.raw(" stroke-dasharray=\"")
    body.numbers(4 * lineWidth, 3 * lineWidth)
    body.raw("\"/>\n")
  }
}
