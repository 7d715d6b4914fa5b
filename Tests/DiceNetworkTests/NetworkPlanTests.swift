import DiceKernels
import DiceNetwork
import DiceWeights
import Testing

@Suite struct NetworkPlanTests {
  /// One 1x1 convolution to `classCount + 5` channels behind a stride of 32, and a head.
  static func description(
    outputs: Int = 6, layers: [Layer]? = nil, labels: [String] = ["1"]
  ) -> NetworkDescription {
    let layers =
      layers ?? [
        .convolution(
          Layer.Convolution(
            input: .input, inputChannels: 3, outputChannels: outputs, kernelSize: 1, stride: 4,
            padding: 0, activation: .identity, weights: 0, bias: 1)),
        .detectionHead(
          Layer.DetectionHead(
            input: .layer(0), stride: 4, baseSize: 10, classCount: labels.count)),
      ]
    return NetworkDescription(
      name: "plan", input: InputRules(width: 64, height: 32), layers: layers, labels: labels,
      thresholds: DefaultThresholds(intersectionOverUnion: 0.5, confidence: 0.5))
  }

  static func tensors(outputs: Int = 6) -> [[Float]] {
    [
      (0..<3 * outputs).map { (index) in Float(index) },
      (0..<outputs).map { (index) in Float(index) / 8 },
    ]
  }

  @Test func saysWhatItChose() throws {
    let small = try NetworkPlan(Golden.all[0].file(), kernels: .implementation(.baseline))
    let text = small.description
    #expect(text.hasPrefix("small: 16 layers, baseline kernels, "))
    #expect(text.contains("convolution 3x3 / 2, 3 -> 8, leaky 0.1"))
    #expect(text.contains("concatenation of 2, in place"))
    #expect(text.contains("detection head, 6 classes, base size 24.0"))
    #expect(text.split(separator: "\n").count == 17)
    #expect(small.implementation == .baseline)
    #expect(small.heads.map(\.stride) == [8, 16])

    let reference = try NetworkPlan(Golden.all[0].file(), kernels: .reference)
    #expect(reference.implementation == nil)
    #expect(reference.description.contains("reference kernels"))
    let automatic = try NetworkPlan(Golden.all[0].file())
    #expect(automatic.implementation == .best)
  }

  @Test func copiesOnlyWhatCannotBeWrittenInPlace() throws {
    let text = try NetworkPlan(Golden.all[2].file()).description
    // Both parts of the input's join with itself, one of two equal parts elsewhere.
    #expect(text.contains("concatenation of 2, 2 copied"))
    #expect(text.contains("concatenation of 2, in place"))
    #expect(text.contains("concatenation of 3, 1 copied") || text.contains("3, 2 copied"))
  }

  @Test func refusesTensorsThatDoNotFitTheDescription() {
    let description = Self.description()
    var tensors = Self.tensors()
    #expect(throws: NetworkError.tensorCount(found: 1, required: 2)) {
      _ = try NetworkPlan(description: description, tensors: [tensors[0]])
    }
    tensors[1].append(0)
    #expect(throws: NetworkError.valueCount(tensor: 1, found: 7, required: 6)) {
      _ = try NetworkPlan(description: description, tensors: tensors)
    }
  }

  @Test func refusesADescriptionThatIsNotValid() {
    let description = Self.description(outputs: 7)
    do {
      _ = try NetworkPlan(description: description, tensors: Self.tensors(outputs: 7))
      Issue.record("a head with the wrong number of channels was accepted")
    } catch {
      guard case .invalidDescription = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.description.hasPrefix("The network's description is not valid: "))
    }
  }

  @Test func refusesSizesThatAreNoMultipleOf32OrTooLarge() throws {
    let plan = try NetworkPlan(description: Self.description(), tensors: Self.tensors())
    for (width, height) in [
      (0, 32), (32, 0), (31, 32), (64, 48), (-32, 32), (4128, 32), (32, 4128), (Int.max, Int.min),
    ] {
      let error = NetworkError.inputSize(
        width: width, height: height, multiple: 32, allowed: 32...4096)
      #expect(throws: error) {
        _ = try NetworkRunner(plan, width: width, height: height)
      }
      #expect(!error.description.isEmpty)
    }
  }

  @Test func refusesActivationsThatNeedTooMuchMemory() throws {
    // 4096 channels at full resolution.
    let wide = Self.description(layers: [
      .convolution(
        Layer.Convolution(
          input: .input, inputChannels: 3, outputChannels: 4096, kernelSize: 1, stride: 1,
          padding: 0, activation: .identity, weights: 0, bias: 1)),
      .convolution(
        Layer.Convolution(
          input: .layer(0), inputChannels: 4096, outputChannels: 6, kernelSize: 1, stride: 1,
          padding: 0, activation: .identity, weights: 2, bias: 3)),
      .detectionHead(
        Layer.DetectionHead(input: .layer(1), stride: 1, baseSize: 10, classCount: 1)),
    ])
    let plan = try NetworkPlan(
      description: wide,
      tensors: [3 * 4096, 4096, 6 * 4096, 6].map { (count) in
        [Float](repeating: 0, count: count)
      })
    let byteCount: Int64 = 4096 * 4096 * 4096 * 4
    #expect(
      throws: NetworkError.activationsTooLarge(
        width: 4096, height: 4096, byteCount: byteCount, limit: Int64(Int32.max))
    ) { _ = try NetworkRunner(plan, width: 4096, height: 4096) }
    _ = try NetworkRunner(plan, width: 32, height: 32)
  }

  @Test func theInputsPixelIsNarrowWhereOnlyConvolutionsReadIt() throws {
    let plan = try NetworkPlan(description: Self.description(), tensors: Self.tensors())
    let runner = try NetworkRunner(plan)
    #expect(runner.width == 64 && runner.height == 32)
    let (pixelStride, rowStride) = runner.withInput { (region) in
      (region.pixelStride, region.rowStride)
    }
    #expect(pixelStride == 3 && rowStride == 192)
    let edges = try NetworkRunner(NetworkPlan(Golden.all[2].file()))
    #expect(edges.withInput { (region) in region.pixelStride } == 16)
  }
}
