internal import DiceKernelTemplates

/// Another number of rows and columns by bilinear interpolation: the weighted mean of the four numbers
/// around a place.
final class BilinearOperation: Operation {
  /// Along one axis, the positions around each output position's place and the second one's share.
  struct Places: Hashable {
    var first: [Int]
    var second: [Int]
    var share: [Float]

    /// The positions around each output position and the share of the second one.
    init(_ neighbours: [(first: Int, second: Int, share: Float)]) {
      first = neighbours.map { $0.first }
      second = neighbours.map { $0.second }
      share = neighbours.map { $0.share }
    }
  }

  let output: Value
  private let input: Value
  private let rows: Places
  private let columns: Places

  init(rows: Places, columns: Places, from input: Value, to output: Value) {
    self.rows = rows
    self.columns = columns
    self.input = input
    self.output = output
  }

  /// The shares of the four numbers: above left, above right, below left, below right.
  @inline(__always)
  private func shares(_ row: Int, _ column: Int) -> SIMD4<Float> {
    let (down, across) = (rows.share[row], columns.share[column])
    return SIMD4(
      (1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across)
  }

  func forward(_ pass: Pass) {
    let (source, target) = (input.map, output.map)
    pass.forEachSample { sample in
      for row in 0..<target.height {
        let above = source.row(rows.first[row], of: sample)
        let below = source.row(rows.second[row], of: sample)
        let to = target.row(row, of: sample)
        for column in 0..<target.width {
          let left = columns.first[column] * source.pixelStep
          let right = columns.second[column] * source.pixelStep
          let shares = shares(row, column)
          for channel in stride(from: 0, to: source.pixelStep, by: 8) {
            var sum = above.vector(at: left + channel, as: Channels.self) * shares[0]
            sum += above.vector(at: right + channel, as: Channels.self) * shares[1]
            sum += below.vector(at: left + channel, as: Channels.self) * shares[2]
            sum += below.vector(at: right + channel, as: Channels.self) * shares[3]
            to.store(sum, at: column * target.pixelStep + channel)
          }
        }
      }
    }
  }

  func backward(_ pass: Pass) {
    guard let target = input.gradientTarget() else { return }
    let (source, map) = (output.gradient, target.map)
    pass.forEachSample { sample in
      target.begin(sample)
      for row in 0..<source.height {
        let above = map.row(rows.first[row], of: sample)
        let below = map.row(rows.second[row], of: sample)
        let from = source.row(row, of: sample)
        for column in 0..<source.width {
          let left = columns.first[column] * map.pixelStep
          let right = columns.second[column] * map.pixelStep
          let shares = shares(row, column)
          for channel in stride(from: 0, to: map.pixelStep, by: 8) {
            let gradient = from.vector(at: column * source.pixelStep + channel, as: Channels.self)
            // One after the other: near an edge several are the same.
            for (row, offset, share) in [
              (above, left, shares[0]), (above, right, shares[1]), (below, left, shares[2]),
              (below, right, shares[3]),
            ] {
              row.store(
                row.vector(at: offset + channel, as: Channels.self) + gradient * share,
                at: offset + channel)
            }
          }
        }
      }
    }
  }
}
