import DiceNumerics
import TestSupport
import Testing

@testable import DiceWeights

/// Files that were cut or changed: the reader throws or gives a usable file, and never traps.
struct DamagedWeightFileTests {
  private static func golden(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("golden/weights/\(name).dvweights")
  }

  /// The bytes with the length and the checksum that they require, so that the other rules decide.
  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard bytes.count >= 64 else { return bytes }
    func write(_ value: UInt64, at offset: Int) {
      for index in 0..<8 {
        bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
      }
    }
    write(UInt64(bytes.count), at: 16)
    write(XXHash64.hash(bytes, zeroed: 24), at: 24)
    return bytes
  }

  /// Reads a file and, where it is legal, everything in it.
  ///
  /// Returns whether it is legal.
  private static func survives(_ bytes: [UInt8]) -> Bool {
    guard let file = try? WeightFile(bytes: bytes) else { return false }
    for tensor in 0..<file.tensorCount {
      for value in file.floats(of: tensor) where !value.isFinite {
        Issue.record("a value of a legal file is not finite")
      }
    }
    for factor in [1, 2, 3] {
      _ = try? file.shapes(
        inputs: file.shapes.inputs.map { shape in
          TensorShape(
            height: file.shapes.sizeMultiple * factor, width: shape.width,
            channels: shape.channels)
        })
    }
    let values = (0..<file.tensorCount).map { file.floats(of: $0) }
    let again = try? WeightFile.encode(
      description: file.description, tensors: values,
      storages: file.tensors.map { $0.storage == .int8 ? .float32 : $0.storage })
    #expect(again != nil, "a legal description can be written again")
    // Without int8, whose scales the writer chooses, there is one encoding only.
    if file.minorVersion == 0, !file.tensors.contains(where: { $0.storage == .int8 }) {
      if again != bytes { Issue.record("a legal file has a second encoding") }
    }
    #expect(file.summary().utf8.allSatisfy { $0 == 0x0A || ($0 >= 0x20 && $0 != 0x7F) })
    return true
  }

  @Test(arguments: ["smallest", "detector", "everything"])
  func cuttingAtEveryByteThrows(name: String) throws {
    let bytes = try Self.golden(name)
    for count in 0..<bytes.count {
      let error = try #require(throws: WeightFileError.self) {
        try WeightFile(bytes: Array(bytes.prefix(count)))
      }
      switch error {
      case .wrongMagic: #expect(count < 8)
      case .headerTruncated: #expect(count < 64)
      default: expectEqual(error, .wrongByteCount(stated: UInt64(bytes.count), found: count))
      }
    }
    #expect(bytes.count > 200)
  }

  @Test(arguments: ["smallest", "detector", "everything"])
  func flippingAnyBitThrows(name: String) throws {
    let bytes = try Self.golden(name)
    // All eight bits of the small files, one bit of each byte of the large one.
    for offset in bytes.indices {
      for bit in 0..<8 where name != "everything" || bit == offset % 8 {
        var damaged = bytes
        damaged[offset] ^= 1 << bit
        if Self.survives(damaged) { Issue.record("bit \(bit) of byte \(offset) is not noticed") }
      }
    }
  }

  @Test(arguments: ["smallest", "detector", "everything", "newer"])
  func cuttingAtEveryByteAndSealingThrows(name: String) throws {
    let bytes = try Self.golden(name)
    for count in 0..<bytes.count {
      let cut = Self.sealed(Array(bytes.prefix(count)))
      if Self.survives(cut) { Issue.record("\(count) bytes are accepted") }
    }
  }

  @Test func changingAnyByteAndSealingNeverTraps() throws {
    var legal = 0
    var refused = 0
    for name in ["smallest", "detector", "newer"] {
      let bytes = try Self.golden(name)
      for offset in bytes.indices {
        let changes: [UInt8] =
          name == "newer" ? [0x20] : [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF]
        for change in changes {
          var changed = bytes
          changed[offset] ^= change
          if Self.survives(Self.sealed(changed)) { legal += 1 } else { refused += 1 }
        }
      }
    }
    // Letters, numbers of heads, scales and weights may have other values; structure may not.
    #expect(legal > 1000 && refused > 2000)
  }

  /// Every bit of each byte of the description of a file that has every kind of layer.
  @Test func changingAnyBitOfEveryKindOfRecordNeverTraps() throws {
    let bytes = try Self.golden("everything")
    let end = 64 + Int(bytes[12]) + Int(bytes[13]) << 8
    var legal = 0
    for offset in 64..<end {
      for bit in 0..<8 {
        var changed = bytes
        changed[offset] ^= 1 << bit
        if Self.survives(Self.sealed(changed)) { legal += 1 }
      }
    }
    #expect(end > 2000 && legal > 1000)
  }

  /// Every value of each of the first 128 bytes of the detector's file, sealed and as it is.
  @Test func everyDamageGivesAFileOrAnError() throws {
    let bytes = try Self.golden("detector")
    var legal = 0
    let count = Mutations.forEach(of: bytes, header: [0..<128]) { changed in
      if Self.survives(Self.sealed(changed)) { legal += 1 }
      if (try? WeightFile(bytes: changed)) != nil { Issue.record("a change is not noticed") }
    }
    #expect(count > 30_000 && legal > 1000)
  }

  @Test func changingManyBytesAndSealingNeverTraps() throws {
    let bytes = try Self.golden("everything")
    let descriptionByteCount = Int(bytes[12]) + Int(bytes[13]) << 8
    var generator = SeededGenerator(seed: 1)
    var refused = 0
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let offset = Int.random(in: 64..<64 + descriptionByteCount, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: changed[offset] = UInt8.random(in: 0...255, using: &generator)
        case 1: changed[offset] = [0, 1, 2, 0x7F, 0x80, 0xFF].randomElement(using: &generator)!
        case 2: changed[offset] &+= 1
        default:
          let source = Int.random(in: 64..<64 + descriptionByteCount - 4, using: &generator)
          for index in 0..<4 where offset + index < changed.count {
            changed[offset + index] = bytes[source + index]
          }
        }
      }
      if !Self.survives(Self.sealed(changed)) { refused += 1 }
    }
    #expect(refused > 1000)
  }

  @Test func randomBytesBehindTheMagicThrow() {
    var generator = SeededGenerator(seed: 2)
    for count in 0..<500 {
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for (index, byte) in WeightFormat.magic.enumerated() where index < count {
        bytes[index] = byte
      }
      for offset in 8..<16 where offset < count { bytes[offset] = offset == 8 ? 2 : 0 }
      for offset in 32..<64 where offset < count { bytes[offset] = 0 }
      if count > 64 { bytes[12] = UInt8(truncatingIfNeeded: count - 64) }
      #expect(throws: WeightFileError.self) { try WeightFile(bytes: Self.sealed(bytes)) }
    }
  }
}
