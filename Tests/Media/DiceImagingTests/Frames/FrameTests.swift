import MediaTestSupport
import DiceGeometry
import TestSupport
import Testing

@testable import DiceImaging

struct FrameTests {
  /// Colours and the samples that stand for them, from tables of colour bars.
  static let colorBars: [(YCbCrEncoding, [(y: UInt8, cb: UInt8, cr: UInt8, rgb: UInt32)])] = [
    (
      YCbCrEncoding(.bt601, .video),
      [
        (235, 128, 128, 0xFFFFFF), (16, 128, 128, 0x000000), (81, 90, 240, 0xFF0000),
        (145, 54, 34, 0x00FF00), (41, 240, 110, 0x0000FF), (210, 16, 146, 0xFFFF00),
      ]
    ),
    (
      YCbCrEncoding(.bt709, .video),
      [
        (235, 128, 128, 0xFFFFFF), (16, 128, 128, 0x000000), (63, 102, 240, 0xFF0000),
        (173, 42, 26, 0x00FF00), (32, 240, 118, 0x0000FF), (188, 154, 16, 0x00FFFF),
      ]
    ),
    (
      YCbCrEncoding(.bt601, .full),
      [
        (255, 128, 128, 0xFFFFFF), (0, 128, 128, 0x000000), (76, 85, 255, 0xFE0000),
        (150, 44, 21, 0x00FF01), (29, 255, 107, 0x0000FE), (128, 128, 128, 0x808080),
      ]
    ),
    (
      YCbCrEncoding(.bt709, .full),
      [
        (255, 128, 128, 0xFFFFFF), (0, 128, 128, 0x000000), (54, 99, 255, 0xFE0000),
        (182, 30, 12, 0x00FF00), (18, 255, 116, 0x0000FE), (77, 128, 128, 0x4D4D4D),
      ]
    ),
  ]

  @Test func colorBarsOfEveryEncodingGetTheirColorsWithinOneLevel() throws {
    var count = 0
    for (encoding, bars) in Self.colorBars {
      for bar in bars {
        let frame = try StoredFrame(
          luma: [bar.y], chroma: [bar.cb, bar.cr], encoding: encoding, width: 1, height: 1)
        let color = frame.withFrame { $0.color(column: 0, row: 0) }
        let expected = PixelColor(rgb: bar.rgb)
        for (a, b) in [
          (color.red, expected.red), (color.green, expected.green), (color.blue, expected.blue),
        ] {
          #expect(abs(Int(a) - Int(b)) <= 1, "\(encoding) \(bar) gave \(color)")
        }
        count += 1
      }
    }
    expectEqual(count, 24)
  }

  @Test func samplesAreReadInTheOrderOfTheFormat() throws {
    let samples: [UInt8] = [10, 20, 30, 40]
    let expected: [(RawFrame.PixelFormat, PixelColor)] = [
      (.gray, PixelColor(red: 10, green: 10, blue: 10)),
      (.rgb, PixelColor(red: 10, green: 20, blue: 30)),
      (.rgba, PixelColor(red: 10, green: 20, blue: 30)),
      (.bgra, PixelColor(red: 30, green: 20, blue: 10)),
    ]
    expectEqual(expected.count, RawFrame.PixelFormat.allCases.count)
    for (format, color) in expected {
      let frame = try StoredFrame(pixels: samples, format: format, width: 1, height: 1)
      expectEqual(frame.withFrame { $0.color(column: 0, row: 0) }, color)
    }
  }

  @Test func chromaBelongsToBlocksOfFourPixelsAndOddSizesHaveHalfBlocks() throws {
    let encoding = YCbCrEncoding(.bt601, .full)
    // 3 x 3 pixels have 2 x 2 chroma samples.
    let frame = try StoredFrame(
      luma: [UInt8](repeating: 100, count: 9), chroma: [128, 128, 128, 200, 60, 128, 128, 40],
      encoding: encoding, width: 3, height: 3)
    let image = frame.withFrame { PixelImage(copying: $0) }
    let neutral = image.color(column: 0, row: 0)
    expectEqual(neutral, PixelColor(red: 100, green: 100, blue: 100))
    for (column, row) in [(1, 0), (0, 1), (1, 1)] {
      expectEqual(image.color(column: column, row: row), neutral)
    }
    #expect(image.color(column: 2, row: 0).red > 180)
    expectEqual(image.color(column: 2, row: 1), image.color(column: 2, row: 0))
    #expect(image.color(column: 0, row: 2).blue < 50)
    expectEqual(image.color(column: 1, row: 2), image.color(column: 0, row: 2))
    expectEqual(image.color(column: 2, row: 2).red, 0)
  }

