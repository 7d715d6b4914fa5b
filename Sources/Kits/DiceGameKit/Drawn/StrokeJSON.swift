package import DiceFiles

/// Strokes as arrays of JSON.
package enum StrokeJSON {
  /// The strokes of `[[[x, y], ...], ...]`; places of other numbers count as no numbers.
  package static func drawing(_ value: JSONValue?) throws(DrawingError) -> Drawing {
    guard case .array(let strokes)? = value else { throw .emptyStroke(stroke: 0) }
    var drawing = Drawing()
    for (index, stroke) in strokes.enumerated() {
      guard case .array(let places) = stroke else { throw .emptyStroke(stroke: index) }
      var points: [StrokePoint] = []
      for (number, place) in places.enumerated() {
        guard case .array(let pair) = place, pair.count >= 2, let x = pair[0].number,
          let y = pair[1].number
        else { throw .coordinate(stroke: index, point: number) }
        points.append(StrokePoint(x: x, y: y))
      }
      drawing.strokes.append(Stroke(points))
    }
    return drawing
  }
}
