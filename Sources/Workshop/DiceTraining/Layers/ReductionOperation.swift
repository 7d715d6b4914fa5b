internal import DiceKernelTemplates

/// One number for all positions along some axes: the greatest, the mean or the sum.
final class ReductionOperation: Operation {
  /// What is taken of the numbers.
  enum Kind: Hashable {
    /// The greatest; its gradient goes to the first of equal ones.
    case maximum
    case mean
    case sum
  }

  let output: Value
  private let input: Value
  private let kind: Kind
  /// 0 along axes whose positions are taken together, else 1.
  private let rowFactor: Int
  private let columnFactor: Int
  private let takesChannels: Bool
  private let share: Float

  /// The axes along which the output has one position and the input more are taken together.
  init(_ kind: Kind, from input: Value, to output: Value) {
    self.kind = kind
    self.input = input
    self.output = output
    let (all, left) = (input.shape, output.shape)
    rowFactor = left.height == all.height ? 1 : 0
    columnFactor = left.width == all.width ? 1 : 0
    takesChannels = left.channelCount < all.channelCount
    let count =
      (all.height / left.height) * (all.width / left.width)
      * (all.channelCount / left.channelCount)
    share = kind == .mean ? 1 / Float(count) : 1
  }

  private func pixel(_ map: BatchMap, _ row: Int, _ column: Int, _ sample: Int) -> Address {
    map.row(row * rowFactor, of: sample).advanced(by: column * columnFactor * map.pixelStep)
  }

  func forward(_ pass: Pass) {
    let (source, target) = (input.map, output.map)
    pass.forEachSample { sample in
      begin(target, sample)
      for row in 0..<source.height {
        for column in 0..<source.width {
          let from = source.row(row, of: sample).advanced(by: column * source.pixelStep)
          let to = pixel(target, row, column, sample)
          if takesChannels {
            for channel in 0..<source.channelCount {
              let value = from.scalar(at: channel)
              let old = to.scalar(at: 0)
              to.store(kind == .maximum ? (value > old ? value : old) : old + value, at: 0)
            }
          } else {
            for channel in stride(from: 0, to: source.channelCount, by: 8) {
              let value = from.vector(at: channel, as: Channels.self)
              let old = to.vector(at: channel, as: Channels.self)
              to.store(
                kind == .maximum ? old.replacing(with: value, where: value .> old) : old + value,
                at: channel)
            }
          }
        }
      }
      finish(target, sample)
    }
  }

  /// Sets every number to what a sum or a greatest begins with.
  private func begin(_ map: BatchMap, _ sample: Int) {
    map.clear(sample)
    guard kind == .maximum else { return }
    mapValues(of: map, to: map, sample: sample) { (_, _) in Channels(repeating: -.infinity) }
  }

  /// Divides sums, and leaves zero in channels that are none.
  private func finish(_ map: BatchMap, _ sample: Int) {
    mapValues(of: map, to: map, sample: sample) { (value, _) in value * share }
  }

  func backward(_ pass: Pass) {
    guard let target = input.gradientTarget() else { return }
    pass.forEachSample { sample in
      target.begin(sample)
      if kind == .maximum {
        backpropagateMaximum(to: target.map, sample)
      } else {
        backpropagateSum(to: target.map, sample)
      }
    }
  }

  private func backpropagateSum(to map: BatchMap, _ sample: Int) {
    let count = map.channelCount
    for row in 0..<map.height {
      for column in 0..<map.width {
        let to = map.row(row, of: sample).advanced(by: column * map.pixelStep)
        let from = pixel(output.gradient, row, column, sample)
        for channel in stride(from: 0, to: count, by: 8) {
          let gradient =
            takesChannels
            ? Channels(repeating: from.scalar(at: 0))
            : from.vector(at: channel, as: Channels.self)
          var value = gradient * share
          if channel + 8 > count { value = firstChannels(value, count - channel) }
          to.store(to.vector(at: channel, as: Channels.self) + value, at: channel)
        }
      }
    }
  }

  private func backpropagateMaximum(to map: BatchMap, _ sample: Int) {
    let (source, gradient) = (input.map, output.gradient)
    // What has found its place is taken out, so that of equal numbers the first gets it all.
    for row in 0..<map.height {
      for column in 0..<map.width {
        let to = map.row(row, of: sample).advanced(by: column * map.pixelStep)
        let value = source.row(row, of: sample).advanced(by: column * source.pixelStep)
        let rest = pixel(gradient, row, column, sample)
        let greatest = pixel(output.map, row, column, sample)
        for channel in 0..<map.channelCount {
          let place = takesChannels ? 0 : channel
          guard value.scalar(at: channel) == greatest.scalar(at: place) else { continue }
          to.store(to.scalar(at: channel) + rest.scalar(at: place), at: channel)
          rest.store(0, at: place)
        }
      }
    }
  }
}
