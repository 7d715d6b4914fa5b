import DiceGeometry
import DiceImaging
import DiceCodecs
import TestSupport
import Testing

struct JPEGEncoderTests {
  /// A smooth picture with some texture.
  private func picture(_ width: Int, _ height: Int, _ format: PixelImage.Format) -> PixelImage {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let pixel = [40 + 3 * x, 200 - 2 * y, 60 + x + y + (x * y) % 7, 17]
        samples += pixel.prefix(format.channelCount).map { UInt8(min(max($0, 0), 255)) }
      }
    }
    return PixelImage(width: width, height: height, format: format, samples: samples)
  }

  @Test func comesBackCloseToWhatWasEncoded() throws {
    var count = 0
    for (width, height) in [(1, 1), (2, 9), (8, 8), (17, 15), (33, 40)] {
      for format in [PixelImage.Format.gray, .rgb, .rgba] {
        for subsampling in JPEGSubsampling.allCases {
          let image = picture(width, height, format)
          let bytes = try JPEGEncoder.encode(image, quality: 95, subsampling: subsampling)
          let decoded = try JPEGDecoder.decode(bytes)
          expectEqual(decoded.format, (format == .gray ? .gray : .rgb))
          var worst = 0
          for pixel in 0..<width * height {
            for channel in 0..<decoded.format.channelCount {
              let before = Int(image.samples[pixel * format.channelCount + channel])
              let after = Int(decoded.samples[pixel * decoded.format.channelCount + channel])
              worst = max(worst, abs(before - after))
            }
          }
          #expect(worst <= 12, "\(width)x\(height) \(format) \(subsampling)")
          count += 1
        }
      }
    }
    expectEqual(count, 30)
  }

  @Test func dropsAlpha() throws {
    let transparent = picture(20, 12, .rgba)
    try expectEqual(
      JPEGEncoder.encode(transparent), JPEGEncoder.encode(picture(20, 12, .rgb)))
  }

  @Test func keepsTheOrientation() throws {
    for orientation in ImageOrientation.allCases {
      var image = picture(9, 5, .rgb)
      image.orientation = orientation
      let decoded = try JPEGDecoder.decode(JPEGEncoder.encode(image))
      expectEqual(decoded.orientation, orientation)
      expectEqual(decoded.width, 9)
    }
    // An upright picture needs no EXIF block: the quantization tables follow the JFIF segment.
    let upright = try JPEGEncoder.encode(picture(9, 5, .rgb))
    expectEqual(upright[20...21], [0xFF, 0xDB])
  }

  @Test func optimizedTablesChangeNoPixelAndSaveBytes() throws {
    for format in [PixelImage.Format.gray, .rgb] {
      let image = picture(70, 50, format)
      let plain = try JPEGEncoder.encode(image)
      let optimized = try JPEGEncoder.encode(image, optimizesTables: true)
      #expect(optimized.count < plain.count)
      try expectEqual(JPEGDecoder.decode(optimized), JPEGDecoder.decode(plain))
    }
  }

  @Test func refusesWhatAFileCannotHold() {
    for quality in [-1, 0, 101] {
      #expect(throws: JPEGError.invalidQuality(quality)) {
        try JPEGEncoder.encode(picture(2, 2, .gray), quality: quality)
      }
    }
    let wide = PixelImage(
      width: 65536, height: 1, format: .gray, samples: [UInt8](repeating: 0, count: 65536))
    #expect(throws: JPEGError.tooLargeToEncode(width: 65536, height: 1)) {
      try JPEGEncoder.encode(wide)
    }
  }
}
