import TestSupport
import Testing

@testable import DiceGameTraining

struct IDXFileTests {
  private static let file: [UInt8] = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6]

  @Test func readsDimensionsAndValues() throws {
    let file = try IDXFile(Self.file)
    expectEqual(file.dimensions, [2, 3])
    expectEqual(file.values, [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [
    ([0, 0, 8], IDXError.truncated(byteCount: 3, required: 4)),
    ([0, 0, 8, 1, 0, 0], .truncated(byteCount: 6, required: 8)),
    ([0, 1, 8, 1, 0, 0, 0, 0], .wrongMagic([0, 1, 8, 1])),
    ([0, 0, 13, 1, 0, 0, 0, 0], .unsupportedType(13)),
    ([0, 0, 8, 0], .rank(found: 0)),
    ([0, 0, 8, 5], .rank(found: 5)),
    ([0, 0, 8, 1, 0, 0, 0, 2, 9], .valueCount(found: 1, required: 2)),
    ([0, 0, 8, 1, 0, 0, 0, 0, 9], .valueCount(found: 1, required: 0)),
  ])
  func namesTheBrokenRule(bytes: [UInt8], expected: IDXError) {
    #expect(throws: expected) { try IDXFile(bytes) }
  }

  @Test func hugeDimensionsDoNotOverflow() {
    let bytes: [UInt8] = [0, 0, 8, 4] + [UInt8](repeating: 0xFF, count: 16)
    #expect(throws: IDXError.valueCount(found: 0, required: .max)) { try IDXFile(bytes) }
  }

  @Test func damagedFilesGiveAnErrorOrAnArray() {
    let count = Mutations.forEach(of: Self.file, header: [0..<12]) { (bytes) in
      if let file = try? IDXFile(bytes) {
        expectEqual(file.values.count, file.dimensions.reduce(1, *))
      }
    }
    #expect(count > 2000)
  }
}