  @Test func rowsMayLieAnyDistanceApart() throws {
    for format in RawFrame.PixelFormat.allCases {
      let tight = TestPictures.noise(7 * 5 * format.channelCount, seed: 1)
      let rowLength = 7 * format.channelCount
      var loose: [UInt8] = []
      for row in 0..<5 {
        loose += tight[row * rowLength..<(row + 1) * rowLength]
        // No padding behind the last row.
        if row < 4 { loose += [UInt8](repeating: 0xEE, count: 13) }
      }
      let a = try StoredFrame(pixels: tight, format: format, width: 7, height: 5)
      let b = try StoredFrame(
        pixels: loose, format: format, width: 7, height: 5, bytesPerRow: rowLength + 13)
      expectEqual(a.withFrame { PixelImage(copying: $0) }, b.withFrame { PixelImage(copying: $0) })
    }
  }

  @Test func picturesAreLentWithoutACopy() {
    let image = TestPictures.formula(width: 5, height: 4, format: .rgb)
    let address = image.samples.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress!) }
    image.withFrame { frame in
      expectEqual(frame.pixels.base, address)
      #expect(frame.width == 5 && frame.height == 4 && frame.format == .packed(.rgb))
    }
    expectEqual(image.withFrame { PixelImage(copying: $0) }, image)
  }

  @Test func changingASampleInPlaceDoesNotCopy() {
    var image = TestPictures.formula(width: 5, height: 4, format: .rgb)
    let before = image.samples.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress!) }
    image.samples[7] = 200
    let after = image.samples.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress!) }
    expectEqual(before, after)
    expectEqual(image.samples[7], 200)
  }

  @Test func orientationTurnsTheUprightSize() throws {
    for orientation in ImageOrientation.allCases {
      let frame = try StoredFrame(
        pixels: [UInt8](repeating: 0, count: 6), format: .gray, width: 3, height: 2,
        orientation: orientation)
      let size = frame.withFrame { [$0.uprightWidth, $0.uprightHeight] }
      expectEqual(size, (orientation.swapsAxes ? [2, 3] : [3, 2]))
    }
  }

  @Test func closuresPassTheirErrorsOn() {
    struct Refused: Error, Equatable {}
    let image = TestPictures.formula(width: 2, height: 2, format: .gray)
    #expect(throws: Refused()) {
      try image.withFrame { (_) throws(Refused) -> Int in throw Refused() }
    }
  }

  @Test func unsafeDoorsLookAtTheSameSamples() throws {
    let bytes = TestPictures.noise(64 * 6, seed: 5)
    let stored = try StoredFrame(
      pixels: bytes, format: .bgra, width: 15, height: 6, bytesPerRow: 64)
    let expected = stored.withFrame { PixelImage(copying: $0) }
    let lent = try bytes.withUnsafeBytes { bytes in
      try RawFrame.withUnsafePixels(
        bytes.baseAddress!, format: .bgra, width: 15, height: 6, bytesPerRow: 64
      ) { PixelImage(copying: $0) }
    }
    expectEqual(lent, expected)

    let encoding = YCbCrEncoding(.bt709, .full)
    let luma = TestPictures.noise(15 * 7, seed: 6)
    let pairs = TestPictures.noise(16 * 4, seed: 7)
    let cb = (0..<32).map { pairs[2 * $0] }
    let cr = (0..<32).map { pairs[2 * $0 + 1] }
    let swapped: [UInt8] = zip(cr, cb).flatMap { (red: UInt8, blue: UInt8) in [red, blue] }
    let planes = try StoredFrame(
      luma: luma, chroma: pairs, encoding: encoding, width: 15, height: 7
    ).withFrame { PixelImage(copying: $0) }
    try luma.withUnsafeBytes { luma in
      try swapped.withUnsafeBytes { swapped in
        let image = try RawFrame.withUnsafePlanes(
          luma: luma.baseAddress!, lumaBytesPerRow: 15, chroma: swapped.baseAddress!,
          chromaBytesPerRow: 16, chromaOrder: .crCb, encoding: encoding, width: 15, height: 7
        ) { PixelImage(copying: $0) }
        expectEqual(image, planes)
      }
      try cb.withUnsafeBytes { cb in
        try cr.withUnsafeBytes { cr in
          let frame = try RawFrame(
            unsafeLuma: luma.baseAddress!, lumaBytesPerRow: 15, cb: cb.baseAddress!,
            cr: cr.baseAddress!, chromaBytesPerRow: 8, encoding: encoding, width: 15, height: 7)
          expectEqual(PixelImage(copying: frame), planes)
        }
      }
    }
  }
}

