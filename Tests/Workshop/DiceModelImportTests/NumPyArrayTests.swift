import DiceModelImport
import Testing
import TestSupport

struct NumPyArrayTests {
  @Test func whatIsWrittenIsRead() throws {
    for shape in [[], [3], [2, 3], [1, 2, 1, 2]] {
      let count = shape.reduce(1, *)
      let array = NumPyArray(shape: shape, numbers: (0..<count).map { Float($0) - 1.5 })
      try expectEqual(NumPyArray(array.bytes), array)
      expectEqual((array.bytes.count - 4 * count) % 64, 0)
    }
  }

  private static func file(_ header: String, _ numbers: [UInt8], version: UInt8 = 1) -> [UInt8] {
    let length = header.utf8.count
    return [0x93] + Array("NUMPY".utf8) + [version, 0, UInt8(length & 255), UInt8(length >> 8)]
      + (version > 1 ? [0, 0] : []) + Array(header.utf8) + numbers
  }

  @Test func integersAndFortranOrderAreRead() throws {
    let bytes = try NumPyArray(
      Self.file(
        "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 2), }\n",
        [1, 0, 2, 0, 3, 0, 255, 255]))
    expectEqual(bytes.numbers, [1, 3, 2, -1])
    let half = try NumPyArray(
      Self.file(
        "{'shape': (2,), 'descr': '<f2', 'fortran_order': False}", [0, 0x3C, 0, 0xC0], version: 3))
    expectEqual(half.numbers, [1, -2])
    expectEqual(half.element, .float16)
  }

  @Test func otherFilesAreErrors() {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"
    #expect(throws: NumPyArrayError.wrongMagic) { try NumPyArray(Array("hello, world".utf8)) }
    #expect(throws: NumPyArrayError.wrongByteCount(found: 3, required: 4)) {
      try NumPyArray(Self.file(header, [0, 0, 0]))
    }
    #expect(throws: NumPyArrayError.unsupportedVersion(4)) {
      try NumPyArray(Self.file(header, [], version: 4))
    }
    #expect(throws: NumPyArrayError.unsupportedElement(">f4")) {
      try NumPyArray(Self.file(header.replacing("<f4", with: ">f4"), [0, 0, 0, 0]))
    }
    #expect(throws: NumPyArrayError.tooLarge) {
      try NumPyArray(
        Self.file(header.replacing("(1,)", with: "(9000000000, 9000000000, 9000000000)"), []))
    }
    Mutations.forEachPrefix(of: Self.file(header, [0, 0, 0, 0])) { (bytes) in
      #expect(throws: NumPyArrayError.self) { try NumPyArray(bytes) }
    }
    Mutations.forEachChange(of: Self.file(header, [0, 0, 0, 0]), header: []) { (bytes) in
      _ = try? NumPyArray(bytes)
    }
  }
}
