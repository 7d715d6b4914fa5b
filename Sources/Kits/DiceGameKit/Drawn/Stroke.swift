/// A place of the pen.
public struct StrokePoint: Hashable, Sendable {
  /// The place along the row: to the right, in any unit.
  public var x: Double
  /// The place along the column: **down**, in the unit of `x`.
  public var y: Double
  /// When the pen was there, in seconds from any beginning; nil where it is not known.
  public var time: Double?
  /// How hard it pressed, 0...1; nil where it is not known.
  public var pressure: Double?

  /// A place of the pen.
  public init(x: Double, y: Double, time: Double? = nil, pressure: Double? = nil) {
    self.x = x
    self.y = y
    self.time = time
    self.pressure = pressure
  }
}

/// What a pen or a finger draws from the moment it is put down until it is lifted.
public struct Stroke: Hashable, Sendable {
  /// The places in the order they were reached; one place is a dot.
  public var points: [StrokePoint]

  /// A stroke through these places; a drawing with an empty one is refused.
  public init(_ points: [StrokePoint] = []) { self.points = points }

  /// A stroke through these places, without times and pressure.
  public init(_ points: some Sequence<(x: Double, y: Double)>) {
    self.points = points.map { StrokePoint(x: $0.x, y: $0.y) }
  }
}

/// Strokes on one canvas, in the order they were drawn.
public struct Drawing: Hashable, Sendable {
  /// The strokes, in the order they were drawn.
  public var strokes: [Stroke]

  /// A drawing of these strokes.
  public init(_ strokes: [Stroke] = []) { self.strokes = strokes }

  /// The most strokes that are read.
  public static let strokeLimit = 256
  /// The most points of a stroke that are read.
  public static let pointLimit = 4_000_000
  /// The greatest magnitude of a coordinate.
  public static let coordinateLimit = 1e12
}

#if !hasFeature(Embedded)
  // What is kept may break the rules of drawings; whoever reads it says so.
  extension StrokePoint: Codable {}
  extension Stroke: Codable {}
  extension Drawing: Codable {}
#endif

/// Why a drawing cannot be read.
public enum DrawingError: Error, Hashable, Sendable {
  /// A stroke has no points.
  case emptyStroke(stroke: Int)
  /// A coordinate is no number, or its magnitude exceeds ``Drawing/coordinateLimit``.
  case coordinate(stroke: Int, point: Int)
  /// A stroke has more points than ``Drawing/pointLimit``.
  case pointCount(stroke: Int, found: Int)
  /// There are more strokes than ``Drawing/strokeLimit``.
  case strokeCount(found: Int)
}

extension DrawingError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .emptyStroke(let stroke): "Stroke \(stroke) has no points; one at least is required."
    case .coordinate(let stroke, let point):
      "Point \(point) of stroke \(stroke) has a coordinate that is no number of at most 1e12."
    case .pointCount(let stroke, let found):
      "Stroke \(stroke) has \(found) points; at most \(Drawing.pointLimit) are read."
    case .strokeCount(let found):
      "The drawing has \(found) strokes; at most \(Drawing.strokeLimit) are read."
    }
  }
}
