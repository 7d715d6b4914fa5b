import DiceCodecs
import DiceGeometry
import TestSupport
import Testing

/// Orientation in text chunks: what other programs' files hold is in the golden pack.
struct PNGMetadataTests {
  private func orientation(_ type: String, _ data: [UInt8]) throws -> ImageOrientation {
    let image = try PNGDecoder.decode(
      PNGBuilder().adding(type, data).adding(rows: [0, 7]).ended())
    expectEqual(image.samples, [7])
    return image.orientation
  }

  private func xmp(_ text: String) throws -> ImageOrientation {
    try orientation("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0\(text)".utf8))
  }

  @Test func xmpIsReadAsAttributeAndElement() throws {
    try expectEqual(xmp("<a tiff:Orientation=\"6\">"), .right)
    try expectEqual(xmp("<a tiff:Orientation = '8' >"), .left)
    try expectEqual(xmp("<tiff:Orientation>3</tiff:Orientation>"), .down)
    try expectEqual(xmp("<tiff:Orientation>\n 3 </tiff:Orientation>"), .down)
    try expectEqual(xmp("tiff:Orientationtiff:Orientation=\"x\"tiff:Orientation=\"6\""), .right)
    for text in [
      "", "tiff:Orientation", "tiff:Orientation=", "tiff:Orientation=\"", "tiff:Orientation=\"6",
      "tiff:Orientation=\"6'", "tiff:Orientation=6", "tiff:Orientation=\"0\"",
      "tiff:Orientation=\"9\"", "tiff:Orientation=\"66\"", "tiff:Orientation>",
      "tiff:Orientation>6",
      "tiff:Orientation>60<", "exif:Orientation=\"6\"", "tiff:Orientatio",
    ] {
      try expectEqual(xmp(text), .up, "\(text)")
    }
  }

  @Test func damagedTextSaysNothing() throws {
    let exif: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0,
    ]
    let digits = exif.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    let keyword = "Raw profile type exif\0"
    try expectEqual(orientation("tEXt", Array("\(keyword)\nexif\n 22\n\(digits)\n".utf8)), .right)
    for text in [
      "", "\n", "\n\n\n", "\nexif\n22", "\nexif\n22\n\(digits.dropLast(8))", "\nexif\n22\nxyz",
    ] {
      try expectEqual(orientation("tEXt", Array((keyword + text).utf8)), .up)
    }
    let packed = Array("\(keyword)\0".utf8) + Deflate.zlib(Array("\nexif\n22\n\(digits)".utf8))
    try expectEqual(orientation("zTXt", packed), .right)
    // Every prefix, and every changed byte.
    for count in packed.indices {
      try expectEqual(orientation("zTXt", Array(packed[..<count])), .up)
      var damaged = packed
      damaged[count] ^= 0x11
      _ = try orientation("zTXt", damaged)
    }
    var wrongMethod = packed
    wrongMethod[keyword.utf8.count] = 1
    try expectEqual(orientation("zTXt", wrongMethod), .up)
    for head in ["\0", "\u{1}\u{1}\0\0", "\u{1}\0\0", "\u{1}\0en", "\u{2}"] {
      try expectEqual(orientation("iTXt", Array("XML:com.adobe.xmp\0\(head)".utf8)), .up)
    }
  }

  @Test func ofEachKindTheFirstCounts() throws {
    func text(_ value: Int) -> [UInt8] {
      Array("XML:com.adobe.xmp\0<a tiff:Orientation=\"\(value)\">".utf8)
    }
    let two = PNGBuilder().adding("tEXt", text(6)).adding("tEXt", text(3)).adding(rows: [0, 7])
    try expectEqual(PNGDecoder.decode(two.ended()).orientation, .right)
    let none = PNGBuilder().adding("tEXt", text(0)).adding("tEXt", text(3)).adding(rows: [0, 7])
    try expectEqual(PNGDecoder.decode(none.ended()).orientation, .up)
    // One with a wrong checksum does not.
    var damaged = PNGBuilder().adding("tEXt", text(6))
    damaged.bytes[damaged.bytes.count - 1] ^= 1
    let next = damaged.adding("tEXt", text(3)).adding(rows: [0, 7])
    try expectEqual(PNGDecoder.decode(next.ended()).orientation, .down)
  }
}
