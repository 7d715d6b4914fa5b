internal import DiceImaging

/// Turns the bytes of a stored row into 8-bit samples of the picture's format.
///
/// Samples of 1, 2 and 4 bits are multiplied by 255, 85 and 17, samples of 16 bits keep their high
/// byte. A transparent colour is compared with all bits of the stored samples.
struct PNGRowConverter {
  private enum Kind {
    /// The bytes of the row are the samples.
    case copy
    /// Each stored sample is an index into `colors`.
    case table
    /// Pixels of one or two bytes for each sample, with the given number of samples.
    case samples(count: Int, byteCount: Int)
  }

  private let kind: Kind
  private let bitDepth: Int
  private let channelCount: Int
  /// For each value of a stored sample of up to 8 bits the samples of its colour.
  private var colors: [UInt8] = []
  /// Colours that exist; a larger index is an error.
  private var colorCount = 256
  /// The stored bytes of the pixel that is transparent; empty where there is none.
  private var transparentPixel: [UInt8] = []

  /// A converter for the rows of a file to a format, which need not have the alpha that the file has.
  init(_ file: PNGFile, _ format: PixelImage.Format) {
    let header = file.header
    let transparency = format == .rgba ? file.transparency : nil
    bitDepth = header.bitDepth
    channelCount = format.channelCount
    let sampleByteCount = bitDepth / 8
    switch header.colorType {
    case .palette:
      kind = .table
      colorCount = file.palette.count / 3
      colors = Self.paletteColors(file.palette, alpha: transparency)
    case .gray where bitDepth <= 8:
      kind = bitDepth == 8 && transparency == nil ? .copy : .table
      colors = Self.grayColors(bitDepth: bitDepth, transparency: transparency)
    case .gray, .grayAlpha:
      kind = .samples(count: header.colorType.channelCount, byteCount: sampleByteCount)
    case .rgb:
      kind =
        bitDepth == 8 && transparency == nil
        ? .copy : .samples(count: 3, byteCount: sampleByteCount)
    case .rgba:
      kind =
        bitDepth == 8 && format == .rgba
        ? .copy : .samples(count: 4, byteCount: sampleByteCount)
    }
    if case .samples(_, let byteCount) = kind, let transparency {
      // The file has two bytes for each sample, of which a sample of 8 bits is the low one.
      transparentPixel = transparency.enumerated()
        .filter { byteCount == 2 || $0.offset % 2 == 1 }.map { $0.element }
    }
  }

  /// Whether the bytes of a row are already the samples.
  var copies: Bool {
    if case .copy = kind { true } else { false }
  }

  /// Writes the samples of `width` pixels.
  ///
  /// - Parameters:
  ///   - row: whole bytes for `width` stored pixels, at least.
  ///   - samples: room for `width` pixels of the picture's format, at least.
  /// - Throws: `paletteIndexOutOfRange` for the first pixel whose colour does not exist.
  func convert(
    _ row: UnsafeBufferPointer<UInt8>, width: Int, into samples: UnsafeMutableBufferPointer<UInt8>
  ) throws(PNGError) {
    precondition(width * channelCount <= samples.count)
    switch kind {
    case .copy:
      let count = width * channelCount
      precondition(count <= row.count)
      for index in 0..<count { unsafe samples[index] = row[index] }
    case .table:
      try unsafe convertIndices(row, width: width, into: samples)
    case .samples(let count, let byteCount):
      precondition(width * count * byteCount <= row.count)
      switch (count, byteCount) {
      case (1, _): unsafe convertGray16(row, width: width, into: samples)
      case (2, _): unsafe convertGrayAlpha(row, width: width, byteCount: byteCount, into: samples)
      default:
        unsafe convertColor(row, width: width, count: count, byteCount: byteCount, into: samples)
      }
    }
  }

  // MARK: Tables

  private static func paletteColors(
    _ palette: ArraySlice<UInt8>, alpha: ArraySlice<UInt8>?
  ) -> [UInt8] {
    let entries = Array(palette)
    guard let alpha = alpha.map({ Array($0) }) else {
      return entries + [UInt8](repeating: 0, count: 256 * 3 - entries.count)
    }
    var colors = [UInt8](repeating: 0, count: 256 * 4)
    for index in 0..<entries.count / 3 {
      for channel in 0..<3 { colors[4 * index + channel] = entries[3 * index + channel] }
      colors[4 * index + 3] = index < alpha.count ? alpha[index] : 255
    }
    return colors
  }

