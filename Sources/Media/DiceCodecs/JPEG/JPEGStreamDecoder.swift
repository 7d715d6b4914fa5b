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
    // One for each row of units at hand.
    var plans: [[JPEGBlockPlan]] = unsafe []
    for planes in assembler.windows {
      for place in 0..<assembler.windowRows { unsafe plans.append(makePlan(planes, place)) }
    }
    var failure: JPEGError?
    unsafe parser.bytes.withUnsafeBufferPointer { (bytes) in
      guard let base = bytes.baseAddress else { return }
      func assemble(_ decodeRow: (UnsafeBufferPointer<JPEGBlockPlan>) throws(JPEGError) -> Void) {
        unsafe assembler.assemble(to: output) { (window, place, _) in
          unsafe plans[window * assembler.windowRows + place].withUnsafeBufferPointer { (plan) in
            do throws(JPEGError) { try unsafe decodeRow(plan) } catch { failure = error }
          }
          return failure == nil
        }
      }
      if frame.coding == .arithmetic {
        var reader = unsafe JPEGArithmeticReader(base: base, parser: parser, scan: scan)
        unsafe assemble { (plan) throws(JPEGError) in
          try unsafe reader.decodeRow(
            units: frame.unitsWide, plan: plan, zigzag: zigzag.base, block: block.base)
        }
      } else {
        var reader = unsafe JPEGEntropyReader(
          base: base, end: bytes.count, position: parser.position,
          restartInterval: parser.restartInterval, predictions: predictions.base)
        unsafe assemble { (plan) throws(JPEGError) in
          try unsafe reader.decodeRow(
            units: frame.unitsWide, plan: plan, zigzag: zigzag.base, block: block.base)
        }
      }
    }
    if let failure { throw failure }
  }

  private func makePlan(_ planes: [JPEGPlane], _ unitRow: Int) -> [JPEGBlockPlan] {
    var plan: [JPEGBlockPlan] = unsafe []
    for (slot, component) in components.enumerated() {
      let plane = planes[component.index]
      let horizontal = frame.components[component.index].horizontal
      for row in 0..<frame.components[component.index].vertical {
        for column in 0..<horizontal {
          let offset = (row * plane.stride + column) * plane.blockSize
          unsafe plan.append(
            JPEGBlockPlan(
              slot: slot, dcTable: component.dcTable.memory.base,
              acTable: component.acTable.memory.base, quantization: component.quantization.base,
              output: plane.body(unitRow) + offset, stride: plane.stride,
              step: horizontal * plane.blockSize, blockSize: plane.blockSize))
        }
      }
    }
    return unsafe plan
  }
}
