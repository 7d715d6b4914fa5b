import MediaTestSupport
import DiceGeometry
import TestSupport
import Testing

@testable import DiceImaging

struct PlanarFrameTests {
  static let encoding = YCbCrEncoding(.bt709, .video)

  /// Planes of the formula, one after another.
  static func planes(
    _ subsampling: RawFrame.ChromaSubsampling, width: Int, height: Int
  ) -> [[UInt8]] {
    func plane(_ width: Int, _ height: Int, _ c: Int) -> [UInt8] {
      (0..<height).flatMap { y in
        (0..<width).map { x in
          c == 0
            ? TestPictures.sample(x, y, 0) : 96 + TestPictures.sample(x, y, c, seed: 40) / 4
        }
      }
    }
    let (columns, rows) = (
      subsampling.columnCount(forWidth: width), subsampling.rowCount(forHeight: height)
    )
    return [plane(width, height, 0), plane(columns, rows, 1), plane(columns, rows, 2)]
  }

  @Test(arguments: RawFrame.ChromaSubsampling.allCases)
  func everyArrangementOfPlanesGivesTheSameColors(
    _ subsampling: RawFrame.ChromaSubsampling
  ) throws {
    let (width, height) = (15, 9)
    let planes = Self.planes(subsampling, width: width, height: height)
    let joined = try StoredFrame(
      planes: planes[0] + planes[1] + planes[2], subsampling: subsampling, chromaSiting: .left,
      encoding: Self.encoding, width: width, height: height)
    #expect(joined.format.chromaSubsampling == subsampling && joined.chromaSiting == .left)
    let image = joined.makeImage()
    // The definition, pixel by pixel.
    let columns = subsampling.columnCount(forWidth: width)
    for row in 0..<height {
      for column in 0..<width {
        let place =
          row / subsampling.rowsPerSample * columns + column / subsampling.columnsPerSample
        let one = try StoredFrame(
          luma: [planes[0][row * width + column]], chroma: [planes[1][place], planes[2][place]],
          encoding: Self.encoding, width: 1, height: 1)
        expectEqual(
          one.withFrame { $0.color(column: 0, row: 0) }, image.color(column: column, row: row))
      }
    }
    let transform = try ImageTransform(
      storedWidth: width, storedHeight: height, orientation: .left, inputWidth: 11,
      inputHeight: 11)
    var sampler = InputSampler()
    func sample(_ frame: borrowing RawFrame) -> [UInt8] {
      var result = [UInt8](repeating: 0, count: 363)
      sampler.sample(frame, through: transform, into: &result, layout: .interleaved(width: 11))
      return result
    }
    let sampled = joined.withFrame { sample($0) }
    for order in [RawFrame.ChromaOrder.cbCr, .crCb] {
      let (a, b) = order == .cbCr ? (planes[1], planes[2]) : (planes[2], planes[1])
      let paired = try StoredFrame(
        luma: planes[0], chroma: zip(a, b).flatMap { [$0, $1] }, chromaOrder: order,
        subsampling: subsampling, chromaSiting: .left, encoding: Self.encoding, width: width,
        height: height)
      expectEqual(paired.makeImage(), image)
      expectEqual(paired.withFrame { sample($0) }, sampled)
    }
    try planes[0].withUnsafeBytes { luma in
      try planes[1].withUnsafeBytes { cb in
        try planes[2].withUnsafeBytes { cr in
          let frame = try RawFrame(
            unsafeLuma: luma.baseAddress!, lumaBytesPerRow: width, cb: cb.baseAddress!,
            cr: cr.baseAddress!, chromaBytesPerRow: columns, subsampling: subsampling,
            chromaSiting: .left, encoding: Self.encoding, width: width, height: height)
          expectEqual(PixelImage(copying: frame), image)
          expectEqual(sample(frame), sampled)
        }
      }
    }
  }