struct FrameErrorTests {
  static let bytes = [UInt8](repeating: 0, count: 100)

  @Test func brokenRulesOfWholePixelsAreNamed() {
    let cases: [(width: Int, height: Int, bytesPerRow: Int?, error: FrameError)] = [
      (0, 5, nil, .noPixels(width: 0, height: 5)),
      (5, 0, nil, .noPixels(width: 5, height: 0)),
      (-3, 5, nil, .noPixels(width: -3, height: 5)),
      (5, .min, 15, .noPixels(width: 5, height: .min)),
      (5, 5, 14, .rowTooShort(plane: .pixels, found: 14, required: 15)),
      (5, 5, -15, .rowTooShort(plane: .pixels, found: -15, required: 15)),
      (5, 7, 15, .tooFewBytes(plane: .pixels, found: 100, required: 105)),
      (5, 7, nil, .tooFewBytes(plane: .pixels, found: 100, required: 105)),
      (2, 3, 50, .tooFewBytes(plane: .pixels, found: 100, required: 106)),
      (.max, 1, 1, .sizeOverflow(plane: .pixels, width: .max, height: 1, bytesPerRow: 1)),
      (1, .max, .max, .sizeOverflow(plane: .pixels, width: 1, height: .max, bytesPerRow: .max)),
      (2, 2, .max, .sizeOverflow(plane: .pixels, width: 2, height: 2, bytesPerRow: .max)),
    ]
    for item in cases {
      #expect(throws: item.error) {
        try StoredFrame(
          pixels: Self.bytes, format: .rgb, width: item.width, height: item.height,
          bytesPerRow: item.bytesPerRow)
      }
      #expect(!item.error.description.isEmpty)
    }
    expectEqual(cases.count, 12)
  }

  @Test func aSingleRowMayClaimAnyDistanceToTheNext() throws {
    let frame = try StoredFrame(
      pixels: Self.bytes, format: .rgb, width: 33, height: 1, bytesPerRow: .max)
    expectEqual(frame.withFrame { $0.color(column: 32, row: 0) }, .black)
  }

  @Test func brokenRulesOfPlanesAreNamed() {
    func frame(
      luma: Int = 100, lumaStride: Int? = nil, chroma: Int = 50, chromaStride: Int? = nil,
      width: Int = 10, height: Int = 10
    ) throws(FrameError) -> StoredFrame {
      try StoredFrame(
        luma: [UInt8](repeating: 0, count: luma), lumaBytesPerRow: lumaStride,
        chroma: [UInt8](repeating: 0, count: chroma), chromaBytesPerRow: chromaStride,
        encoding: YCbCrEncoding(.bt601, .video), width: width, height: height)
    }
    #expect(throws: Never.self) { try frame() }
    #expect(throws: FrameError.tooFewBytes(plane: .luma, found: 99, required: 100)) {
      try frame(luma: 99)
    }
    #expect(throws: FrameError.tooFewBytes(plane: .chroma, found: 49, required: 50)) {
      try frame(chroma: 49)
    }
    #expect(throws: FrameError.tooFewBytes(plane: .chroma, found: 50, required: 60)) {
      try frame(luma: 110, width: 10, height: 11)
    }
    #expect(throws: FrameError.rowTooShort(plane: .luma, found: 9, required: 10)) {
      try frame(lumaStride: 9)
    }
    #expect(throws: FrameError.rowTooShort(plane: .chroma, found: 10, required: 12)) {
      try frame(luma: 110, chromaStride: 10, width: 11)
    }
    #expect(throws: FrameError.noPixels(width: 0, height: 10)) { try frame(width: 0) }
    #expect(
      throws: FrameError.sizeOverflow(
        plane: .chroma, width: 5, height: 5, bytesPerRow: .max)
    ) { try frame(chromaStride: .max) }
  }

  @Test func bufferFormatsAreNamedByTheirFourCharacters() {
    #expect("\(FrameError.unsupportedPixelFormat(code: 0x7834_3230))".contains("'x420'"))
    #expect("\(FrameError.unsupportedPixelFormat(code: 24))".contains(" 24 "))
    for error in [
      FrameError.bufferNotLocked(status: -6661), .noSamples, .noTimestamp,
      .tooManyPixels(width: 3, height: 4, limit: 5), .notDrawable(width: 3, height: 4),
    ] {
      #expect(error.description.count > 15)
    }
  }

  @Test func unsafeDoorsHandOnWhatTheirClosuresThrow() {
    struct Refused: Error, Equatable {}
    Self.bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress!
      #expect(throws: Refused()) {
        try RawFrame.withUnsafePixels(
          base, format: .gray, width: 10, height: 2, bytesPerRow: 10
        ) { _ in throw Refused() }
      }
      #expect(throws: Refused()) {
        try RawFrame.withUnsafePlanes(
          luma: base, lumaBytesPerRow: 10, chroma: base, chromaBytesPerRow: 10,
          encoding: YCbCrEncoding(.bt601, .full), width: 10, height: 2
        ) { _ in throw Refused() }
      }
    }
  }

  @Test func unsafeDoorsKeepTheSameRules() {
    Self.bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress!
      #expect(throws: FrameError.rowTooShort(plane: .pixels, found: 39, required: 40)) {
        try RawFrame.withUnsafePixels(
          base, format: .bgra, width: 10, height: 2, bytesPerRow: 39
        ) { _ in }
      }
      #expect(throws: FrameError.rowTooShort(plane: .chroma, found: 9, required: 10)) {
        try RawFrame.withUnsafePlanes(
          luma: base, lumaBytesPerRow: 10, chroma: base, chromaBytesPerRow: 9,
          encoding: YCbCrEncoding(.bt601, .full), width: 10, height: 2
        ) { _ in }
      }
    }
  }
}