  private static func grayColors(bitDepth: Int, transparency: ArraySlice<UInt8>?) -> [UInt8] {
    let largest = 1 << bitDepth - 1
    let transparent = transparency?.last.map { Int($0) & largest }
    var colors = [UInt8](repeating: 0, count: 256 * (transparent == nil ? 1 : 4))
    for value in 0...largest {
      let gray = UInt8(value * (255 / largest))
      if transparent == nil {
        colors[value] = gray
      } else {
        for channel in 0..<3 { colors[4 * value + channel] = gray }
        colors[4 * value + 3] = value == transparent ? 0 : 255
      }
    }
    return colors
  }

  private func convertIndices(
    _ row: UnsafeBufferPointer<UInt8>, width: Int, into samples: UnsafeMutableBufferPointer<UInt8>
  ) throws(PNGError) {
    precondition((width * bitDepth + 7) / 8 <= row.count && colors.count == 256 * channelCount)
    var largest = 0
    // In bounds: an index is below 256, and the sizes are checked above.
    unsafe colors.withUnsafeBufferPointer { colors in
      @inline(__always) func put(_ index: Int, at x: Int) {
        largest = max(largest, index)
        if channelCount == 3 {
          for channel in 0..<3 {
            unsafe samples[x &* 3 &+ channel] = colors[index &* 3 &+ channel]
          }
        } else if channelCount == 4 {
          for channel in 0..<4 {
            unsafe samples[x &* 4 &+ channel] = colors[index &* 4 &+ channel]
          }
        } else {
          unsafe samples[x] = colors[index]
        }
      }
      if bitDepth == 8 {
        for x in 0..<width { unsafe put(Int(row[x]), at: x) }
      } else {
        let mask = 1 << bitDepth - 1
        for x in 0..<width {
          let bit = x &* bitDepth
          let shift = 8 &- bitDepth &- (bit & 7)
          unsafe put(Int(row[bit &>> 3]) &>> shift & mask, at: x)
        }
      }
    }
    if largest >= colorCount {
      throw .paletteIndexOutOfRange(index: largest, paletteCount: colorCount)
    }
  }

  // MARK: Samples of whole bytes

  private func convertGray16(
    _ row: UnsafeBufferPointer<UInt8>, width: Int, into samples: UnsafeMutableBufferPointer<UInt8>
  ) {
    if transparentPixel.isEmpty {
      for x in 0..<width { unsafe samples[x] = row[2 &* x] }
      return
    }
    let transparent = UInt16(transparentPixel[0]) << 8 | UInt16(transparentPixel[1])
    for x in 0..<width {
      let high = unsafe row[2 &* x]
      let value = unsafe UInt16(high) &<< 8 | UInt16(row[2 &* x &+ 1])
      for channel in 0..<3 { unsafe samples[4 &* x &+ channel] = high }
      unsafe samples[4 &* x &+ 3] = value == transparent ? 0 : 255
    }
  }

  private func convertGrayAlpha(
    _ row: UnsafeBufferPointer<UInt8>, width: Int, byteCount: Int,
    into samples: UnsafeMutableBufferPointer<UInt8>
  ) {
    if channelCount == 1 {
      for x in 0..<width { unsafe samples[x] = row[2 &* byteCount &* x] }
      return
    }
    for x in 0..<width {
      let gray = unsafe row[2 &* byteCount &* x]
      for channel in 0..<3 { unsafe samples[4 &* x &+ channel] = gray }
      unsafe samples[4 &* x &+ 3] = row[2 &* byteCount &* x &+ byteCount]
    }
  }

  private func convertColor(
    _ row: UnsafeBufferPointer<UInt8>, width: Int, count: Int, byteCount: Int,
    into samples: UnsafeMutableBufferPointer<UInt8>
  ) {
    let pixelByteCount = count * byteCount
    let copiedCount = min(count, channelCount)
    for x in 0..<width {
      let start = x &* pixelByteCount
      for channel in 0..<copiedCount {
        unsafe samples[x &* channelCount &+ channel] = row[start &+ channel &* byteCount]
      }
      if count < channelCount {
        var isTransparent = true
        for index in 0..<pixelByteCount {
          unsafe isTransparent = isTransparent && row[start &+ index] == transparentPixel[index]
        }
        unsafe samples[x &* channelCount &+ 3] = isTransparent ? 0 : 255
      }
    }
  }
}
