/// Decodes a sequential file whose only scan carries all components, from compressed data to pixels: row of units by
/// row of units, or, on several threads, stretch by stretch.
@safe struct JPEGStreamDecoder {
  private let parser: JPEGParser
  private let frame: JPEGFrame
  private let assembler: JPEGRowAssembler
  private let scan: JPEGScan
  private let components: [Component]

  private struct Component {
    let index: Int
    let dcTable: JPEGHuffmanTable
    let acTable: JPEGHuffmanTable
    let quantization: JPEGMemory<Int16>
  }

  init(
    parser: JPEGParser, frame: JPEGFrame, scan: JPEGScan, assembler: JPEGRowAssembler
  ) throws(JPEGError) {
    self.parser = parser
    self.frame = frame
    self.assembler = assembler
    self.scan = scan
    let isHuffman = frame.coding == .huffman
    var components: [Component] = []
    for component in scan.components {
      components.append(
        Component(
          index: component.index,
          dcTable: isHuffman ? try parser.dcTable(component.dcTable) : JPEGHuffmanTable(),
          acTable: isHuffman ? try parser.acTable(component.acTable) : JPEGHuffmanTable(),
          quantization: try parser.quantization(
            frame.components[component.index].quantizationIndex)))
    }
    self.components = components
  }

  /// Writes the whole picture, or throws having written part of it.
  func decode(to output: UnsafeMutablePointer<UInt8>) throws(JPEGError) {
    let zigzag = JPEGZigzag.table()
    defer { withExtendedLifetime((self, zigzag)) {} }
    let plan = unsafe makePlan()
    var failure: JPEGError?
    unsafe parser.bytes.withUnsafeBufferPointer { (bytes) in
      unsafe plan.withUnsafeBufferPointer { (plan) in
        do throws(JPEGError) {
          if frame.coding == .arithmetic {
            try unsafe decodeArithmetic(bytes, plan, zigzag, to: output)
          } else if assembler.pool == nil {
            try unsafe decodeInOrder(bytes, plan, zigzag, to: output)
          } else {
            try unsafe decodeInStretches(bytes, plan, zigzag, to: output)
          }
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }

  private func decodeArithmetic(
    _ bytes: UnsafeBufferPointer<UInt8>, _ plan: UnsafeBufferPointer<JPEGBlockPlan>,
    _ zigzag: JPEGMemory<UInt8>, to output: UnsafeMutablePointer<UInt8>
  ) throws(JPEGError) {
    guard let base = bytes.baseAddress else { return }
    let block = JPEGMemory<Int16>(count: 64)
    defer { withExtendedLifetime((self, zigzag, block)) {} }
    var reader = unsafe JPEGArithmeticReader(base: base, parser: parser, scan: scan)
    try unsafe assembleInOrder(to: output) { () throws(JPEGError) in
      try unsafe reader.decodeRow(
        units: frame.unitsWide, plan: plan, zigzag: zigzag.base, block: block.base)
    }
  }

  private func decodeInOrder(
    _ bytes: UnsafeBufferPointer<UInt8>, _ plan: UnsafeBufferPointer<JPEGBlockPlan>,
    _ zigzag: JPEGMemory<UInt8>, to output: UnsafeMutablePointer<UInt8>
  ) throws(JPEGError) {
    guard let base = bytes.baseAddress else { return }
    let block = JPEGMemory<Int16>(count: 64)
    let predictions = JPEGMemory<Int32>(count: 4)
    defer { withExtendedLifetime((self, zigzag, block, predictions)) {} }
    var reader = unsafe JPEGEntropyReader(
      base: base, end: bytes.count, position: parser.position,
      restartInterval: parser.restartInterval, predictions: predictions.base)
    try unsafe assembleInOrder(to: output) { () throws(JPEGError) in
      try unsafe reader.decodeRow(
        units: frame.unitsWide, plan: plan, zigzag: zigzag.base, block: block.base)
    }
  }

  private func assembleInOrder(
    to output: UnsafeMutablePointer<UInt8>, _ decodeRow: () throws(JPEGError) -> Void
  ) throws(JPEGError) {
    var failure: JPEGError?
    unsafe assembler.assemble(to: output) { (_, _) in
      do throws(JPEGError) { try decodeRow() } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }

  private func decodeInStretches(
    _ bytes: UnsafeBufferPointer<UInt8>, _ plan: UnsafeBufferPointer<JPEGBlockPlan>,
    _ zigzag: JPEGMemory<UInt8>, to output: UnsafeMutablePointer<UInt8>
  ) throws(JPEGError) {
    guard let base = bytes.baseAddress else { return }
    let stretches = (0..<assembler.partCount).map { (_) in
      unsafe JPEGStretch(
        capacity: JPEGParallelScan.capacity(frame, threadCount: assembler.partCount), plan: plan,
        zigzag: zigzag, base: base,
        end: bytes.count, position: parser.position, restartInterval: parser.restartInterval)
    }
    var scan = JPEGParallelScan(
      stretches, assembler: assembler, frame: frame, byteCount: bytes.count,
      hasIntervals: parser.restartInterval > 0)
    try unsafe scan.decode(to: output)
  }

  /// One entry for each block of a unit, in the order of their codes.
  func makePlan() -> [JPEGBlockPlan] {
    var plan: [JPEGBlockPlan] = unsafe []
    for (slot, component) in components.enumerated() {
      let plane = assembler.planes[component.index]
      let horizontal = frame.components[component.index].horizontal
      let vertical = frame.components[component.index].vertical
      for row in 0..<vertical {
        for column in 0..<horizontal {
          let offset = (row * plane.stride + column) * plane.blockSize
          unsafe plan.append(
            JPEGBlockPlan(
              slot: slot, dcTable: component.dcTable.memory.base,
              acTable: component.acTable.memory.base, quantization: component.quantization.base,
              output: plane.body() + offset, stride: plane.stride,
              step: horizontal * plane.blockSize,
              rowStep: vertical * plane.blockSize * plane.stride, blockSize: plane.blockSize))
        }
      }
    }
    return unsafe plan
  }
}
