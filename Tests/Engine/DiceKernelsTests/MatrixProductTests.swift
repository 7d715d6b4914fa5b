import DiceKernels
import TestSupport
import Testing

/// Two maps of matrices and their product, with gaps between pixels and rows.
private struct MatrixProductCase: CustomStringConvertible {
  var width: Int
  var termCount: Int
  var channelCount: Int
  var transposesFirst = false
  var transposesSecond = false
  /// Whether every seventh channel of the operands is followed by a gap.
  var hasGaps = false
  var height = 2

  var description: String {
    "\(width) x \(termCount) x \(channelCount), \(transposesFirst) \(transposesSecond) \(hasGaps)"
  }

  /// The channels' places in a pixel.
  private func slots(_ count: Int) -> [Int] {
    (0..<count).map { (channel) in channel + (hasGaps ? channel / 7 * 3 : 0) }
  }

  /// An operand whose channels lie in a map of zeros; `[height, rows, columns]`.
  private func operand(
    _ rows: Int, _ columns: Int, isTransposed: Bool, _ numbers: [Float]
  ) -> (memory: Guarded, make: (Address) -> MatrixProductTask.Operand, values: [Float]) {
    let (pixels, channels) = isTransposed ? (columns, rows) : (rows, columns)
    let slots = slots(channels)
    let step = (slots[channels - 1] + 16) / 16 * 16 + 16
    let rowStep = pixels * step + 3
    var values = [Float](repeating: 0, count: height * rowStep)
    for y in 0..<height {
      for row in 0..<rows {
        for column in 0..<columns {
          let (pixel, channel) = isTransposed ? (column, row) : (row, column)
          values[y * rowStep + pixel * step + slots[channel]] =
            numbers[(y * rows + row) * columns + column]
        }
      }
    }
    return (
      Guarded(values),
      { (address) in
        MatrixProductTask.Operand(
          address, columnStep: step, rowStep: rowStep, slots: slots, isTransposed: isTransposed)
      }, numbers
    )
  }

  /// Runs the case with every implementation and compares it with the reference, and that with sums in
  /// double precision.
  func check(isExact: Bool) {
    var generator = SeededGenerator(seed: UInt64(width * 1000 + termCount))
    let first = operand(
      width, termCount, isTransposed: transposesFirst,
      generator.values(height * width * termCount, exact: isExact))
    let second = operand(
      termCount, channelCount, isTransposed: transposesSecond,
      generator.values(height * termCount * channelCount, exact: isExact))
    let blockCount = (channelCount + 15) / 16
    let step = (blockCount + 1) * 16
    let rowStep = width * step + 5
    let left = first.make(first.memory.address)
    let offsets =
      transposesFirst
      ? (0..<min(termCount, MatrixProductTask.termsAtOnce)).map { (term) in
        term * left.columnStep
      } : [0]

    func run(_ body: (MatrixProductTask, Int) -> Void) -> Guarded {
      let output = Guarded(count: height * rowStep)
      offsets.withUnsafeBufferPointer { (offsets) in
        let task = MatrixProductTask(
          left, second.make(second.memory.address), termCount: termCount,
          termOffsets: OffsetList(offsets.baseAddress!, count: offsets.count),
          output: PixelGrid(output.address, columnStep: step, rowStep: rowStep), width: width,
          channelCount: channelCount)
        for row in 0..<height { body(task, row) }
      }
      withExtendedLifetime((first.memory, second.memory)) {}
      return output
    }

    let expected = run { (task, row) in
      ReferenceKernels.multiply(task, row: row, columns: 0..<width, blocks: 0..<blockCount)
    }
    let values = expected.values
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<step {
          let found = values[y * rowStep + x * step + c]
          guard c < blockCount * 16 else {
            expectEqual(found.bitPattern, Guarded.untouched)
            continue
          }
          var (sum, size) = (0.0, 0.0)
          for j in 0..<(c < channelCount ? termCount : 0) {
            let product =
              Double(first.values[(y * width + x) * termCount + j])
              * Double(second.values[(y * termCount + j) * channelCount + c])
            sum += product
            size += product.magnitude
          }
          #expect(abs(Double(found) - sum) <= Double(termCount + 2) * 0x1p-24 * size, "\(self)")
        }
      }
    }
    for implementation in implementations {
      let kernels = Kernels(implementation)
      let scratch = Guarded(count: MatrixProductTask.scratchCount)
      let found = run { (task, row) in
        // Columns in two parts, blocks as many as are packed at once.
        let group = task.blocksAtOnce
        #expect(group >= 2 && group * min(termCount, 256) <= 512 && group <= 16)
        for columns in [0..<width / 3, width / 3..<width] where !columns.isEmpty {
          for block in stride(from: 0, to: blockCount, by: group) {
            kernels.multiply(
              task, row: row, columns: columns, blocks: block..<min(block + group, blockCount),
              scratch: scratch.address)
          }
        }
      }
      if isExact || isSeparate(implementation) {
        // Zeros of gaps between terms change no bit but the sign of a zero.
        #expect(
          zip(found.values, values).allSatisfy { (found, wanted) in
            found == wanted || found.bitPattern == wanted.bitPattern
          }, "\(implementation) \(self)")
      } else {
        let size = Float(termCount + 2) * 0x1p-23 * Float(termCount)
        #expect(
          zip(found.values, values).allSatisfy { (found: Float, wanted: Float) -> Bool in
            abs(found - wanted) <= size || found.bitPattern == wanted.bitPattern
          }, "\(implementation) \(self)")
      }
      let guards = Guarded.margin
      expectEqual(found.bits.prefix(guards), expected.bits.prefix(guards))
      expectEqual(found.bits.suffix(guards), expected.bits.suffix(guards))
      #expect(scratch.bits.prefix(guards).allSatisfy { $0 == Guarded.untouched })
      #expect(scratch.bits.suffix(guards).allSatisfy { $0 == Guarded.untouched })
    }
  }
}

@Suite struct MatrixProductTests {
  @Test(arguments: [false, true], [false, true])
  func everyImplementationAgreesWithTheReference(_ first: Bool, _ second: Bool) {
    var count = 0
    for hasGaps in [false, true] {
      for (width, terms, channels) in [
        (1, 1, 1), (3, 2, 15), (12, 16, 16), (13, 17, 33), (7, 64, 48), (5, 255, 9),
        (6, 256, 17), (4, 257, 32), (2, 700, 20), (50, 30, 260), (49, 64, 200),
      ] {
        for isExact in [true, false] {
          MatrixProductCase(
            width: width, termCount: terms, channelCount: channels, transposesFirst: first,
            transposesSecond: second, hasGaps: hasGaps
          ).check(isExact: isExact)
          count += 1
        }
      }
    }
    expectEqual(count, 44)
  }
}
