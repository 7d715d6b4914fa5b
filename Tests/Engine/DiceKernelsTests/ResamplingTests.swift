import DiceKernels
import TestSupport
import Testing

/// None of these kernels fuses a product with a sum: all implementations give the reference's bits.
@Suite struct ResamplingTests {
  /// Widths below, at and above the vectors of all implementations, and their sums.
  private static let widths = [0, 1, 3, 15, 16, 17, 31, 33, 63, 64, 65, 80, 127, 129, 200]

  /// Runs a task on rows in memory of their own that ends with the last byte of the last row.
  private func withRows(
    count: Int, width: Int, padding: Int, seed: UInt64, _ body: (SampleRows) -> Void
  ) {
    var generator = SeededGenerator(seed: seed)
    let byteCount = max(0, (count - 1) * (width + padding) + width)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
    defer { bytes.deallocate() }
    for index in bytes.indices {
      // The greatest samples, too: sums of 22 rows of them must fit.
      bytes[index] = seed % 3 == 0 ? 255 : UInt8.random(in: 0...255, using: &generator)
    }
    let base = bytes.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1)!
    body(
      SampleRows(
        UnsafeRawPointer(base), bytesPerRow: width + padding, rowCount: count,
        columnCount: width))
  }

  @Test func segmentsOfRowsGiveTheBitsOfTheReference() {
    var cases = 0
    for width in Self.widths {
      for count in [0, 1, 2, 5, 21, RowSegmentTask.rowLimit] {
        for (isFirst, padding) in [(true, 0), (false, 7)] {
          var generator = SeededGenerator(seed: UInt64(width * 100 + count))
          let (before, behind) = (generator.fractions(width), generator.fractions(width))
          withRows(count: count, width: width, padding: padding, seed: UInt64(width + count)) {
            (rows) in
            func run(_ kernel: (RowSegmentTask) -> Void) -> [[UInt32]] {
              let (before, behind) = (Guarded(before), Guarded(behind))
              kernel(
                RowSegmentTask(
                  rows: rows, sumWeight: 0.918_273, placeWeight: -0.123_457,
                  before: before.address, behind: behind.address, isFirst: isFirst))
              return [before.bits, behind.bits]
            }
            let expected = run(ReferenceKernels.addRowSegment)
            for implementation in implementations {
              expectEqual(
                run(Kernels(implementation).addRowSegment), expected,
                "\(implementation), \(count) rows of \(width)")
              cases += 1
            }
          }
        }
      }
    }
    expectEqual(cases, Self.widths.count * 12 * implementations.count)
  }

  @Test func segmentsShareSamplesAsTheTriangleSays() {
    // Three rows of weights 0.75, 0.5 and 0.25 before, and the rest behind.
    let bytes: [UInt8] = [8, 100, 16, 0, 32, 255]
    bytes.withUnsafeBytes { (bytes) in
      let (before, behind) = (Guarded([0, 0]), Guarded([1, 2]))
      Kernels().addRowSegment(
        RowSegmentTask(
          rows: SampleRows(bytes.baseAddress!, bytesPerRow: 2, rowCount: 3, columnCount: 2),
          sumWeight: 0, placeWeight: -0.25, before: before.address, behind: behind.address,
          isFirst: true))
      expectEqual(before.values, [23, 140.75])
      expectEqual(behind.values, [34, 216.25])
    }
  }

  @Test func weightedRowsGiveTheBitsOfTheReference() {
    var cases = 0
    for width in Self.widths {
      for count in [1, 2, 9, 40] {
        var generator = SeededGenerator(seed: UInt64(width * 50 + count))
        let weights = Guarded(generator.fractions(count))
        withRows(count: count, width: width, padding: width % 5, seed: UInt64(width)) { (rows) in
          func run(_ kernel: (WeightedRowsTask) -> Void) -> [UInt32] {
            let result = Guarded(count: width)
            kernel(
              WeightedRowsTask(rows: rows, weights: weights.address, result: result.address))
            return result.bits
          }
          let expected = run(ReferenceKernels.setWeightedRows)
          for implementation in implementations {
            expectEqual(run(Kernels(implementation).setWeightedRows), expected)
            cases += 1
          }
        }
      }
    }
    expectEqual(cases, Self.widths.count * 4 * implementations.count)
  }

  @Test(arguments: 1...4)
  func weightedColumnsGiveTheBitsOfTheReference(_ channelCount: Int) {
    var cases = 0
    for groupCount in 1...6 {
      for outputCount in [1, 2, 3, 4, 5, 7, 8, 21] {
        var generator = SeededGenerator(seed: UInt64(groupCount * 100 + outputCount))
        let start = outputCount * 3
        let firsts = (0..<outputCount).map { (index) in start + index * 5 / 2 }
        let pixelCount = firsts.last! - start + 4 * groupCount
        let row = Guarded(generator.fractions(pixelCount * channelCount + 4))
        let weights = Guarded(generator.fractions(outputCount * groupCount * 4))
        func run(_ kernel: (WeightedColumnsTask) -> Void) -> [UInt32] {
          let result = Guarded(count: outputCount * 4)
          firsts.withUnsafeBufferPointer { (firsts) in
            kernel(
              WeightedColumnsTask(
                row: row.address, channelCount: channelCount, start: start,
                firsts: firsts.baseAddress!, groupCount: groupCount, weights: weights.address,
                scale: 0.371, outputCount: outputCount, result: result.address))
          }
          // Lanes of no channel mean nothing, but for a single channel.
          return result.bits.enumerated().filter { (index, _) in
            let place = index - Guarded.margin
            return place < 0 || place >= outputCount * 4 || channelCount == 1
              || place % 4 < channelCount
          }.map(\.element)
        }
        let expected = run(ReferenceKernels.setWeightedColumns)
        for implementation in implementations {
          expectEqual(
            run(Kernels(implementation).setWeightedColumns), expected,
            "\(implementation), \(outputCount) outputs of \(groupCount) groups")
          cases += 1
        }
      }
    }
    expectEqual(cases, 48 * implementations.count)
  }

  @Test func pixelsAreWrittenWithTheBitsOfTheReference() {
    var cases = 0
    for (pixelStride, channelStride) in [(3, 1), (4, 1), (8, 2), (1, 40), (-3, 1), (-5, 1)] {
      for count in [1, 2, 3, 4, 9, 40] {
        for isReversed in [false, true] {
          var generator = SeededGenerator(seed: UInt64(count))
          // Some below 0, some above 255.
          let pixels = Guarded(generator.fractions(count * 4).map { (value) in 400 * value })
          let reach = (count - 1) * abs(pixelStride)
          func run(_ kernel: (PixelWritingTask) -> Void) -> [UInt32] {
            let output = Guarded(count: reach + 2 * channelStride + 1)
            kernel(
              PixelWritingTask(
                pixels: pixels.address, count: count, isReversed: isReversed,
                output: output.address.advanced(by: pixelStride < 0 ? reach : 0),
                pixelStride: pixelStride, channelStride: channelStride, scale: 1 / 255,
                bias: -0.5))
            return output.bits
          }
          let expected = run(ReferenceKernels.writePixels)
          for implementation in implementations {
            expectEqual(
              run(Kernels(implementation).writePixels), expected,
              "\(implementation), \(count) pixels \(pixelStride) apart")
            cases += 1
          }
        }
      }
    }
    expectEqual(cases, 72 * implementations.count)
  }
}
