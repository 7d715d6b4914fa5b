public import DiceKernelTemplates

// What layers do that only move or gather numbers. There is one version for every instruction set.

/// Pixels copied from other places.
///
/// `output[y, x, target + k] = input[rowOffsets[y] + columnOffsets[x] + source + k * step]` for the
/// channels `k` of each run; `fill` where one of the offsets or `source` is negative. Without runs of
/// channels, whole pixels of `map.channelCount` numbers are copied or filled. The input's steps are not
/// used.
@safe public struct GatheringTask {
  /// Input and output.
  public var map: MapTask
  /// For each output row the distance of its input row.
  public var rowOffsets: UnsafePointer<Int>
  /// For each output column the distance of its input column.
  public var columnOffsets: UnsafePointer<Int>
  /// Which channels are copied, and where to.
  public var channels: SlotRuns?
  /// What is written where there is no input.
  public var fill: Float

  /// A task of the given parts.
  @unsafe
  public init(
    map: MapTask, rowOffsets: UnsafePointer<Int>, columnOffsets: UnsafePointer<Int>,
    channels: SlotRuns?, fill: Float
  ) {
    self.map = map
    unsafe self.rowOffsets = rowOffsets
    unsafe self.columnOffsets = columnOffsets
    self.channels = channels
    self.fill = fill
  }
}

/// Pairs of places in pixels, a pair for each channel.
@safe public struct SlotPairs {
  /// The pairs one after the other.
  public var pairs: UnsafePointer<Int>
  /// How many.
  public var count: Int

  /// So many pairs from a place in memory on.
  @unsafe
  public init(_ pairs: UnsafePointer<Int>, count: Int) {
    unsafe self.pairs = pairs
    self.count = count
  }

  /// The first place of a pair.
  @inline(__always)
  public func first(_ index: Int) -> Int { unsafe pairs[2 * index] }
  /// The second place of a pair.
  @inline(__always)
  public func second(_ index: Int) -> Int { unsafe pairs[2 * index + 1] }
}

/// One number for all positions along some axes.
@safe public struct ReductionTask {
  /// What is taken of the numbers.
  public enum Kind: Sendable {
    /// The greatest; minus infinity where all are NaN.
    case maximum
    /// Their sum over a divisor.
    case sum(divisor: Float)
    /// The place of the greatest one, the first of equal ones; 0 where all are NaN.
    case indexOfMaximum
  }

  /// The first pixel of the input and of the output, and their steps; `width` is the output's.
  public var map: MapTask
  /// What is taken of the numbers.
  public var kind: Kind
  /// Rows that are taken together; 1 where they are not.
  public var rowCount: Int
  /// Columns that are taken together; 1 where they are not.
  public var columnCount: Int
  /// For each channel of the input its place in a pixel.
  public var inputSlots: [Int]
  /// For each channel of the output its place in a pixel: one where channels are taken together.
  public var outputSlots: [Int]

  /// A task of the given parts.
  public init(
    map: MapTask, kind: Kind, rowCount: Int, columnCount: Int, inputSlots: [Int],
    outputSlots: [Int]
  ) {
    self.map = map
    self.kind = kind
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.inputSlots = inputSlots
    self.outputSlots = outputSlots
  }
}

extension ReferenceKernels {
  /// The rows `rows` of pixels copied from other places; the formula stands at `GatheringTask`.
  public static func gather(_ task: GatheringTask, rows: Range<Int>) {
    let map = task.map
    for y in rows {
      let row = unsafe task.rowOffsets[y]
      var output = map.output.advanced(by: y * map.outputRowStep)
      for x in 0..<map.width {
        let column = unsafe task.columnOffsets[x]
        let input = row < 0 || column < 0 ? nil : map.input.advanced(by: row + column)
        if let channels = task.channels {
          for index in 0..<channels.count {
            let run = channels[index]
            let target = output.advanced(by: run.target)
            if run.source >= 0, let input {
              copy(input.advanced(by: run.source), step: run.step, to: target, count: run.count)
            } else {
              let value = run.source == SlotRun.zero ? 0 : task.fill
              for k in 0..<run.count { target.store(value, at: k) }
            }
          }
        } else if let input {
          unsafe output.pointer.update(from: input.pointer, count: map.channelCount)
        } else {
          unsafe output.pointer.update(repeating: task.fill, count: map.channelCount)
        }
        output = output.advanced(by: map.outputColumnStep)
      }
    }
  }

  /// Numbers at equal distances, side by side.
  @inline(__always)
  private static func copy(_ source: Address, step: Int, to target: Address, count: Int) {
    var k = 0
    if step == 1 {
      while k &+ 4 <= count {
        target.store(source.vector(at: k, as: SIMD4<Float>.self), at: k)
        k &+= 4
      }
    } else if step == 2 {
      // A vector reads the number behind the last one it needs, which may not be there; the last one
      // reads the number before the first instead, some again.
      while k &+ 4 < count {
        target.store(source.vector(at: 2 &* k, as: SIMD8<Float>.self).evenHalf, at: k)
        k &+= 4
      }
      if k > 0 {
        k = count &- 4
        target.store(source.vector(at: 2 &* k &- 1, as: SIMD8<Float>.self).oddHalf, at: k)
        return
      }
    }
    while k < count {
      target.store(source.scalar(at: k &* step), at: k)
      k &+= 1
    }
  }

