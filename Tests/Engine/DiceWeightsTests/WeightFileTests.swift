import TestSupport
import Testing

@testable import DiceWeights

struct WeightFileTests {
  private static func golden(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("golden/weights/\(name)")
  }

  // MARK: Against the independent writer

  @Test func readsWhatTheIndependentWriterWrote() throws {
    let file = try WeightFile(bytes: Self.golden("everything.dvweights"))
    expectEqual(file.description, Networks.everything)
    expectEqual(file.tensors.map(\.storage), Networks.everyStorage)
    let values = try Networks.floats("everything.read", shapes: file.shapes.tensors)
    #expect(file.tensorCount == 25 && values.count == 25)
    for tensor in 0..<file.tensorCount {
      expectEqual(
        file.floats(of: tensor).map(\.bitPattern), values[tensor].map(\.bitPattern),
        "tensor \(tensor)")
      expectEqual(file.tensors[tensor].elementCount, values[tensor].count)
    }
  }

  @Test func writesTheBytesOfTheIndependentWriter() throws {
    let shapes = try Networks.everything.validated().tensors
    let bytes = try WeightFile.encode(
      description: Networks.everything,
      tensors: Networks.floats("everything.values", shapes: shapes),
      storages: Networks.everyStorage)
    try expectEqual(bytes, Self.golden("everything.dvweights"))
  }

  /// The golden network would leave something unchecked if it did not have every case.
  @Test func goldenNetworkHasEveryKindAndOption() {
    let network = Networks.everything
    let layers = network.layers
    expectEqual(Set(layers.map(\.code)), Set(1...18))
    var activations: Set<UInt8> = []
    var axes: Set<Layer.Axis> = []
    var numbers: [String: Set<Int>] = [:]
    func note(_ name: String, _ code: Int) { numbers[name, default: []].insert(code) }
    for layer in layers {
      switch layer {
      case .convolution(let layer): activations.insert(layer.activation.code)
      case .transposedConvolution(let layer): activations.insert(layer.activation.code)
      case .dense(let layer): activations.insert(layer.activation.code)
      case .activation(let layer): activations.insert(layer.function.code)
      case .elementwise(let layer):
        activations.insert(layer.activation.code)
        note("operation", Int(layer.operation.rawValue))
      case .pooling(let layer): note("pooling", Int(layer.kind.rawValue))
      case .reduction(let layer): note("reduction", Int(layer.kind.rawValue))
      case .concatenation(let layer): axes.insert(layer.axis)
      case .slice(let layer): note("slice", Int(layer.axis.rawValue))
      case .softmax(let layer): note("softmax", Int(layer.axis.rawValue))
      case .resizing(let layer):
        note("interpolation", Int(layer.interpolation.rawValue))
        note("coordinates", Int(layer.coordinates.rawValue))
        if case .size = layer.extent { note("extent", 1) } else { note("extent", 0) }
      case .padding(let layer):
        switch layer.mode {
        case .constant: note("mode", 0)
        case .edge: note("mode", 1)
        case .reflection: note("mode", 2)
        }
      case .matrixProduct(let layer):
        note("transposition", (layer.transposesFirst ? 1 : 0) + (layer.transposesSecond ? 2 : 0))
      case .rearrangement, .batchNormalization, .constant, .ranking, .selection: break
      }
    }
    #expect(activations == Set(0...23) && axes.count == 3)
    let counts = [
      "operation": 7, "pooling": 3, "reduction": 4, "slice": 3, "softmax": 3, "interpolation": 5,
      "coordinates": 3, "extent": 2, "mode": 3, "transposition": 4,
    ]
    expectEqual(numbers.mapValues(\.count), counts)
    expectEqual(Set(Networks.everyStorage).count, 4)
    expectEqual(Set(network.inputs.compactMap(\.imageRules?.channelOrder)).count, 2)
  }

  @Test func smallestFileIsTheOneInTheDocument() throws {
    let bytes = try WeightFile.encode(
      description: Networks.smallest, tensors: [], storages: [])
    try expectEqual(bytes, Self.golden("smallest.dvweights"))
    try expectEqual(bytes, FormatDocument.hexDump())
    expectEqual(bytes.count, 201)
  }

  @Test func writesTheDetectorOfTheIndependentWriter() throws {
    let bytes = try WeightFile.encode(
      description: Networks.detector, tensors: Networks.detectorValues,
      storages: [.float16, .float16])
    try expectEqual(bytes, Self.golden("detector.dvweights"))
  }

  @Test func skipsOptionalSectionsOfNewerMinorVersions() throws {
    let newer = try WeightFile(bytes: Self.golden("newer.dvweights"))
    let known = try WeightFile(bytes: Self.golden("detector.dvweights"))
    #expect(newer.minorVersion == 7 && known.minorVersion == 0)
    expectEqual(newer.description, known.description)
    expectEqual(newer.floats(of: 0), known.floats(of: 0))
    #expect(newer != known)
  }

  // MARK: Access

  @Test(arguments: WeightStorage.allCases)
  func readsBackWhatWasWritten(storage: WeightStorage) throws {
    var values = Networks.detectorValues
    // Multiples of 1/8 up to 127/8 in every channel are exact in all four storages.
    for channel in 0..<6 { values[0][channel] = -127 / 8 }
    let bytes = try WeightFile.encode(
      description: Networks.detector, tensors: values, storage: storage)
    let file = try WeightFile(bytes: bytes)
    expectEqual(file.description, Networks.detector)
    expectEqual(file.tensors.map(\.storage), [storage, .float32])
    expectEqual(file.floats(of: 0), values[0])
    expectEqual(file.floats(of: 1), values[1])
    expectEqual(file.bytes, bytes)
  }

  @Test func givesValuesInPlaceAndConvertedAlike() throws {
    let file = try WeightFile(bytes: Self.golden("everything.dvweights"))
    for tensor in 0..<file.tensorCount {
      let values = file.floats(of: tensor)
      let copied = file.withFloats(of: tensor) { span in span.indices.map { span[$0] } }
      expectEqual(copied, values)
      let range = file.tensors[tensor].byteRange
      let stored = file.withBytes(of: tensor) { span in
        span.byteOffsets.map { span.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
      }
      expectEqual(stored, Array(file.bytes[range]))
      expectEqual(range.lowerBound % 64, 0)
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
    let first = try WeightFile(bytes: Self.golden("detector.dvweights"))
    let second = try WeightFile(bytes: Self.golden("detector.dvweights"))
    let third = try WeightFile(bytes: Self.golden("everything.dvweights"))
    #expect(first == second && first.hashValue == second.hashValue)
    #expect(first != third)
    expectEqual(first.checksum, 0x2EAD_6C6E_FCCD_B875)
  }

  @Test func refusesMoreBytesThanTheCallerAllows() throws {
    let bytes = try Self.golden("smallest.dvweights")
    #expect(throws: WeightFileError.fileTooLarge(byteCount: 201, limit: 200)) {
      try WeightFile(bytes: bytes, byteCountLimit: 200)
    }
    _ = try WeightFile(bytes: bytes, byteCountLimit: 201)
    _ = try WeightFile(bytes: bytes, byteCountLimit: .max)
  }
}
