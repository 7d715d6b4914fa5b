internal import DiceImaging

/// Reads the parameters of a YUV4MPEG2 stream header.
struct Y4MHeaderParser {
  private var width: Int?
  private var height: Int?
  private var frameRate: Ratio?
  private var interlacing: UInt8?
  private var pixelAspectRatio: Ratio?
  private var samples: Samples?
  /// The samples that older programs name in a comment.
  private var commentedSamples: Samples?
  private var range: YCbCrEncoding.Range?

  private struct Ratio {
    let numerator: Int
    let denominator: Int
  }

  private struct Samples {
    let colorSpace: Y4MHeader.ColorSpace
    var bitDepth = 8

    init(_ colorSpace: Y4MHeader.ColorSpace) { self.colorSpace = colorSpace }

    /// What a name stands for; nil where it is not read.
    init?(_ name: String) {
      if let space = Y4MHeader.ColorSpace(rawValue: name) {
        self.init(space)
        return
      }
      for (prefix, space) in Self.deepSpaces {
        for depth in Y4MHeaderParser.depths where name == "\(prefix)\(depth)" {
          self.init(space)
          bitDepth = depth
          return
        }
      }
      return nil
    }

    private static let deepSpaces: [(String, Y4MHeader.ColorSpace)] = [
      ("420p", .yCbCr420MPEG2), ("422p", .yCbCr422), ("444p", .yCbCr444), ("mono", .mono),
    ]
  }

  private static let depths = [9, 10, 12, 14, 16]

  static let signature = [UInt8]("YUV4MPEG2".utf8)

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - line: The first line of the stream, from the signature on, without its line feed.
  ///   - limits: Bounds on the size of a frame.
  static func parse(_ line: [UInt8], limits: DecodingLimits) throws(Y4MError) -> Y4MHeader {
    guard line.starts(with: signature), line.count == signature.count || line[9] == 0x20 else {
      throw .missingSignature(found: Y4MError.excerpt(line[...]))
    }
    var parser = Y4MHeaderParser()
    var rest = line.dropFirst(signature.count)
    while let first = rest.first {
      if first == 0x20 {
        rest = rest.dropFirst()
        continue
      }
      let parameter = rest.prefix { $0 != 0x20 }
      rest = rest[parameter.endIndex...]
      try parser.read(parameter)
    }
    return try parser.finished(limits)
  }

  private mutating func read(_ parameter: ArraySlice<UInt8>) throws(Y4MError) {
    let value = parameter.dropFirst()
    switch parameter.first {
    case UInt8(ascii: "W"): try Self.set(&width, .width, Self.number(value, .width))
    case UInt8(ascii: "H"): try Self.set(&height, .height, Self.number(value, .height))
    case UInt8(ascii: "F"): try Self.set(&frameRate, .frameRate, Self.ratio(value, .frameRate))
    case UInt8(ascii: "A"):
      try Self.set(&pixelAspectRatio, .pixelAspectRatio, Self.ratio(value, .pixelAspectRatio))
    case UInt8(ascii: "I"): try Self.set(&interlacing, .interlacing, Self.interlacing(value))
    case UInt8(ascii: "C"): try Self.set(&samples, .colorSpace, Self.samples(value))
    case UInt8(ascii: "X"): try readComment(value)
    default: throw .unknownParameter(found: Y4MError.excerpt(parameter))
    }
  }

  private static func set<Value>(
    _ place: inout Value?, _ parameter: Y4MError.Parameter, _ value: Value
  ) throws(Y4MError) {
    if place != nil { throw .repeatedParameter(parameter) }
    place = value
  }

