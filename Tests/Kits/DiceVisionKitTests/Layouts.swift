import DiceVisionKit

/// A picture of blocks that fill cells of the pattern network's input exactly.
struct Layout: Sendable, CustomStringConvertible {
  var rule: CropAndScale
  var region: NormalizedRect?
  /// An input cell in column `c` and row `r` covers upright pixels from
  /// `(originX + c * blockWidth, originY + r * blockHeight)` on.
  var originX: Int
  var originY: Int
  var blockWidth: Int
  var blockHeight: Int
  /// Cells that lie in the picture, as column, row and value, from left to right.
  var cells: [(column: Int, row: Int, value: Int)]

  static let width = 128
  static let height = 96
  private static let allCells = [
    (column: 0, row: 2, value: 6), (column: 2, row: 1, value: 1), (column: 2, row: 4, value: 3),
    (column: 3, row: 6, value: 5), (column: 5, row: 3, value: 2), (column: 7, row: 1, value: 4),
  ]
  private static let part = NormalizedRect(x: 0.25, y: 1.0 / 6, width: 0.5, height: 2.0 / 3)

  static let all = [
    // 128 x 96 at a half, with padding of a cell above and below.
    Layout(
      rule: .scaleFit, region: nil, originX: 0, originY: -16, blockWidth: 16, blockHeight: 16,
      cells: allCells),
    // The middle 96 x 96 at two thirds.
    Layout(
      rule: .centerCrop, region: nil, originX: 16, originY: 0, blockWidth: 12, blockHeight: 12,
      cells: allCells),
    // 64 / 128 across and 64 / 96 down.
    Layout(
      rule: .scaleFill, region: nil, originX: 0, originY: 0, blockWidth: 16, blockHeight: 12,
      cells: allCells),
    // The part 32...96 across and 16...80 down is as large as the input.
    Layout(
      rule: .scaleFit, region: part, originX: 32, originY: 16, blockWidth: 8, blockHeight: 8,
      cells: allCells),
    // The part 32...96 across and 0...32 down, at full size between padding of two cells.
    Layout(
      rule: .scaleFit, region: NormalizedRect(x: 0.25, y: 2.0 / 3, width: 0.5, height: 1.0 / 3),
      originX: 32, originY: -16, blockWidth: 8, blockHeight: 8,
      cells: [(column: 1, row: 2, value: 4), (column: 6, row: 5, value: 1)]),
    // The middle 32 x 32 of the same part, doubled.
    Layout(
      rule: .centerCrop, region: NormalizedRect(x: 0.25, y: 2.0 / 3, width: 0.5, height: 1.0 / 3),
      originX: 48, originY: 0, blockWidth: 4, blockHeight: 4, cells: allCells),
    // The same part, as it is across and doubled down.
    Layout(
      rule: .scaleFill, region: NormalizedRect(x: 0.25, y: 2.0 / 3, width: 0.5, height: 1.0 / 3),
      originX: 32, originY: 0, blockWidth: 8, blockHeight: 4, cells: allCells),
  ]

  var blocks: [Block] {
    cells.map { (cell) in
      Block(
        value: cell.value, x: originX + cell.column * blockWidth,
        y: originY + cell.row * blockHeight, width: blockWidth, height: blockHeight)
    }
  }

  var image: PixelImage { .blocks(blocks, width: Self.width, height: Self.height) }

  var description: String { "\(rule), region \(region.map { "\($0)" } ?? "none")" }
}

/// The ways in which a stored `.rgb` picture can lie in memory.
enum MemoryFormat: CaseIterable {
  case rgb, rgba, bgra, rgbWithPaddedRows
  case nv12, nv21, planar

  /// Calls `body` with the picture in this format.
  func withFrame<Result>(
    of image: PixelImage, _ body: (borrowing RawFrame) throws -> Result
  ) throws -> Result {
    let (width, height) = (image.width, image.height)
    func packed(_ format: RawFrame.PixelFormat, padding: Int = 0) throws -> StoredFrame {
      var bytes: [UInt8] = []
      for y in 0..<height {
        for x in 0..<width {
          let place = (y * width + x) * 3
          let (red, green, blue) = (
            image.samples[place], image.samples[place + 1], image.samples[place + 2]
          )
          switch format {
          case .bgra: bytes += [blue, green, red, 0]
          case .rgba: bytes += [red, green, blue, 0]
          default: bytes += [red, green, blue]
          }
        }
        bytes += [UInt8](repeating: 255, count: padding)
      }
      return try StoredFrame(
        pixels: bytes, format: format, width: width, height: height,
        bytesPerRow: width * format.channelCount + padding, orientation: image.orientation)
    }
    let encoding = YCbCrEncoding(.bt601, .full)
    switch self {
    case .rgb: return try packed(.rgb).withFrame(body)
    case .rgba: return try packed(.rgba).withFrame(body)
    case .bgra: return try packed(.bgra, padding: 12).withFrame(body)
    case .rgbWithPaddedRows: return try packed(.rgb, padding: 7).withFrame(body)
    case .nv12, .nv21:
      let planes = Self.planes(of: image)
      let isFirst = self == .nv12
      return try StoredFrame(
        luma: planes.luma,
        chroma: zip(planes.cb, planes.cr).flatMap { (cb, cr) in isFirst ? [cb, cr] : [cr, cb] },
        chromaOrder: isFirst ? .cbCr : .crCb, encoding: encoding, width: width, height: height,
        orientation: image.orientation
      ).withFrame(body)
    case .planar:
      let planes = Self.planes(of: image)
      return try planes.luma.withUnsafeBytes { (luma) in
        try planes.cb.withUnsafeBytes { (cb) in
          try planes.cr.withUnsafeBytes { (cr) in
            try body(
              RawFrame(
                unsafeLuma: luma.baseAddress!, lumaBytesPerRow: width, cb: cb.baseAddress!,
                cr: cr.baseAddress!, chromaBytesPerRow: width / 2, encoding: encoding,
                width: width, height: height, orientation: image.orientation))
          }
        }
      }
    }
  }

  /// Luma and chroma after BT.601 in full range; sides are even, and chroma is that of the first
  /// pixel of each block of 2 x 2.
  private static func planes(of image: PixelImage) -> (luma: [UInt8], cb: [UInt8], cr: [UInt8]) {
    var planes: (luma: [UInt8], cb: [UInt8], cr: [UInt8]) = ([], [], [])
    for y in 0..<image.height {
      for x in 0..<image.width {
        let place = (y * image.width + x) * 3
        let red = Double(image.samples[place])
        let green = Double(image.samples[place + 1])
        let blue = Double(image.samples[place + 2])
        let luma = 0.299 * red + 0.587 * green + 0.114 * blue
        planes.luma.append(byte(luma))
        if x % 2 == 0, y % 2 == 0 {
          planes.cb.append(byte(128 + (blue - luma) / 1.772))
          planes.cr.append(byte(128 + (red - luma) / 1.402))
        }
      }
    }
    return planes
  }

  private static func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
}