  /// Numbers in another order, output rows `rows`; the formula stands at `RearrangementTask`.
  public static func rearrange(_ task: RearrangementTask, rows: Range<Int>) {
    let map = task.map
    let channelCount = task.inputSlots.count
    var digits = SIMD8<Int>(repeating: 0)
    var rest = rows.lowerBound * map.width * task.outputSlots.count
    for axis in (0..<8).reversed() {
      digits[axis] = rest % task.extents[axis]
      rest /= task.extents[axis]
    }
    var place = 0
    for axis in 0..<8 { place += digits[axis] * task.strides[axis] }
    for y in rows {
      var output = map.output.advanced(by: y * map.outputRowStep)
      for _ in 0..<map.width {
        for slot in task.outputSlots {
          let (pixel, channel) = (place / channelCount, place % channelCount)
          let input =
            pixel / task.inputWidth * map.inputRowStep
            + pixel % task.inputWidth * map.inputColumnStep + task.inputSlots[channel]
          output.store(map.input.scalar(at: input), at: slot)
          var axis = 7
          while axis >= 0 {
            digits[axis] += 1
            place += task.strides[axis]
            if digits[axis] < task.extents[axis] { break }
            place -= digits[axis] * task.strides[axis]
            digits[axis] = 0
            axis -= 1
          }
        }
        output = output.advanced(by: map.outputColumnStep)
      }
    }
  }

  /// One number for all positions along some axes, output rows `rows`.
  ///
  /// A sum adds the channels of a pixel, then the pixels of a row, then the rows.
  public static func reduce(_ task: ReductionTask, rows: Range<Int>) {
    let map = task.map
    let together = task.outputSlots.count == 1 ? task.inputSlots.count : 1
    for y in rows {
      for x in 0..<map.width {
        let input = map.input.advanced(by: y * map.inputRowStep + x * map.inputColumnStep)
        let output = map.output.advanced(by: y * map.outputRowStep + x * map.outputColumnStep)
        for (c, slot) in task.outputSlots.enumerated() {
          var greatest = -Float.infinity
          var place = 0
          var index = 0
          var total: Float = 0
          for v in 0..<task.rowCount {
            var rowSum: Float = 0
            for u in 0..<task.columnCount {
              var sum: Float = 0
              for k in c..<c + together {
                let value = input.scalar(
                  at: v * map.inputRowStep + u * map.inputColumnStep + task.inputSlots[k])
                sum += value
                if value > greatest { (greatest, place) = (value, index) }
                index += 1
              }
              rowSum += sum
            }
            total += rowSum
          }
          switch task.kind {
          case .maximum: output.store(greatest, at: slot)
          case .sum(let divisor): output.store(total / divisor, at: slot)
          case .indexOfMaximum: output.store(Float(place), at: slot)
          }
        }
      }
    }
  }

  /// The softmax along the columns of the rows `rows`, for each of some places in a pixel.
  public static func softmaxOfColumns(_ map: MapTask, slots: [Int], rows: Range<Int>) {
    for y in rows {
      let input = map.input.advanced(by: y * map.inputRowStep)
      let output = map.output.advanced(by: y * map.outputRowStep)
      for slot in slots {
        var greatest = input.scalar(at: slot)
        for x in 1..<max(1, map.width) {
          let value = input.scalar(at: x * map.inputColumnStep + slot)
          if value > greatest { greatest = value }
        }
        var sum: Float = 0
        for x in 0..<map.width {
          let power = exponential(input.scalar(at: x * map.inputColumnStep + slot) - greatest)
          output.store(power, at: x * map.outputColumnStep + slot)
          sum += power
        }
        for x in 0..<map.width {
          let place = x * map.outputColumnStep + slot
          output.store(output.scalar(at: place) / sum, at: place)
        }
      }
    }
  }

  /// Two maps combined whose channels lie in different places.
  ///
  /// The results lie side by side. `task.map.channelCount` is not used.
  public static func combine(_ task: CombinationTask, channels: SlotPairs, rows: Range<Int>) {
    let map = task.map
    for y in rows {
      for x in 0..<map.width {
        let first = map.input.advanced(by: y * map.inputRowStep + x * map.inputColumnStep)
        let second = task.other.advanced(by: y * task.otherRowStep + x * task.otherColumnStep)
        let output = map.output.advanced(by: y * map.outputRowStep + x * map.outputColumnStep)
        for c in 0..<channels.count {
          output.store(
            value(
              of: task.operation, first.scalar(at: channels.first(c)),
              second.scalar(at: channels.second(c))), at: c)
        }
      }
    }
  }
}
