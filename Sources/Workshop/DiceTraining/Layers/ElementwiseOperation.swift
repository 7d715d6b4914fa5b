internal import DiceKernelTemplates

/// Two values combined number by number.
///
/// Along each axis both have the output's extent, or 1 and are repeated.
final class ElementwiseOperation: Operation {
  /// How two numbers are combined.
  enum Kind: Hashable {
    case addition
    case subtraction
    case multiplication
    case division
    case maximum
    case minimum
  }

  let output: Value
  private let kind: Kind
  private let first: Value
  private let second: Value

  init(_ kind: Kind, _ first: Value, _ second: Value, to output: Value) {
    self.kind = kind
    self.first = first
    self.second = second
    self.output = output
  }

  /// The numbers of an operand for those of the output.
  private struct Operand {
    let map: BatchMap
    let rowFactor: Int
    let columnStep: Int
    let repeatsChannels: Bool

    init(_ map: BatchMap, for output: BatchMap) {
      self.map = map
      rowFactor = map.height == output.height ? 1 : 0
      columnStep = map.width == output.width ? map.pixelStep : 0
      repeatsChannels = map.channelCount < output.channelCount
    }

    func row(_ row: Int, _ sample: Int) -> Address { map.row(row * rowFactor, of: sample) }

    @inline(__always)
    func load(_ pixel: Address, _ channel: Int) -> Channels {
      repeatsChannels
        ? Channels(repeating: pixel.scalar(at: 0)) : pixel.vector(at: channel, as: Channels.self)
    }

    /// Adds the gradient of a pixel's channels.
    @inline(__always)
    func add(_ gradient: Channels, to pixel: Address, _ channel: Int) {
      if repeatsChannels {
        pixel.store(pixel.scalar(at: 0) + gradient.sum(), at: 0)
      } else {
        pixel.store(pixel.vector(at: channel, as: Channels.self) + gradient, at: channel)
      }
    }
  }

  func forward(_ pass: Pass) {
    let target = output.map
    let (a, b) = (Operand(first.map, for: target), Operand(second.map, for: target))
    let count = target.channelCount
    pass.forEachSample { sample in
      for row in 0..<target.height {
        let to = target.row(row, of: sample)
        let (aRow, bRow) = (a.row(row, sample), b.row(row, sample))
        for column in 0..<target.width {
          let pixel = to.advanced(by: column * target.pixelStep)
          let aPixel = aRow.advanced(by: column * a.columnStep)
          let bPixel = bRow.advanced(by: column * b.columnStep)
          for channel in stride(from: 0, to: count, by: 8) {
            var value = combined(a.load(aPixel, channel), b.load(bPixel, channel))
            if channel + 8 > count { value = firstChannels(value, count - channel) }
            pixel.store(value, at: channel)
          }
        }
      }
    }
  }

  @inline(__always)
  private func combined(_ a: Channels, _ b: Channels) -> Channels {
    switch kind {
    case .addition: a + b
    case .subtraction: a - b
    case .multiplication: a * b
    case .division: a / b
    case .maximum: a.replacing(with: b, where: b .> a)
    case .minimum: a.replacing(with: b, where: b .< a)
    }
  }

  /// The derivatives by both numbers, times the gradient; of equal ones the first is the greatest and
  /// the smallest.
  @inline(__always)
  private func derivatives(
    _ g: Channels, _ a: Channels, _ b: Channels
  ) -> (Channels, Channels) {
    switch kind {
    case .addition: (g, g)
    case .subtraction: (g, -g)
    case .multiplication: (g * b, g * a)
    case .division: (g / b, -g * a / (b * b))
    case .maximum: (g.replacing(with: 0, where: b .> a), g.replacing(with: 0, where: b .<= a))
    case .minimum: (g.replacing(with: 0, where: b .< a), g.replacing(with: 0, where: b .>= a))
    }
  }

  func backward(_ pass: Pass) {
    let gradient = output.gradient
    let (a, b) = (Operand(first.map, for: gradient), Operand(second.map, for: gradient))
    let count = gradient.channelCount
    // One after the other: both may be the same value.
    for isFirst in [true, false] {
      guard let target = (isFirst ? first : second).gradientTarget() else { continue }
      let operand = Operand(target.map, for: gradient)
      pass.forEachSample { sample in
        target.begin(sample)
        for row in 0..<gradient.height {
          let fromRow = gradient.row(row, of: sample)
          let (aRow, bRow) = (a.row(row, sample), b.row(row, sample))
          let toRow = operand.row(row, sample)
          for column in 0..<gradient.width {
            let from = fromRow.advanced(by: column * gradient.pixelStep)
            let aPixel = aRow.advanced(by: column * a.columnStep)
            let bPixel = bRow.advanced(by: column * b.columnStep)
            let to = toRow.advanced(by: column * operand.columnStep)
            for channel in stride(from: 0, to: count, by: 8) {
              let parts = derivatives(
                from.vector(at: channel, as: Channels.self), a.load(aPixel, channel),
                b.load(bPixel, channel))
              var part = isFirst ? parts.0 : parts.1
              if channel + 8 > count { part = firstChannels(part, count - channel) }
              operand.add(part, to: to, channel)
            }
          }
        }
      }
    }
  }
}
