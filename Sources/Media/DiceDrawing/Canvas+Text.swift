public import DiceGeometry
public import DiceImaging

/// How thick the strokes of text are.
public enum TextWeight: UInt8, CaseIterable, Hashable, Sendable {
  /// For longer text.
  case regular
  /// For labels.
  case bold

  /// The width of the pen in units of the font.
  var penWidth: Double {
    switch self {
    case .regular: 3.4
    case .bold: 4.8
    }
  }
}

extension Canvas {
  /// The largest size of text in pixels; larger ones are drawn at this size.
  public static let maximumTextSize = 4096.0

  /// The width of a line of text, from the left edge of its first stroke to the right edge of its
  /// last one, in pixels.
  ///
  /// Of several lines the widest counts. 0 for no text, or a size that is not positive and finite.
  public static func width(of text: String, size: Double, weight: TextWeight = .bold) -> Double {
    guard let pen = Pen(size: size, weight: weight) else { return 0 }
    var widest = 0.0
    var width = 0.0
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        width = 0
        continue
      }
      width += pen.advance(scalar)
      widest = max(widest, width - pen.gap)
    }
    return widest
  }

  /// The height of capitals and digits, from edge to edge of their strokes, in pixels.
  public static func capHeight(size: Double, weight: TextWeight = .bold) -> Double {
    guard let pen = Pen(size: size, weight: weight) else { return 0 }
    return StrokeFont.capHeight * pen.scale + pen.width
  }

  /// Writes text.
  ///
  /// Printable ASCII and the signs × ° · – … have shapes of their own; an empty box stands for any
  /// other character. A line feed starts a new line, 1.3 sizes further down.
  ///
  /// - Parameters:
  ///   - text: What to write.
  ///   - origin: The left edge of the first stroke, and the lower edge of capitals.
  ///   - size: The size in pixels (one em); capitals are about 0.74 as high.
  ///   - weight: How thick the strokes are.
  ///   - color: The colour, with its opacity.
  public mutating func drawText(
    _ text: String, at origin: PixelPoint, size: Double, weight: TextWeight = .bold,
    color: PixelColor
  ) {
    guard let pen = Pen(size: size, weight: weight), origin.x.isFinite, origin.y.isFinite else {
      return
    }
    let stepCount = min(max(Int(pen.size / 8), 5), 24)
    pen.layOut(text, at: origin) { (scalar, x, y) in
      // Glyphs reach a little beyond their box, by less than an em.
      guard x < Double(width) + pen.size, x + pen.advance(scalar) > -pen.size,
        y < Double(height) + pen.size, y > -2 * pen.size
      else { return }
      let glyph = StrokeFont.glyph(scalar, stepCount: stepCount)
      paint(GlyphShape(glyph, x: x, y: y, pen: pen), color)
    }
  }
}

/// The pen that writes text of one size.
struct Pen {
  /// The size of an em in pixels.
  let size: Double
  /// Pixels for each unit of the font.
  let scale: Double
  /// The width of the strokes in pixels; thin strokes are drawn a little thicker.
  let width: Double
  /// The room between glyphs in pixels.
  let gap: Double

  /// Nil where the size is not positive and finite.
  init?(size: Double, weight: TextWeight) {
    guard size > 0, size.isFinite else { return nil }
    self.size = min(size, Canvas.maximumTextSize)
    scale = self.size / StrokeFont.unitsPerEm
    width = max(weight.penWidth * scale, min(1.2, self.size / 6))
    gap = StrokeFont.spacing * scale
  }

  /// From the left edge of a glyph to the left edge of the next.
  func advance(_ character: Unicode.Scalar) -> Double {
    StrokeFont.width(of: character) * scale + width + gap
  }

  /// Hands on every character that shows, with the place where its path begins.
  ///
  /// - Parameter origin: The left edge of the first stroke, and the lower edge of capitals; finite.
  func layOut(
    _ text: String, at origin: PixelPoint,
    _ draw: (_ character: Unicode.Scalar, _ x: Double, _ y: Double) -> Void
  ) {
    let left = origin.x + width / 2
    var x = left
    var y = origin.y - width / 2 - StrokeFont.capHeight * scale
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        x = left
        y += StrokeFont.lineHeight * size
        continue
      }
      if scalar != " " { draw(scalar, x, y) }
      x += advance(scalar)
    }
  }
}

/// The strokes of a glyph, which count once where they overlap.
struct GlyphShape: Shape {
  private let segments: [Segment]
  private let dots: [(x: Double, y: Double)]
  private let radius: Double
  private let dotRadius: Double
  private var box: BoundingBox

  /// A glyph with the origin of its path at a point.
  init(_ glyph: StrokeFont.Glyph, x: Double, y: Double, pen: Pen) {
    radius = pen.width / 2
    dotRadius = radius * 1.25
    var (minX, minY) = (Double.infinity, Double.infinity)
    var (maxX, maxY) = (-Double.infinity, -Double.infinity)
    func include(_ px: Double, _ py: Double) {
      minX = min(minX, px)
      maxX = max(maxX, px)
      minY = min(minY, py)
      maxY = max(maxY, py)
    }
    var segments: [Segment] = []
    segments.reserveCapacity(glyph.segments.count)
    for segment in glyph.segments {
      let moved = Segment(
        startX: x + segment.startX * pen.scale, startY: y + segment.startY * pen.scale,
        endX: x + segment.endX * pen.scale, endY: y + segment.endY * pen.scale)
      include(moved.startX, moved.startY)
      include(moved.endX, moved.endY)
      segments.append(moved)
    }
    var dots: [(x: Double, y: Double)] = []
    for dot in glyph.dots {
      dots.append((x + dot.x * pen.scale, y + dot.y * pen.scale))
      include(x + dot.x * pen.scale, y + dot.y * pen.scale)
    }
    self.segments = segments
    self.dots = dots
    let reach = dotRadius + 1
    box = BoundingBox(
      minX: minX - reach, minY: minY - reach, maxX: maxX + reach, maxY: maxY + reach)
  }

  var minY: Double { box.minY }
  var maxY: Double { box.maxY }

  func columns(at y: Double) -> (outer: Interval, hole: Interval?) {
    (Interval(minX: box.minX, maxX: box.maxX), nil)
  }

  func coverage(x: Double, y: Double) -> Double {
    var nearest = Double.infinity
    for segment in segments { nearest = min(nearest, segment.squaredDistance(x: x, y: y)) }
    var distance = nearest.magnitude.squareRoot() - radius
    for dot in dots {
      let (dx, dy) = (x - dot.x, y - dot.y)
      distance = min(distance, (dx * dx + dy * dy).magnitude.squareRoot() - dotRadius)
    }
    return 0.5 - distance
  }
}
