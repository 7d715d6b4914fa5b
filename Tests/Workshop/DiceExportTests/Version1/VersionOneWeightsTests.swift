import DiceExport
import TestSupport
import Testing

@testable import DiceWeights

struct VersionOneWeightsTests {
  private static func legal(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("version-1/weights/\(name).dvweights")
  }

  /// The same file with the length and the checksum that it requires.
  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard bytes.count >= 64 else { return bytes }
    func write(_ value: UInt64, at offset: Int) {
      for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }
    write(UInt64(bytes.count), at: 16)
    write(XXHash64.hash(bytes, zeroed: 24), at: 24)
    return bytes
  }

  /// The bytes of the tensors of a file of version 1, found by its table behind the tag TENS.
  private static func tensors(of bytes: [UInt8]) throws -> [[UInt8]] {
    func word(_ offset: Int, _ count: Int) -> Int {
      bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let tag = Array("TENS".utf8)
    let table = try #require(bytes.indices.first { Array(bytes[$0...].prefix(4)) == tag })
    var entry = table + 12
    var tensors: [[UInt8]] = []
    for _ in 0..<word(table + 8, 4) {
      let place = entry + 4 + 4 * Int(bytes[entry + 1])
      let offset = word(place, 8)
      tensors.append(Array(bytes[offset..<offset + word(place + 8, 8)]))
      entry = place + 16
    }
    return tensors
  }

  @Test(arguments: [("everything", 10), ("smallest", 2), ("newer", 2), ("twins", 2)])
  func keepsTheBytesOfTensors(name: String, count: Int) throws {
    let legal = try Self.legal(name)
    let file = try VersionOneWeights.converted(legal)
    #expect(legal[8] == 1 && file.bytes[8] == 2)
    let tensors = try Self.tensors(of: legal)
    #expect(tensors.count == count && file.tensorCount == count)
    for (index, tensor) in file.tensors.enumerated() {
      #expect(Array(file.bytes[tensor.byteRange]) == tensors[index], "tensor \(index)")
    }
  }

  @Test func convertsEveryKindOfLayer() throws {
    let file = try VersionOneWeights.converted(Self.legal("everything"), task: "coins")
    #expect(file.description == VersionOneNetworks.everything)
  }

  @Test func convertsTheSmallestFile() throws {
    let file = try VersionOneWeights.converted(Self.legal("smallest"))
    #expect(file.description == VersionOneNetworks.smallest)
    // Sections that a newer minor version has behind the known ones are left out.
    #expect(try VersionOneWeights.converted(Self.legal("newer")) == file)
  }

  @Test func namesHeadsOfTheSameStrideApart() throws {
    let outputs = try VersionOneWeights.converted(Self.legal("twins")).description.outputs
    #expect(outputs.map(\.name) == ["boxes-1", "boxes-1-2"])
    #expect(outputs.map(\.layer) == [0, 0])
    #expect(outputs.map { $0.head?.parameters.values(named: "base size") } == [[8], [16]])
  }

  @Test func refusesOtherVersions() throws {
    let current = try Fixtures.bytes("golden/weights/smallest.dvweights")
    #expect(throws: VersionOneError.otherVersion(major: 2)) {
      try VersionOneWeights.converted(current)
    }
    #expect(throws: VersionOneError.otherVersion(major: nil)) {
      try VersionOneWeights.converted(Array("no weights".utf8))
    }
    let legal = try Self.legal("smallest")
    #expect(throws: VersionOneError.brokenRule(.fileSize, index: nil)) {
      try VersionOneWeights.converted(legal, byteCountLimit: legal.count - 1)
    }
    _ = try VersionOneWeights.converted(legal, byteCountLimit: legal.count)
  }

  /// The rules of version 1 that version 2 has as well, by their numbers.
  private static let sharedRules: [Int: String] = [
    27: "forbiddenCharacter", 30: "inputScale", 31: "inputBias", 47: "tensorIndex",
    49: "tensorShape", 51: "unusedLayer", 52: "unusedTensor", 57: "valueNotFinite",
    58: "quantizationScale", 59: "quantizedValue",
  ]

  @Test func everyFileThatBreaksARuleGivesItsNumber() throws {
    let names = try Fixtures.names(in: "version-1/invalid").filter { $0.hasSuffix(".dvweights") }
    var seen: Set<VersionOneRule> = [.fileSize]
    for name in names {
      let number = try #require(Int(name.dropFirst().prefix(2)))
      let bytes = try Fixtures.bytes("version-1/invalid/\(name)")
      let error = try #require(throws: VersionOneError.self, "\(name)") {
        try VersionOneWeights.converted(bytes)
      }
      switch error {
      case .otherVersion(nil): #expect(number == 1)
      case .otherVersion: #expect(number == 3)
      case .brokenRule(let rule, _):
        #expect(rule.rawValue == number, "\(name)")
        seen.insert(rule)
      case .brokenResult(let error):
        let name = Mirror(reflecting: error).children.first?.label
        #expect(name == Self.sharedRules[number], "\(name ?? "")")
      }
      #expect(error.description.hasSuffix(".") && error.description.count > 20)
    }
    #expect(names.count == 138)
    #expect(seen == Set(VersionOneRule.allCases))
    let texts = VersionOneRule.allCases.map {
      VersionOneError.brokenRule($0, index: 3).description
    }
    #expect(Set(texts).count == texts.count)
  }

  @Test func damageNeverTraps() throws {
    var legal = 0
    var refused = 0
    func attempt(_ bytes: [UInt8]) {
      if (try? VersionOneWeights.converted(bytes)) != nil { legal += 1 } else { refused += 1 }
    }
    for name in ["smallest", "everything", "newer"] {
      let bytes = try Self.legal(name)
      for count in bytes.indices { attempt(Self.sealed(Array(bytes.prefix(count)))) }
      #expect(legal == 0, "a file that was cut is accepted")
      for offset in bytes.indices {
        var changed = bytes
        changed[offset] ^= 1 << UInt8(offset % 8)
        #expect(throws: VersionOneError.self) { try VersionOneWeights.converted(changed) }
      }
      for offset in bytes.indices where name != "everything" || offset < 1100 {
        for change: UInt8 in [0x01, 0x02, 0x10, 0x80, 0xFF] {
          var changed = bytes
          changed[offset] ^= change
          attempt(Self.sealed(changed))
        }
      }
      #expect(legal > 0 && refused > 1000)
      legal = 0
    }
  }
}
