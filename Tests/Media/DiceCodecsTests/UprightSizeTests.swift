import DiceCodecs
import DiceImaging
import TestSupport
import Testing

@Suite struct UprightSizeTests {
  private let image = PixelImage(
    width: 6, height: 4, format: .rgb, samples: [UInt8](repeating: 90, count: 72))

  @Test func everyFormatTellsTheSizeOfItsUprightPicture() throws {
    var turned = image
    turned.orientation = .right
    for (picture, expected) in [(image, (6, 4)), (turned, (4, 6))] {
      for bytes in [PNGEncoder.encode(picture), try JPEGEncoder.encode(picture)] {
        #expect(try ImageDecoder.uprightSize(of: bytes) == expected)
      }
    }
    #expect(try ImageDecoder.uprightSize(of: Array("P6 6 4 255\n".utf8)) == (6, 4))
  }

  @Test func otherFilesAreRefused() {
    #expect(throws: ImageDecodingError.empty) { try ImageDecoder.uprightSize(of: []) }
    #expect(throws: ImageDecodingError.self) {
      try ImageDecoder.uprightSize(of: Array(PNGEncoder.encode(image).prefix(40)))
    }
    #expect(throws: ImageDecodingError.unsupportedFormat(.webP)) {
      try ImageDecoder.uprightSize(of: Array("RIFF\0\0\0\0WEBPVP8 ".utf8))
    }
  }
}
