import DiceVisionKit
import DiceWeights
import TestSupport
import Testing

@Suite struct DetectorErrorTests {
  @Test func refusesWrongConfigurations() throws {
    let network = PatternNetwork()
    for (configuration, expected): (DiceDetector.Configuration, DetectorError) in [
      (.init(threadCount: 0), .invalidThreadCount(0)),
      (.init(threadCount: -2), .invalidThreadCount(-2)),
      (.init(maximumObservationCount: -1), .invalidMaximumObservationCount(-1)),
      (.init(suppression: .soft(sigma: 0)), .invalidSuppressionSigma(0)),
      (.init(suppression: .soft(sigma: .infinity)), .invalidSuppressionSigma(.infinity)),
      (.init(fileResolution: .longerSide(0)), .invalidFileResolution(0)),
      (.init(fileResolution: .longerSide(.min)), .invalidFileResolution(.min)),
      (.init(kinds: [.d20, .d6]), .unknownKinds(found: [.d20], known: [.d6])),
      (
        .init(inputSize: .init(side: 100)),
        .network(.inputShapes(Self.sizeError(width: 100, height: 100)))
      ),
      (
        .init(inputSize: .init(width: 64, height: 0)),
        .network(
          .inputShapes(
            .inputShape(
              input: 0, found: TensorShape(height: 0, width: 64, channels: 3))))
      ),
    ] {
      #expect(throws: expected) { try network.detector(configuration) }
      #expect(expected.description.hasSuffix("."))
    }
  }

  /// The pattern network makes pictures eight times smaller.
  private static func sizeError(width: Int, height: Int) -> WeightFileError {
    .sizeMultiple(
      input: 0, found: TensorShape(height: height, width: width, channels: 3), multiple: 8)
  }

  @Test func refusesKernelsThatAreNotThere() throws {
    for kernels in DiceDetector.KernelImplementation.allCases {
      let configuration = DiceDetector.Configuration(kernelImplementation: kernels)
      if kernels.isAvailable {
        let detector = try PatternNetwork().detector(configuration)
        expectEqual(detector.kernelImplementation, kernels)
        let layout = Layout.all[0]
        #expect(try detector.detect(in: layout.image).matches(layout.blocks))
      } else {
        #expect(throws: DetectorError.unavailableKernels(kernels)) {
          try PatternNetwork().detector(configuration)
        }
      }
    }
    #expect(DiceDetector.KernelImplementation.baseline.isAvailable)
    #expect(DiceDetector.KernelImplementation.reference.isAvailable)
  }

  @Test func refusesEveryTruncatedWeightFile() throws {
    let bytes = try PatternNetwork().weightFile()
    #expect(bytes.count > 500)
    for count in stride(from: 0, to: bytes.count, by: 1) {
      do throws(DetectorError) {
        _ = try DiceDetector(weights: Array(bytes[..<count]), configuration: .init(threadCount: 1))
        Issue.record("a file of \(count) bytes was taken")
      } catch {
        guard case .weights = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }

  @Test func refusesEveryDamagedWeightFile() throws {
    let bytes = try PatternNetwork().weightFile()
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1 << (index % 8)
      #expect(throws: DetectorError.self) {
        try DiceDetector(weights: damaged, configuration: .init(threadCount: 1))
      }
    }
  }

  @Test func everyErrorIsASentence() {
    let errors: [DetectorError] = [
      .weights(.layerCount(found: 0, allowed: 1...9)), .heads(.noHead),
      .unusableProfile(rule: "\"a\" must be one number"), .file(.notFound(path: "x")),
      .image(.empty), .frame(.unsupportedPixelFormat(code: 0x7834_3230)), .frame(.noSamples),
      .geometry(.storedSizeOutOfRange(width: 0, height: 1)),
      .network(.tensorCount(found: 1, required: 2)),
      .invalidThreshold(name: "iouThreshold", value: 2), .invalidThreadCount(0),
      .invalidMaximumObservationCount(-1), .invalidSuppressionSigma(-1),
      .unavailableKernels(.avx512), .cancelled,
      .unknownKinds(found: [.d20, .d8], known: [.d6, .percentile]),
    ]
    for error in errors { #expect(error.description.count > 15) }
    expectEqual(Set(errors.map(\.description)).count, errors.count)
    let kinds = errors.last?.description
    #expect(kinds?.contains("(d6, d%)") == true && kinds?.hasSuffix("know d8, d20.") == true)
  }
}