  @Test(arguments: RawFrame.ChromaSubsampling.allCases)
  func chromaIsShrunkFromWhereItLies(_ subsampling: RawFrame.ChromaSubsampling) throws {
    // Cb grows by 2 with each pixel to the right and by 1 with each pixel down, wherever its samples
    // lie: so must its mean around the middle.
    let (width, height) = (40, 32)
    for siting in RawFrame.ChromaSiting.allCases {
      let columns = subsampling.columnCount(forWidth: width)
      let rows = subsampling.rowCount(forHeight: height)
      // Twice the distance of a sample from the first pixel's centre is a whole number.
      let right = subsampling.columnsPerSample == 2 && siting == .center ? 1 : 0
      let down = subsampling.rowsPerSample == 2 && siting != .topLeft ? 1 : 0
      var cb: [UInt8] = []
      for y in 0..<rows {
        for x in 0..<columns {
          let column = 2 * x * subsampling.columnsPerSample + right
          let row = 2 * y * subsampling.rowsPerSample + down
          cb.append(UInt8((2 * column + row) / 2 + 60))
        }
      }
      let frame = try StoredFrame(
        planes: [UInt8](repeating: 100, count: width * height) + cb
          + [UInt8](repeating: 128, count: cb.count), subsampling: subsampling,
        chromaSiting: siting, encoding: YCbCrEncoding(.bt601, .full), width: width, height: height)
      let transform = try ImageTransform(
        storedWidth: width, storedHeight: height, cropAndScale: .scaleFill, inputWidth: 5,
        inputHeight: 4)
      var sampler = InputSampler()
      var result = [Float](repeating: 0, count: 60)
      frame.withFrame {
        sampler.sample($0, through: transform, into: &result, layout: .interleaved(width: 5))
      }
      // The middle pixel has its centre at column 20, row 12 (row 1: 8 to 16).
      let blue = result[(1 * 5 + 2) * 3 + 2]
      let mean: Float = 2 * 19.5 + 11.5 + 60
      // Integer division drops half a level where `down` is odd.
      let expected: Float = 100 + 1.772 * (mean - 128)
      #expect(abs(blue - expected) < 1, "\(subsampling) \(siting) \(blue)")
    }
  }

  @Test func lumaAloneIsGrayOfItsRange() throws {
    let luma: [UInt8] = [0, 16, 17, 125, 235, 255]
    let video = try StoredFrame(luma: luma, range: .video, width: 3, height: 2)
    #expect(video.format.isGray && video.format.chromaSubsampling == nil)
    let image = video.makeImage()
    expectEqual(image.format, .gray)
    expectEqual(image.samples, [0, 0, 1, 127, 255, 255])
    let full = try StoredFrame(luma: luma, range: .full, width: 3, height: 2)
    expectEqual(full.makeImage().samples, luma)
    let transform = try ImageTransform(
      storedWidth: 3, storedHeight: 2, cropAndScale: .scaleFill, inputWidth: 3, inputHeight: 2)
    var sampler = InputSampler()
    var result = [UInt8](repeating: 9, count: 18)
    video.withFrame {
      sampler.sample($0, through: transform, into: &result, layout: .interleaved(width: 3))
    }
    expectEqual(result, image.samples.flatMap { [$0, $0, $0] })
    #expect(throws: FrameError.tooFewBytes(plane: .luma, found: 6, required: 8)) {
      try StoredFrame(luma: luma, range: .video, width: 4, height: 2)
    }
    #expect(throws: FrameError.rowTooShort(plane: .luma, found: 2, required: 3)) {
      try StoredFrame(luma: luma, range: .video, width: 3, height: 2, bytesPerRow: 2)
    }
  }

  @Test func planesInOneArrayMustAllBeThere() throws {
    func frame(
      _ count: Int, _ subsampling: RawFrame.ChromaSubsampling, _ width: Int, _ height: Int
    ) throws(FrameError) {
      _ = try StoredFrame(
        planes: [UInt8](repeating: 0, count: count), subsampling: subsampling,
        encoding: Self.encoding, width: width, height: height)
    }
    let counts: [(RawFrame.ChromaSubsampling, Int)] = [(.s420, 12), (.s422, 20), (.s444, 30)]
    for (subsampling, count) in counts {
      #expect(throws: Never.self) { try frame(15 + count, subsampling, 3, 5) }
      #expect(throws: Never.self) { try frame(16 + count, subsampling, 3, 5) }
      #expect(
        throws: FrameError.tooFewBytes(plane: .chroma, found: count - 1, required: count)
      ) { try frame(14 + count, subsampling, 3, 5) }
      #expect(throws: FrameError.tooFewBytes(plane: .luma, found: 14, required: 15)) {
        try frame(14, subsampling, 3, 5)
      }
      #expect(throws: FrameError.noPixels(width: 0, height: 5)) { try frame(9, subsampling, 0, 5) }
      #expect(
        throws: FrameError.sizeOverflow(
          plane: .luma, width: .max, height: 3, bytesPerRow: .max)
      ) { try frame(9, subsampling, .max, 3) }
    }
    expectEqual(counts.count, 3)
  }

  @Test func picturesAreSharedBothWays() {
    for format in [PixelImage.Format.gray, .rgb, .rgba] {
      var image = TestPictures.formula(width: 5, height: 4, format: format)
      image.orientation = .left
      let frame = StoredFrame(image)
      let address = image.samples.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress!) }
      frame.withFrame { #expect($0.pixels.base == address && $0.orientation == .left) }
      let back = frame.makeImage()
      expectEqual(back, (format == .rgba ? frame.withFrame { PixelImage(copying: $0) } : image))
      if format != .rgba {
        back.withFrame { expectEqual($0.pixels.base, address) }
      }
    }
  }
}
