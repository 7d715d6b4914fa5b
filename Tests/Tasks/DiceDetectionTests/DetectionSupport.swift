import DiceDetection
import DiceKernels
import DiceNetwork

extension CandidateList {
  /// Adds the boxes of cells given one after the other, one row.
  mutating func append(
    cells: [[Float]], threshold: Float, stride: Int = 8, baseSize: Float = 10
  ) {
    let channelCount = cells[0].count
    var values = cells.flatMap { (cell) in cell }
    values.withUnsafeMutableBufferPointer { (buffer) in
      append(
        GridBoxHead(stride: stride, baseSize: baseSize, classCount: channelCount - 5),
        index: 3,
        values: OutputRegion(
          origin: Address(buffer.baseAddress!), rowStep: channelCount * cells.count,
          columnStep: channelCount, height: 1, width: cells.count,
          slots: Array(0..<channelCount)),
        confidenceThreshold: threshold)
    }
  }

  /// The boxes of cells given one after the other, one row.
  init(cells: [[Float]], threshold: Float) {
    self.init()
    append(cells: cells, threshold: threshold)
  }
}
