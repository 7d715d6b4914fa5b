import DiceWeights
import TestSupport
import Testing

struct WeightFileTests {
  private static func golden(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("golden/weights/\(name)")
  }

  // MARK: Against the independent writer

  @Test func readsWhatTheIndependentWriterWrote() throws {
    let file = try WeightFile(bytes: Self.golden("everything.dvweights"))
    #expect(file.description == Networks.everything)
    #expect(file.tensors.map(\.storage) == Networks.everyStorage)
    let values = try Networks.floats("everything.read", shapes: file.shapes.tensors)
    #expect(file.tensorCount == 10 && values.count == 10)
    for tensor in 0..<file.tensorCount {
      #expect(
        file.floats(of: tensor).map(\.bitPattern) == values[tensor].map(\.bitPattern),
        "tensor \(tensor)")
      #expect(file.tensors[tensor].elementCount == values[tensor].count)
    }
  }

  @Test func writesTheBytesOfTheIndependentWriter() throws {
    let shapes = try Networks.everything.validated().tensors
    let bytes = try WeightFile.encode(
      description: Networks.everything,
      tensors: Networks.floats("everything.values", shapes: shapes),
      storages: Networks.everyStorage)
    #expect(try bytes == Self.golden("everything.dvweights"))
  }

  @Test func smallestFileIsTheOneInTheDocument() throws {
    let bytes = try WeightFile.encode(
      description: Networks.smallest, tensors: Networks.smallestValues,
      storages: [.float16, .float16])
    #expect(try bytes == Self.golden("smallest.dvweights"))
    #expect(try bytes == FormatDocument.hexDump())
    #expect(bytes.count == 396)
  }

  @Test func skipsOptionalSectionsOfNewerMinorVersions() throws {
    let newer = try WeightFile(bytes: Self.golden("newer.dvweights"))
    let known = try WeightFile(bytes: Self.golden("smallest.dvweights"))
    #expect(newer.minorVersion == 7 && known.minorVersion == 0)
    #expect(newer.description == known.description)
    #expect(newer.floats(of: 0) == known.floats(of: 0))
    #expect(newer != known)
  }

  // MARK: Access

  @Test(arguments: WeightStorage.allCases)
  func readsBackWhatWasWritten(storage: WeightStorage) throws {
    var values = Networks.smallestValues
    // Multiples of 1/8 up to 127/8 in every channel are exact in all four storages.
    for channel in 0..<6 { values[0][channel] = -127 / 8 }
    let bytes = try WeightFile.encode(
      description: Networks.smallest, tensors: values, storage: storage)
    let file = try WeightFile(bytes: bytes)
    #expect(file.description == Networks.smallest)
    #expect(file.tensors.map(\.storage) == [storage, .float32])
    #expect(file.floats(of: 0) == values[0])
    #expect(file.floats(of: 1) == values[1])
    #expect(file.bytes == bytes)
  }

  @Test func givesValuesInPlaceAndConvertedAlike() throws {
    let file = try WeightFile(bytes: Self.golden("everything.dvweights"))
    for tensor in 0..<file.tensorCount {
      let values = file.floats(of: tensor)
      let copied = file.withFloats(of: tensor) { span in span.indices.map { span[$0] } }
      #expect(copied == values)
      let range = file.tensors[tensor].byteRange
      let stored = file.withBytes(of: tensor) { span in
        span.byteOffsets.map { span.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
      }
      #expect(stored == Array(file.bytes[range]))
      #expect(range.lowerBound % 64 == 0)
    }
  }

  @Test func handsOnTheErrorsOfClosures() throws {
    struct Stop: Error, Equatable {}
    let file = try WeightFile(bytes: Self.golden("everything.dvweights"))
    for tensor in [0, 1] {
      #expect(throws: Stop()) {
        try file.withFloats(of: tensor) { _ throws(Stop) -> Void in throw Stop() }
      }
      #expect(throws: Stop()) {
        try file.withBytes(of: tensor) { _ throws(Stop) -> Void in throw Stop() }
      }
    }
  }

  @Test func equalBytesMakeEqualFiles() throws {
    let first = try WeightFile(bytes: Self.golden("smallest.dvweights"))
    let second = try WeightFile(bytes: Self.golden("smallest.dvweights"))
    let third = try WeightFile(bytes: Self.golden("everything.dvweights"))
    #expect(first == second && first.hashValue == second.hashValue)
    #expect(first != third)
    #expect(first.checksum == 0x7008_60E2_6B1F_23B1)
  }

  @Test func refusesMoreBytesThanTheCallerAllows() throws {
    let bytes = try Self.golden("smallest.dvweights")
    #expect(throws: WeightFileError.fileTooLarge(byteCount: 396, limit: 395)) {
      try WeightFile(bytes: bytes, byteCountLimit: 395)
    }
    _ = try WeightFile(bytes: bytes, byteCountLimit: 396)
    _ = try WeightFile(bytes: bytes, byteCountLimit: .max)
  }
}
