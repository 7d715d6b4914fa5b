extension DigitBitmap {
  /// The marker's width that the library's networks know best, in samples.
  public static let markerWidth: Float = 2.8

  /// A picture of strokes, drawn with a marker and placed as MNIST places its digits: their bounding
  /// box fits into 20 by 20 samples with its shape kept, and the middle of their ink lies in the middle.
  ///
  /// A thin line would vanish at this size; the marker's width does not depend on the drawing's.
  /// Strokes beyond ``Drawing/strokeLimit`` are refused; no strokes give a black picture.
  ///
  /// - Parameters:
  ///   - drawing: strokes in any unit.
  ///   - markerWidth: the width of the line in samples; taken within 1...8.
  /// - Throws: the rule that the drawing breaks.
  /// - Complexity: O(points).
  public init(
    _ drawing: Drawing, markerWidth: Float = DigitBitmap.markerWidth
  ) throws(DrawingError) {
    let paths = try drawing.paths()
    guard !paths.isEmpty else {
      self.init(values: [UInt8](repeating: 0, count: Self.side * Self.side))
      return
    }
    self.init(InkGroup(paths), markerWidth: min(max(1, markerWidth), 8))
  }

  /// A picture of a group of paths.
  package init(_ group: InkGroup, markerWidth: Float = DigitBitmap.markerWidth) {
    let paths = group.normalized
    let radius = markerWidth / 2
    let scale = (20 - markerWidth) / 2
    // The middle of the ink: of the segments, each with its length.
    var (mass, sum) = (Float(0), SIMD2<Float>())
    for path in paths {
      // A dot weighs as much as a line as long as the marker is wide.
      let ends = markerWidth / scale / 2
      mass += ends
      sum += ends * (path[0] + path[path.count - 1]) / 2
      for place in 1..<max(1, path.count) {
        let length = InkPath.norm(path[place] - path[place - 1])
        mass += length
        sum += length * (path[place] + path[place - 1]) / 2
      }
    }
    let origin = SIMD2<Float>(repeating: Float(Self.side) / 2) - scale * sum / mass
    var ink = [Float](repeating: 0, count: Self.side * Self.side)
    for path in paths {
      var previous = origin + scale * path[0]
      for place in 0..<path.count {
        let next = origin + scale * path[place]
        Self.draw(from: previous, to: next, radius: radius, into: &ink)
        previous = next
      }
    }
    self.init(values: ink.map { UInt8(($0 * 255).rounded()) })
  }

  /// Draws a line with round ends: each sample is as bright as its middle lies within the line, with
  /// an edge one sample wide.
  private static func draw(
    from start: SIMD2<Float>, to end: SIMD2<Float>, radius: Float, into ink: inout [Float]
  ) {
    let reach = radius + 0.5
    func range(_ one: Float, _ other: Float) -> Range<Int> {
      let first = Int(min(max(0, (min(one, other) - reach).rounded(.up)), Float(side)))
      let last = Int(min(max(-1, (max(one, other) + reach).rounded(.down)), Float(side - 1)))
      return first..<max(first, last + 1)
    }
    let (columns, rows) = (range(start.x, end.x), range(start.y, end.y))
    let way = end - start
    let square = way.x * way.x + way.y * way.y
    for row in rows {
      for column in columns {
        let offset = SIMD2(Float(column), Float(row)) - start
        let share =
          square > 0 ? min(max(0, (offset.x * way.x + offset.y * way.y) / square), 1) : 0
        let distance = InkPath.norm(offset - share * way)
        let value = min(max(0, reach - distance), 1)
        let place = row * side + column
        if value > ink[place] { ink[place] = value }
      }
    }
  }

  init(values: [UInt8]) { samples = values }
}

extension Drawing {
  /// The checked paths of all strokes.
  package func paths() throws(DrawingError) -> [InkPath] {
    guard strokes.count <= Self.strokeLimit else {
      throw .strokeCount(found: strokes.count)
    }
    var paths: [InkPath] = []
    var origin: SIMD2<Double>?
    for (index, stroke) in strokes.enumerated() {
      let first = stroke.points.first.map { SIMD2($0.x, $0.y) }
      origin = origin ?? first
      paths.append(try InkPath(stroke, index: index, origin: origin ?? SIMD2()))
    }
    return paths
  }
}
