internal import DiceKernelTemplates

/// Numbers that are left out by chance while training; those that stay are enlarged, so that their
/// mean is kept.
///
/// Source: Srivastava et al., Dropout, 2014.
final class DropoutOperation: Operation {
  let output: Value
  private let input: Value
  private let rate: Float
  /// What tells this operation's chance from that of others.
  private let key: UInt64

  /// - Parameters:
  ///   - rate: the share that is left out, 0..<1.
  ///   - key: differs from those of other operations of the network.
  init(rate: Float, key: Int, from input: Value, to output: Value) {
    precondition(rate >= 0 && rate < 1, "something is left")
    self.rate = rate
    self.key = UInt64(truncatingIfNeeded: key)
    self.input = input
    self.output = output
  }

  /// Calls a function for every eight channels of a sample with the factor of each: 0, or what keeps
  /// the mean.
  ///
  /// The same step gives the same factors.
  private func forEachFactor(
    _ pass: Pass, _ sample: Int,
    _ body: (_ row: Int, _ column: Int, _ channel: Int, Channels) -> Void
  ) {
    guard let chance = pass.chance else {
      return forEachPlace { body($0, $1, $2, Channels(repeating: 1)) }
    }
    var random = TrainingRandom(chance.seed, UInt64(chance.step), UInt64(sample), key)
    let limit = SIMD8<UInt16>(repeating: UInt16(rate * 65536))
    let factor = Channels(repeating: 1 / (1 - rate))
    forEachPlace { (row, column, channel) in
      let (low, high) = (random.next(), random.next())
      let bits = SIMD8<UInt16>(
        UInt16(truncatingIfNeeded: low), UInt16(truncatingIfNeeded: low >> 16),
        UInt16(truncatingIfNeeded: low >> 32), UInt16(truncatingIfNeeded: low >> 48),
        UInt16(truncatingIfNeeded: high), UInt16(truncatingIfNeeded: high >> 16),
        UInt16(truncatingIfNeeded: high >> 32), UInt16(truncatingIfNeeded: high >> 48))
      let stays = SIMD8<Int32>(truncatingIfNeeded: bits) .>= SIMD8<Int32>(truncatingIfNeeded: limit)
      body(row, column, channel, Channels(repeating: 0).replacing(with: factor, where: stays))
    }
  }

  private func forEachPlace(_ body: (_ row: Int, _ column: Int, _ channel: Int) -> Void) {
    for row in 0..<output.shape.height {
      for column in 0..<output.shape.width {
        for channel in stride(from: 0, to: output.shape.channelCount, by: 8) {
          body(row, column, channel)
        }
      }
    }
  }

  func forward(_ pass: Pass) {
    let (source, target) = (input.map, output.map)
    pass.forEachSample { sample in
      forEachFactor(pass, sample) { (row, column, channel, factor) in
        let value = source.row(row, of: sample)
          .vector(at: column * source.pixelStep + channel, as: Channels.self)
        target.row(row, of: sample)
          .store(value * factor, at: column * target.pixelStep + channel)
      }
    }
  }

  func backward(_ pass: Pass) {
    guard let target = input.gradientTarget() else { return }
    let (source, map) = (output.gradient, target.map)
    pass.forEachSample { sample in
      forEachFactor(pass, sample) { (row, column, channel, factor) in
        var gradient = source.row(row, of: sample)
          .vector(at: column * source.pixelStep + channel, as: Channels.self)
        gradient *= factor
        let (to, place) = (map.row(row, of: sample), column * map.pixelStep + channel)
        if target.adds { gradient += to.vector(at: place, as: Channels.self) }
        to.store(gradient, at: place)
      }
    }
  }
}