struct FrameCopyTests {
  /// Every byte of a frame is another one, and rows lie apart.
  @Test func keepsSamplesAndLeavesOutWhatLiesBetweenRows() throws {
    let bytes = (0..<400).map { UInt8($0 % 251) }
    for format in RawFrame.PixelFormat.allCases {
      let frame = try StoredFrame(
        pixels: bytes, format: format, width: 5, height: 3, bytesPerRow: 23, orientation: .right)
      let copy = frame.withFrame { StoredFrame(copying: $0) }
      #expect(copy.makeImage() == frame.makeImage() && copy.orientation == .right)
      let row = 5 * format.channelCount
      try expectEqual(
        copy,
        StoredFrame(
          pixels: (0..<3).flatMap { bytes[$0 * 23..<$0 * 23 + row] }, format: format, width: 5,
          height: 3, orientation: .right))
    }
    let luma = try StoredFrame(luma: bytes, range: .video, width: 5, height: 3, bytesPerRow: 9)
    expectEqual(luma.withFrame { StoredFrame(copying: $0) }.makeImage(), luma.makeImage())
    for subsampling in RawFrame.ChromaSubsampling.allCases {
      let encoding = YCbCrEncoding(.bt709, .video)
      let pairs = try StoredFrame(
        luma: bytes, lumaBytesPerRow: 9, chroma: bytes, chromaBytesPerRow: 17, chromaOrder: .crCb,
        subsampling: subsampling, chromaSiting: .left, encoding: encoding, width: 5, height: 3)
      let copy = pairs.withFrame { StoredFrame(copying: $0) }
      #expect(copy.makeImage() == pairs.makeImage() && copy.chromaSiting == .left)
      let planes = try StoredFrame(
        planes: bytes, subsampling: subsampling, encoding: encoding, width: 5, height: 3)
      let other = planes.withFrame { StoredFrame(copying: $0) }
      #expect(other.makeImage() == planes.makeImage() && other.format == planes.format)
    }
  }
}
