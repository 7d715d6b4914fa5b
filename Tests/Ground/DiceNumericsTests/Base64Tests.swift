import DiceNumerics
import Foundation
import TestSupport
import Testing

@Suite struct Base64Tests {
  @Test func base64ComesBackForEveryLength() {
    var bytes: [UInt8] = []
    var state: UInt32 = 1
    for count in 0...300 {
      let text = Base64.encode(bytes, bytesPerLine: 72)
      expectEqual(text.withUnsafeBufferPointer { Base64.decode($0) }, bytes)
      let unbroken = Base64.encode(bytes)
      expectEqual(unbroken.withUnsafeBufferPointer { Base64.decode($0) }, bytes)
      // What Foundation makes of it, but for the line feeds.
      let expected = Data(bytes).base64EncodedString()
      expectEqual(String(decoding: text.filter { $0 != 10 }, as: UTF8.self), expected)
      expectEqual(String(decoding: unbroken, as: UTF8.self), expected)
      #expect(text.split(separator: 10).allSatisfy { $0.count <= 96 })
      #expect(text.isEmpty ? count == 0 : text.last == 10)
      state = state &* 1_664_525 &+ 1_013_904_223
      bytes.append(UInt8(state >> 24))
    }
  }
}