  /// Comments are free text, but for two that have a meaning.
  private mutating func readComment(_ comment: ArraySlice<UInt8>) throws(Y4MError) {
    let rangeName = [UInt8]("COLORRANGE=".utf8)
    let spaceName = [UInt8]("YSCSS=".utf8)
    if comment.starts(with: rangeName) {
      let value = comment.dropFirst(rangeName.count)
      let range: YCbCrEncoding.Range
      if value.elementsEqual("FULL".utf8) {
        range = .full
      } else if value.elementsEqual("LIMITED".utf8) {
        range = .video
      } else {
        throw .invalidColorRange(found: Y4MError.excerpt(value))
      }
      try Self.set(&self.range, .colorRange, range)
    } else if comment.starts(with: spaceName) {
      let lowered = comment.dropFirst(spaceName.count).map {
        (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
      }
      commentedSamples =
        Samples(String(decoding: lowered, as: UTF8.self)) ?? commentedSamples
    }
  }

  private static func digits(_ text: ArraySlice<UInt8>, limit: Int) -> Int? {
    guard (1...limit).contains(text.count) else { return nil }
    var value = 0
    for byte in text {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }

  private static func number(
    _ text: ArraySlice<UInt8>, _ parameter: Y4MError.Parameter
  ) throws(Y4MError) -> Int {
    guard let value = digits(text, limit: 9) else {
      throw .invalidNumber(parameter, found: Y4MError.excerpt(text))
    }
    return value
  }

  /// Two numbers with a colon between; both are 0 where unknown.
  private static func ratio(
    _ text: ArraySlice<UInt8>, _ parameter: Y4MError.Parameter
  ) throws(Y4MError) -> Ratio {
    let limit = Int(Int32.max)
    guard let colon = text.firstIndex(of: 0x3A),
      let first = digits(text[..<colon], limit: 10),
      let second = digits(text[(colon + 1)...], limit: 10),
      first <= limit, second <= limit, (first == 0) == (second == 0)
    else { throw .invalidRatio(parameter, found: Y4MError.excerpt(text)) }
    return Ratio(numerator: first, denominator: second)
  }

  private static func interlacing(_ text: ArraySlice<UInt8>) throws(Y4MError) -> UInt8 {
    guard text.count == 1, let letter = text.first, "ptbm?".utf8.contains(letter) else {
      throw .invalidInterlacing(found: Y4MError.excerpt(text))
    }
    guard letter == UInt8(ascii: "p") || letter == UInt8(ascii: "?") else {
      throw .unsupportedInterlacing(found: Y4MError.excerpt(text))
    }
    return letter
  }

  private static func samples(_ text: ArraySlice<UInt8>) throws(Y4MError) -> Samples {
    // Names are short and ASCII; anything else is none of them.
    let name = Y4MError.excerpt(text)
    if text.count <= 32, let samples = Samples(name) { return samples }
    let others = ["410", "440"] + depths.map { "440p\($0)" }
    if others.contains(name) { throw .unsupportedColorSpace(name: name) }
    throw .unknownColorSpace(found: name)
  }

  private func finished(_ limits: DecodingLimits) throws(Y4MError) -> Y4MHeader {
    guard let width else { throw .missingParameter(.width) }
    guard let height else { throw .missingParameter(.height) }
    guard width > 0, height > 0 else { throw .noPixels(width: width, height: height) }
    // Six bytes for each pixel, and those of a row and a column more, must stay countable.
    let (pixelCount, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixelCount <= limits.pixelCount, pixelCount <= Int.max / 8 else {
      throw .tooManyPixels(width: width, height: height, limit: limits.pixelCount)
    }
    guard limits.allowSides(width, height) else {
      throw .sideTooLong(width: width, height: height, limit: limits.sideLength)
    }
    let samples = samples ?? commentedSamples ?? Samples(.yCbCr420JPEG)
    return Y4MHeader(
      width: width, height: height,
      frameRate: frameRate.flatMap {
        FrameRate(numerator: $0.numerator, denominator: $0.denominator)
      },
      pixelAspectRatio: pixelAspectRatio.flatMap {
        $0.numerator == 0
          ? nil
          : Y4MHeader.PixelAspectRatio(numerator: $0.numerator, denominator: $0.denominator)
      },
      colorSpace: samples.colorSpace, bitDepth: samples.bitDepth,
      range: range ?? (samples.colorSpace == .mono ? .full : .video))
  }
}
