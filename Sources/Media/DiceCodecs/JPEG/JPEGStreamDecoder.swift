/// Decodes a sequential file whose only scan carries all components: row of units by row of units,
/// from compressed data to pixels.
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
    let block = JPEGMemory<Int16>(count: 64)
    let predictions = JPEGMemory<Int32>(count: 4)
    defer { withExtendedLifetime((self, zigzag, block, predictions)) {} }
    let plan = unsafe makePlan()
    try unsafe parser.bytes.withUnsafeBufferPointer { (bytes) throws(JPEGError) in
      guard let base = bytes.baseAddress else { return }
      try unsafe plan.withUnsafeBufferPointer { (plan) throws(JPEGError) in
        if frame.coding == .arithmetic {
          var reader = unsafe JPEGArithmeticReader(base: base, parser: parser, scan: scan)
          for row in 0..<frame.unitsHigh {
            try unsafe reader.decodeRow(
              units: frame.unitsWide, plan: plan, zigzag: zigzag.base, block: block.base)
            unsafe assembler.emit(unitRow: row, to: output)
          }
          return
        }
        var reader = unsafe JPEGEntropyReader(
          base: base, end: bytes.count, position: parser.position,
          restartInterval: parser.restartInterval, predictions: predictions.base)
        for row in 0..<frame.unitsHigh {
          try unsafe reader.decodeRow(
            units: frame.unitsWide, plan: plan, zigzag: zigzag.base, block: block.base)
          unsafe assembler.emit(unitRow: row, to: output)
        }
      }
    }
  }

  private func makePlan() -> [JPEGBlockPlan] {
    var plan: [JPEGBlockPlan] = unsafe []
    for (slot, component) in components.enumerated() {
      let plane = assembler.planes[component.index]
      let horizontal = frame.components[component.index].horizontal
      for row in 0..<frame.components[component.index].vertical {
        for column in 0..<horizontal {
          let offset = (row * plane.stride + column) * plane.blockSize
          unsafe plan.append(
            JPEGBlockPlan(
              slot: slot, dcTable: component.dcTable.memory.base,
              acTable: component.acTable.memory.base, quantization: component.quantization.base,
              output: plane.body + offset, stride: plane.stride,
              step: horizontal * plane.blockSize, blockSize: plane.blockSize))
        }
      }
    }
    return unsafe plan
  }
}
