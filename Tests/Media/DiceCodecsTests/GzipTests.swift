import TestSupport
import Testing

@testable import DiceCodecs

struct GzipTests {
  /// Made by Python's gzip module: a file name, then 24 bytes of text.
  private static let named: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x08, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0x6E, 0x61, 0x6D, 0x65, 0x2E, 0x74,
    0x78, 0x74, 0x00, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x3A, 0x0A, 0x29, 0x99,
    0xC9, 0xA9, 0x5C, 0x00, 0x40, 0x1C, 0xFF, 0xD4, 0x18, 0x00, 0x00, 0x00,
  ]
  /// The same of no bytes at all, without a name.
  private static let empty: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00,
  ]
  private static let text = Array("hello hello hello, dice\n".utf8)

  @Test func readsWhatPythonWrites() throws {
    try expectEqual(Gzip.decompress(Self.named, outputLimit: 24), Self.text)
    try expectEqual(Gzip.decompress(Self.empty, outputLimit: 0), [])
  }

  @Test func passesOverAllOptionalFields() throws {
    var file = Self.named
    // An extra field, a comment and a checksum of the header beside the name.
    file[3] = 4 | 8 | 16 | 2
    file.insert(contentsOf: [3, 0, 1, 2, 3], at: 10)
    let behindName = 10 + 5 + 9
    file.insert(contentsOf: Array("why".utf8) + [0, 0xAB, 0xCD], at: behindName)
    try expectEqual(Gzip.decompress(file, outputLimit: 100), Self.text)
  }

  @Test func namesTheBrokenRule() {
    func error(_ change: (inout [UInt8]) -> Void, limit: Int = 100) -> GzipError? {
      var file = Self.named
      change(&file)
      do throws(GzipError) {
        _ = try Gzip.decompress(file, outputLimit: limit)
        return nil
      } catch { return error }
    }
    expectEqual(error { $0[1] = 0 }, .wrongMagic)
    expectEqual(error { $0.removeLast($0.count - 9) }, .truncated)
    expectEqual(error { $0[2] = 7 }, .unsupportedMethod(7))
    expectEqual(error { $0[3] = 0x28 }, .reservedFlags(0x28))
    let stored: UInt32 = 24 | 1 << 24
    expectEqual(error { $0[$0.count - 1] = 1 }, .wrongLength(stored: stored, found: 24))
    expectEqual(error({ _ in }, limit: 23), .data(.outputLimitExceeded(limit: 23)))
    let checksum = error { $0[$0.count - 8] ^= 1 }
    expectEqual(checksum, .checksumMismatch(stored: 0xD4FF_1C41, computed: 0xD4FF_1C40))
  }

  @Test func damagedFilesGiveAnError() {
    var accepted = 0
    let count = Mutations.forEach(of: Self.named, header: [0..<10]) { (file) in
      if let output = try? Gzip.decompress(file, outputLimit: 1000) {
        expectEqual(output, Self.text, "only fields that say nothing of the content may differ")
        accepted += 1
      }
    }
    #expect(count > 2000)
    #expect(accepted > 0)
  }
}
