internal import DiceKernels
internal import DiceWeights

extension PreparedStep {
  /// What is done with each row of results, in place: activations, and zeros in slots without a
  /// channel.
  struct Finish {
    /// The results as input and output.
    var map: MapTask
    /// What is applied to them, in order.
    var functions: [ActivationFunction]
    /// Slots that are set to zero, counted from the first channel of `map`.
    var gaps: [Int]

    /// Does some rows.
    ///
    /// - Parameter blocks: Blocks of 16 channels; nil for all.
    func perform(rows: Range<Int>, blocks: Range<Int>?, _ backend: Backend) {
      var (map, first) = (map, 0)
      if let blocks {
        first = blocks.lowerBound * channelGranularity
        map = map.slice(blocks)
      }
      for function in functions {
        backend.activate(map, function.advanced(by: first), rows: rows)
      }
      // Neighbouring gaps together.
      var index = 0
      while index < gaps.count {
        let gap = gaps[index]
        var count = 1
        while index + count < gaps.count, gaps[index + count] == gap + count { count += 1 }
        index += count
        let lower = max(gap, first)
        let upper = min(gap + count, first + map.channelCount)
        if lower < upper { clear(lower - first..<upper - first, of: map, rows: rows) }
      }
    }

    private func clear(_ slots: Range<Int>, of map: MapTask, rows: Range<Int>) {
      for row in rows {
        var pixel = map.output.advanced(by: row * map.outputRowStep + slots.lowerBound)
        for _ in 0..<map.width {
          unsafe pixel.pointer.update(repeating: 0, count: slots.count)
          pixel = pixel.advanced(by: map.outputColumnStep)
        }
      }
    }
  }

  /// The border of a buffer, to be zeroed before the first layer writes into it.
  @safe struct Border {
    /// The first number of the buffer, in the corner of the border.
    let start: UnsafeMutableRawPointer
    let region: ArenaLayout.Region
    let numberByteCount: Int
    /// What kernels may read behind the last pixel.
    var endByteCount = 0
    /// Whether the pixels are zeroed as well.
    var holdsPixels = false
    /// The byte that all of it is set to: what stands for 0.
    var zero: UInt8 = 0

    /// Zeroes what is left and right of the given rows, and what is above the first and below the
    /// last row where these are among them.
    func clear(rows: Range<Int>) {
      let halo = region.halo
      let rowByteCount = region.rowStep * numberByteCount
      let pixelByteCount = region.channelStep * numberByteCount
      if rows.lowerBound == 0 { clear(0..<halo.top * rowByteCount) }
      if holdsPixels {
        clear(
          (rows.lowerBound + halo.top) * rowByteCount..<(rows.upperBound + halo.top) * rowByteCount)
      }
      for row in rows where !holdsPixels && halo.left + halo.right > 0 {
        let left = (row + halo.top) * rowByteCount
        let right = left + (halo.left + region.width) * pixelByteCount
        clear(left..<left + halo.left * pixelByteCount)
        clear(right..<right + halo.right * pixelByteCount)
      }
      if rows.upperBound == region.height {
        let end = (region.height + halo.top) * rowByteCount
        clear(end..<end + halo.bottom * rowByteCount + endByteCount)
      }
    }

    private func clear(_ bytes: Range<Int>) {
      unsafe (start + bytes.lowerBound).initializeMemory(
        as: UInt8.self, repeating: zero, count: bytes.count)
    }
  }
}

extension [ActivationFunction] {
  /// Whether 0 stays 0 through all of them.
  var keepZero: Bool {
    for function in self where !function.keepsZero { return false }
    return true
  }

  /// The functions with what does several at once in place of those.
  ///
  /// A limit and a rounding, with a line before, behind or both: the rounding of 8-bit integers. A requantization
  /// and its limit.
  var joined: [ActivationFunction] {
    var result: [ActivationFunction] = []
    for function in self {
      switch (result.last, function) {
      case (.requantization(var task), .clamp(let lower, let upper))
      where task.lower == -.infinity && task.upper == .infinity:
        (task.lower, task.upper) = (lower, upper)
        result[result.count - 1] = .requantization(task)
      case (.clamp(let lower, let upper), .floor)
      where Swift.max(lower.magnitude, upper.magnitude) < 4_194_304:
        var line = SteppedLine(lower: lower, upper: upper)
        result.removeLast()
        if case .linear(let scale, let offset) = result.last {
          (line.scale, line.offset) = (scale, offset)
          result.removeLast()
        }
        result.append(.steps(line))
      case (.steps(var line), .linear(let scale, let offset))
      where line.step == 1 && line.start == 0:
        (line.step, line.start) = (scale, offset)
        result[result.count - 1] = .steps(line)
      default: result.append(function)
      }
    }
    return result
  }
}

extension ActivationFunction {
  /// Whether 0 stays 0.
  var keepsZero: Bool {
    switch self {
    case .identity, .leakyReLU, .parametricReLU, .silu, .hardSwish, .tanh, .elu, .gelu,
      .squareRoot, .absolute, .power, .floor, .errorFunction:
      true
    case .requantization(let task): task.lower <= 0 && task.upper >= 0
    case .clamp(let lower, let upper): lower <= 0 && upper >= 0
    case .linear(_, let offset): offset == 0
    case .steps(let line):
      line.start == 0 && line.offset >= 0 && line.offset < 1 && line.lower <= 0 && line.upper >= 0
    case .sigmoid, .hardSigmoid, .softplus, .exponential, .logarithm, .reciprocal, .table: false
    }
  }
}
