/// Decodes files whose blocks are complete only after several scans: progressive ones, and sequential
/// ones whose components come one after the other.
///
/// All coefficients are kept, two bytes each.
final class JPEGCoefficientDecoder {
  private let frame: JPEGFrame
  private let assembler: JPEGRowAssembler
  private let coefficients: [JPEGMemory<Int16>]
  /// Latched at a component's first scan, as the file may redefine tables afterwards.
  private var quantizations: [JPEGMemory<Int16>?]
  /// For each component and coefficient the lowest bit that was decoded, -1 where none was.
  private var lowestBits: [[Int8]]
  private var work = 0

  /// The most blocks that all scans together may visit.
  ///
  /// 32 for each block of the picture and a million more; files in use visit a block 4 to 10 times.
  private let workLimit: Int

  init(frame: JPEGFrame, assembler: JPEGRowAssembler) {
    self.frame = frame
    self.assembler = assembler
    coefficients = frame.components.map {
      JPEGMemory(count: $0.paddedBlocksWide * $0.paddedBlocksHigh * 64)
    }
    quantizations = frame.components.map { _ in nil }
    lowestBits = frame.components.map { _ in [Int8](repeating: -1, count: 64) }
    workLimit = 1_048_576 + 32 * frame.blockCount
  }

  /// Decodes the first scan and all that follow, to the end of the image.
  ///
  /// The end-of-image marker may be missing where all bits of all coefficients are known.
  func decodeScans(_ parser: inout JPEGParser, first: JPEGScan) throws(JPEGError) {
    var scan = first
    while true {
      try decode(scan, &parser)
      do throws(JPEGError) {
        guard let next = try parser.nextScan() else { break }
        scan = next
      } catch {
        if case .truncated = error, isComplete { break }
        throw error
      }
    }
    for component in frame.components.indices where lowestBits[component][0] < 0 {
      throw .missingScan(component: component)
    }
  }

  private var isComplete: Bool { lowestBits.allSatisfy { $0.allSatisfy { $0 == 0 } } }

  private func decode(_ scan: JPEGScan, _ parser: inout JPEGParser) throws(JPEGError) {
    let kind = kind(of: scan)
    let isAlone = scan.components.count == 1
    let only = frame.components[scan.components[0].index]
    let units = isAlone ? only.blocksWide : frame.unitsWide
    let rows = isAlone ? only.blocksHigh : frame.unitsHigh
    for component in scan.components {
      let parameters = frame.components[component.index]
      work += isAlone ? units * rows : parameters.paddedBlocksWide * parameters.paddedBlocksHigh
      if quantizations[component.index] == nil {
        quantizations[component.index] = try parser.quantization(parameters.quantizationIndex)
      }
    }
    guard work <= workLimit else { throw .tooMuchScanWork(limit: workLimit) }

    let isHuffman = frame.coding == .huffman
    let tables = try scan.components.map { (component) throws(JPEGError) in
      (
        dc: isHuffman && (kind == .sequential || kind == .firstDC)
          ? try parser.dcTable(component.dcTable) : JPEGHuffmanTable(),
        ac: isHuffman && (kind == .sequential || kind == .firstAC || kind == .refiningAC)
          ? try parser.acTable(component.acTable) : JPEGHuffmanTable()
      )
    }
    let zigzag = JPEGZigzag.table()
    let predictions = JPEGMemory<Int32>(count: 4)
    defer { withExtendedLifetime((self, tables, zigzag, predictions)) {} }
    let plan = unsafe makePlan(scan, tables)
    let isSequential = kind == .sequential
    let band = JPEGBand(
      start: isSequential ? 0 : scan.spectralStart, end: isSequential ? 63 : scan.spectralEnd,
      shift: isSequential ? 0 : scan.approximationLow)
    let current = parser
    let start = current.position
    parser.position = try unsafe current.bytes.withUnsafeBufferPointer {
      (bytes) throws(JPEGError) -> Int in
      guard let base = bytes.baseAddress else { return start }
      return try unsafe plan.withUnsafeBufferPointer { (plan) throws(JPEGError) -> Int in
        if !isHuffman {
          var reader = unsafe JPEGArithmeticReader(base: base, parser: current, scan: scan)
          for row in 0..<rows {
            try unsafe reader.decodeRow(
              row, units: units, kind: kind, band: band, plan: plan, zigzag: zigzag.base)
          }
          return unsafe reader.position
        }
        var reader = unsafe JPEGEntropyReader(
          base: base, end: bytes.count, position: start,
          restartInterval: current.restartInterval, predictions: predictions.base)
        for row in 0..<rows {
          try unsafe reader.decodeRow(
            row, units: units, kind: kind, band: band, plan: plan, zigzag: zigzag.base)
        }
        return unsafe reader.bits.position
      }
    }
    for component in scan.components {
      for index in band.start...band.end {
        lowestBits[component.index][index] = Int8(band.shift)
      }
    }
  }

  private func kind(of scan: JPEGScan) -> JPEGScanKind {
    guard frame.process == .progressive else { return .sequential }
    return scan.spectralStart == 0
      ? scan.approximationHigh == 0 ? .firstDC : .refiningDC
      : scan.approximationHigh == 0 ? .firstAC : .refiningAC
  }

  /// One entry for each block of a unit of the scan, in the order of their codes.
  private func makePlan(
    _ scan: JPEGScan, _ tables: [(dc: JPEGHuffmanTable, ac: JPEGHuffmanTable)]
  ) -> [JPEGCoefficientPlan] {
    var plan: [JPEGCoefficientPlan] = unsafe []
    for (slot, component) in scan.components.enumerated() {
      let parameters = frame.components[component.index]
      let isAlone = scan.components.count == 1
      let horizontal = isAlone ? 1 : parameters.horizontal
      let vertical = isAlone ? 1 : parameters.vertical
      let rowLength = parameters.paddedBlocksWide
      for row in 0..<vertical {
        for column in 0..<horizontal {
          let block = unsafe coefficients[component.index].base + (row * rowLength + column) * 64
          unsafe plan.append(
            JPEGCoefficientPlan(
              slot: slot, dcTable: tables[slot].dc.memory.base,
              acTable: tables[slot].ac.memory.base, block: block, unitStep: horizontal * 64,
              rowStep: vertical * rowLength * 64))
        }
      }
    }
    return unsafe plan
  }

  /// Transforms all blocks and writes the picture, once every component's scans are decoded.
  func emit(to output: UnsafeMutablePointer<UInt8>) {
    defer { withExtendedLifetime(self) {} }
    unsafe assembler.assemble(to: output) { (place, unitRow) in
      for index in frame.components.indices {
        guard let quantization = quantizations[index] else { continue }
        defer { withExtendedLifetime(quantization) {} }
        let component = frame.components[index]
        let plane = assembler.planes[index]
        for row in 0..<component.vertical {
          let firstBlock = (unitRow * component.vertical + row) * component.paddedBlocksWide
          let source = unsafe coefficients[index].base + firstBlock * 64
          let target = unsafe plane.body(place) + row * plane.blockSize * plane.stride
          for column in 0..<component.paddedBlocksWide {
            unsafe JPEGInverseDCT.transform(
              source + 64 &* column, quantization.base, target + plane.blockSize &* column,
              plane.stride, blockSize: plane.blockSize)
          }
        }
      }
      return true
    }
  }
}
