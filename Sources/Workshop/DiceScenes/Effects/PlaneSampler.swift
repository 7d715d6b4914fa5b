/// Reads planes between their pixels, at places that form a grid; borders repeat.
struct PlaneSampler {
  /// Two neighbouring columns or rows and the share of the second.
  private struct Place {
    var first: Int32
    var second: Int32
    var share: Float
  }

  private let width: Int
  private let height: Int
  private let columns: [Place]
  private let rows: [Place]

  /// A sampler of planes of a size.
  ///
  /// - Parameters:
  ///   - columns, rows: how many to read, and where each lies, counted from pixel centres.
  init(
    width: Int, height: Int, columns: Int, rows: Int, x: (Float) -> Float, y: (Float) -> Float
  ) {
    self.width = width
    self.height = height
    func places(_ count: Int, _ size: Int, _ place: (Float) -> Float) -> [Place] {
      (0..<count).map { index in
        let at = clamp(place(Float(index)), 0, Float(size - 1))
        let first = Int32(at)
        return Place(
          first: first, second: min(first + 1, Int32(size - 1)), share: at - Float(first))
      }
    }
    self.columns = places(columns, width, x)
    self.rows = places(rows, height, y)
  }

  /// What a plane holds at the places, row by row.
  func samples(of plane: [Float]) -> [Float] {
    precondition(plane.count == width * height, "a plane of this size")
    var result = [Float](repeating: 0, count: columns.count * rows.count)
    var line = [Float](repeating: 0, count: width)
    for (number, row) in rows.enumerated() {
      let above = Int(row.first) * width
      let below = Int(row.second) * width
      for x in stride(from: 0, to: width, by: 8) {
        let first = plane.eight(at: above + x)
        line.store(first + (plane.eight(at: below + x) - first) * row.share, at: x)
      }
      let start = number * columns.count
      for index in columns.indices {
        let column = columns[index]
        result[start + index] = mix(
          line[Int(column.first)], line[Int(column.second)], column.share)
      }
    }
    return result
  }
}
