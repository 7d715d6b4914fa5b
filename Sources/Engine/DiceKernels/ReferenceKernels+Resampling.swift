public import DiceKernelTemplates

/// Resampling of pictures. `Kernels` gives the same bits.
extension ReferenceKernels {
  /// Adds rows of a segment to two outputs; the formula stands at `RowSegmentTask`.
  public static func addRowSegment(_ task: RowSegmentTask) {
    for x in 0..<task.rows.columnCount {
      var sum: UInt16 = 0
      var place: UInt16 = 0
      for k in 0..<task.rows.rowCount {
        let sample = UInt16(task.rows.sample(row: k, column: x))
        sum += sample
        place += UInt16(task.rows.rowCount - k) * sample
      }
      let falling = task.sumWeight * Float(sum) - task.placeWeight * Float(place)
      let rising = Float(sum) - falling
      let (before, behind) = (task.before.scalar(at: x), task.behind.scalar(at: x))
      task.before.store((task.isFirst ? behind : before) + falling, at: x)
      task.behind.store(task.isFirst ? rising : behind + rising, at: x)
    }
  }

  /// Sets one output from rows with a weight each; the formula stands at `WeightedRowsTask`.
  public static func setWeightedRows(_ task: WeightedRowsTask) {
    for x in 0..<task.rows.columnCount {
      var sum: Float = 0
      for k in 0..<task.rows.rowCount {
        sum += task.weights.scalar(at: k) * Float(task.rows.sample(row: k, column: x))
      }
      task.result.store(sum, at: x)
    }
  }

  /// Sets outputs from pixels with a weight each; the formula stands at `WeightedColumnsTask`.
  ///
  /// All four lanes of a result are written: those behind the channels repeat the first channel.
  public static func setWeightedColumns(_ task: WeightedColumnsTask) {
    for i in 0..<task.outputCount {
      let first = unsafe task.firsts[i] - task.start
      for lane in 0..<4 {
        let channel = lane < task.channelCount ? lane : 0
        var sums: SIMD4<Float> = .zero
        for k in 0..<4 * task.groupCount {
          sums[k % 4] +=
            task.weights.scalar(at: i * 4 * task.groupCount + k)
            * task.row.scalar(at: (first + k) * task.channelCount + channel)
        }
        task.result.store(
          ((sums[0] + sums[2]) + (sums[1] + sums[3])) * task.scale, at: i * 4 + lane)
      }
    }
  }

  /// Writes pixels into a network's input; the formula stands at `PixelWritingTask`.
  public static func writePixels(_ task: PixelWritingTask) {
    for i in 0..<task.count {
      for c in 0..<3 {
        let value = task.pixels.scalar(at: i * 4 + (task.isReversed ? 2 - c : c))
        task.output.store(
          min(max(value, 0), 255) * task.scale + task.bias,
          at: i * task.pixelStride + c * task.channelStride)
      }
    }
  }
}
