internal import DiceKernelTemplates

/// A value whose every number is one of the input's or a constant: slices, padding and resizing by the
/// nearest number.
///
/// `out[y, x, c] = in[rows[y], columns[x], channels[c]]`, or the constant where one of the three is nil.
final class GatherOperation: Operation {
  /// Where an output position lies in the input, along each axis; -1 for none.
  struct Positions: Hashable {
    var rows: [Int]
    var columns: [Int]
    var channels: [Int]

    /// Every position of a shape itself.
    init(all shape: ValueShape) {
      rows = Array(0..<shape.height)
      columns = Array(0..<shape.width)
      channels = Array(0..<shape.channelCount)
    }
  }

  let output: Value
  private let input: Value
  private let positions: Positions
  private let constant: Float
  private let keepsChannels: Bool

  init(_ positions: Positions, constant: Float = 0, from input: Value, to output: Value) {
    self.positions = positions
    self.constant = constant
    self.input = input
    self.output = output
    keepsChannels = positions.channels == Array(0..<input.shape.channelCount)
  }

  func forward(_ pass: Pass) {
    pass.forEachSample { sample in
      let (source, target) = (input.map, output.map)
      for (row, from) in positions.rows.enumerated() {
        let to = target.row(row, of: sample)
        for (column, fromColumn) in positions.columns.enumerated() {
          let pixel = to.advanced(by: column * target.pixelStep)
          guard from >= 0, fromColumn >= 0 else {
            for channel in 0..<target.channelCount { pixel.store(constant, at: channel) }
            continue
          }
          let inputPixel = source.row(from, of: sample)
            .advanced(by: fromColumn * source.pixelStep)
          if keepsChannels {
            copyPixel(inputPixel, to: pixel, count: target.channelCount, adds: false)
          } else {
            for (channel, place) in positions.channels.enumerated() {
              pixel.store(place < 0 ? constant : inputPixel.scalar(at: place), at: channel)
            }
          }
        }
      }
    }
  }

  func backward(_ pass: Pass) {
    guard let target = input.gradientTarget() else { return }
    pass.forEachSample { sample in
      target.begin(sample)
      let (source, map) = (output.gradient, target.map)
      for (row, to) in positions.rows.enumerated() where to >= 0 {
        let from = source.row(row, of: sample)
        let inputRow = map.row(to, of: sample)
        for (column, toColumn) in positions.columns.enumerated() where toColumn >= 0 {
          let pixel = from.advanced(by: column * source.pixelStep)
          let inputPixel = inputRow.advanced(by: toColumn * map.pixelStep)
          if keepsChannels {
            copyPixel(pixel, to: inputPixel, count: source.channelCount, adds: true)
          } else {
            for (channel, place) in positions.channels.enumerated() where place >= 0 {
              inputPixel.store(
                inputPixel.scalar(at: place) + pixel.scalar(at: channel), at: place)
            }
          }
        }
      }
    }
  }
}
