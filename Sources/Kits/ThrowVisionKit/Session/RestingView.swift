internal import DiceFields
internal import DiceImaging

/// What lies on a field now and did not before: two views from straight above are compared.
struct RestingView: Sendable {
  /// A view at a time.
  private struct View: Sendable {
    var time: Double
    var samples: [UInt8]
  }

  /// Samples a centimetre, for a field of up to 200 of them.
  private let scale: Double
  private let columns: Int
  private let rows: Int
  private var views: [View] = []
  private var workspace = FieldPlane.ViewWorkspace()

  /// The seconds from one view to the next.
  private static let interval = 0.2
  private static let viewLimit = 16
  /// A sample that differs by more, beyond the change of the light, has changed.
  private static let threshold = 28
  /// The side of a thing that lies there, in centimetres, and the least part of that square that changes.
  private static let side = 16.0
  private static let leastShare = 0.2

  init(_ field: FieldPlane) {
    scale = min(1, 200 / max(field.width, field.height))
    columns = max(1, Int(field.width * scale))
    rows = max(1, Int(field.height * scale))
  }

  /// Forgets all views.
  mutating func reset() { views.removeAll() }

  /// Takes the view of a frame, now and then, or at once where it is needed.
  mutating func update(
    with frame: borrowing RawFrame, _ field: FieldPlane, at time: Double, isNeeded: Bool
  ) throws(ThrowSessionError) {
    guard isNeeded || time - (views.last?.time ?? -.infinity) >= Self.interval else { return }
    let view: PixelImage
    do throws(FieldError) {
      view = try field.topView(of: frame, pixelsPerCentimeter: scale, using: &workspace)
    } catch { throw .field(error) }
    // The oldest view's memory becomes the newest one's.
    var samples =
      views.count >= Self.viewLimit
      ? views.removeFirst().samples : [UInt8](repeating: 0, count: columns * rows)
    takeLuminance(of: view, into: &samples)
    views.append(View(time: time, samples: samples))
  }

  private func takeLuminance(of view: PixelImage, into result: inout [UInt8]) {
    for row in 0..<min(rows, view.height) {
      for column in 0..<min(columns, view.width) {
        let start = (row * view.width + column) * 3
        let (red, blue) = (Int(view.samples[start]), Int(view.samples[start + 2]))
        let green = Int(view.samples[start + 1])
        result[row * columns + column] = UInt8((red + 2 * green + blue) / 4)
      }
    }
  }

  /// Where something lies since a flight, in the field's unit; nil where nothing new does.
  ///
  /// The last view before the flight and the latest one, at least a fifth of a second after its end, are compared.
  ///
  /// - Returns: `isKnown` is false where there are no such views.
  func findNew(
    from start: Double, to end: Double
  ) -> (position: SIMD2<Double>?, isKnown: Bool) {
    guard let before = views.last(where: { $0.time < start }),
      let after = views.last, after.time >= end + 0.2
    else { return (nil, false) }
    var differences = [Int](repeating: 0, count: columns * rows)
    for index in differences.indices {
      differences[index] = Int(after.samples[index]) - Int(before.samples[index])
    }
    // The light may have changed for all.
    let light = differences.sorted()[differences.count / 2]
    let side = max(1, Int(Self.side * scale))
    let margin = max(1, Int(2 * scale))
    guard columns > 2 * margin + side, rows > 2 * margin + side else { return (nil, true) }
    func hasChanged(_ column: Int, _ row: Int) -> Bool {
      column >= margin && row >= margin && column < columns - margin && row < rows - margin
        && (differences[row * columns + column] - light).magnitude > Self.threshold
    }
    // The square with the most changed samples.
    var sums = [Int](repeating: 0, count: (columns + 1) * (rows + 1))
    for row in 0..<rows {
      for column in 0..<columns {
        sums[(row + 1) * (columns + 1) + column + 1] =
          sums[row * (columns + 1) + column + 1] + sums[(row + 1) * (columns + 1) + column]
          - sums[row * (columns + 1) + column] + (hasChanged(column, row) ? 1 : 0)
      }
    }
    func sum(_ column: Int, _ row: Int) -> Int { sums[row * (columns + 1) + column] }
    var best = (count: 0, column: 0, row: 0)
    for row in 0...rows - side {
      for column in 0...columns - side {
        let count =
          sum(column + side, row + side) - sum(column, row + side) - sum(column + side, row)
          + sum(column, row)
        if count > best.count { best = (count, column, row) }
      }
    }
    guard Double(best.count) >= Self.leastShare * Double(side * side) else { return (nil, true) }
    var place = SIMD2<Double>.zero
    for row in best.row..<best.row + side {
      for column in best.column..<best.column + side where hasChanged(column, row) {
        place += SIMD2(Double(column) + 0.5, Double(row) + 0.5)
      }
    }
    return (place / Double(best.count) / scale, true)
  }
}
