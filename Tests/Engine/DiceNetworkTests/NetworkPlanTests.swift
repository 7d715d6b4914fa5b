import DiceKernels
import DiceNetwork
import DiceWeights
import TestSupport
import Testing

@Suite struct NetworkPlanTests {
  /// One 1x1 convolution with a stride of 4.
  static func description(outputs: Int = 6, layers: [Layer]? = nil) -> NetworkDescription {
    let layers =
      layers ?? [
        .convolution(
          Layer.Convolution(
            input: .input(0), inputChannels: 3, outputChannels: outputs,
            window: Layer.Window(size: 1, stride: 4), weights: 0, bias: 1))
      ]
    return NetworkDescription(
      name: "plan",
      inputs: [
        NetworkInput(
          name: "image", shape: TensorShape(height: 32, width: 64, channels: 3), isResizable: true)
      ], layers: layers, outputs: [NetworkOutput(name: "last", layer: layers.count - 1)])
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
    #expect(text.hasPrefix("small: 14 layers, baseline kernels, "))
    #expect(text.contains("convolution, 3x3 stride 2, leaky ReLU 0.1 "))
    #expect(text.contains(", in place"))
    expectEqual(text.split(separator: "\n").count, 15)
    expectEqual(small.implementation, .baseline)
    #expect(small.weightByteCount > 0)

    let reference = try NetworkPlan(Golden.all[0].file(), kernels: .reference)
    expectEqual(reference.implementation, nil)
    #expect(reference.description.contains("reference kernels"))
    let automatic = try NetworkPlan(Golden.all[0].file())
    expectEqual(automatic.implementation, .best)
  }

  @Test func copiesOnlyWhatCannotBeWrittenInPlace() throws {
    let lines = try NetworkPlan(Golden.all[2].file()).description
      .split(separator: "\n").filter { (line) in line.contains("concatenation") }
    expectEqual(lines.count, 5)
    // Both parts of the input's join with itself, one of two equal parts elsewhere.
    #expect(lines[0].hasSuffix(", 2 copied"))
    #expect(lines[1].hasSuffix(", in place"))
    #expect(lines[4].hasSuffix(", 1 copied"))
  }

  @Test func layersTakeOverOthersWhereNothingElseReadsThem() throws {
    let file = try Golden(name: "mobile").file()
    let fast = try NetworkPlan(file)
    // Ten normalisations behind convolutions, and seven activations behind those.
    let joined = fast.description.split(separator: "\n").filter { (line) in
      line.contains("part of a later layer")
    }
    expectEqual(joined.count, 17)
    let runner = try NetworkRunner(fast, keepsFeatureMaps: true)
    expectEqual(runner.featureMap(ofLayer: 0), nil)
    #expect(runner.featureMap(ofLayer: 2) != nil)
    // The reference computes every layer by itself.
    let reference = try NetworkPlan(file, kernels: .reference)
    #expect(!reference.description.contains("part of a later layer"))
  }

  @Test func layersWithTheSameTensorsShareTheirPackedWeights() throws {
    func layer(_ input: Layer.Source, weights: Int) -> Layer {
      .convolution(
        Layer.Convolution(
          input: input, inputChannels: 3, outputChannels: 3, window: Layer.Window(size: 1),
          weights: weights, bias: 1))
    }
    func plan(_ second: Int, kernels: KernelChoice = .automatic) throws -> NetworkPlan {
      let layers = [
        layer(.input(0), weights: 0), layer(.layer(0), weights: 0),
        layer(.layer(1), weights: second),
      ]
      let matrix: [Float] = [1, 2, 0, 0, 1, 0, 0, 0, 3]
      return try NetworkPlan(
        description: Self.description(layers: layers),
        tensors: [matrix, [1, 0, 0]] + (second == 2 ? [matrix] : []), kernels: kernels)
    }
    let (shared, own) = (try plan(0), try plan(2))
    #expect(own.weightByteCount > shared.weightByteCount)
    for kernels in [KernelChoice.automatic, .reference] {
      let runner = try NetworkRunner(plan(0, kernels: kernels), width: 1, height: 1)
      runner.setInput(0, [1, 10, 100])
      runner.run()
      expectEqual(runner.output(0).values, [4, 22, 2700])
    }
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
    var description = Self.description()
    description.outputs = []
    do {
      _ = try NetworkPlan(description: description, tensors: Self.tensors())
      Issue.record("a network without an output was accepted")
    } catch {
      guard case .invalidDescription = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.description.hasPrefix("The network's description is not valid: "))
    }
  }

  @Test func refusesSizesThatTheNetworkDoesNotTake() throws {
    let plan = try NetworkPlan(description: Self.description(), tensors: Self.tensors())
    for (width, height) in [
      (0, 32), (32, 0), (31, 32), (64, 46), (-32, 32), (16_388, 32), (32, 16_388),
      (Int.max, Int.min),
    ] {
      do {
        _ = try NetworkRunner(plan, width: width, height: height)
        Issue.record("\(width) x \(height)")
      } catch {
        guard case .inputShapes = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(error.description.hasPrefix("The network does not take inputs of this size: "))
      }
    }
    let counted = TensorShape(height: 32, width: 64, channels: 3)
    #expect(throws: NetworkError.self) {
      _ = try NetworkRunner(plan, inputs: [counted, counted])
    }
    _ = try NetworkRunner(plan, width: 4, height: 8)
  }

  @Test func refusesActivationsThatNeedTooMuchMemory() throws {
    // One channel at full resolution, which takes the memory of sixteen.
    let wide = Self.description(
      outputs: 1,
      layers: [
        .convolution(
          Layer.Convolution(
            input: .input(0), inputChannels: 3, outputChannels: 1, window: Layer.Window(size: 1),
            weights: 0, bias: 1))
      ])
    let plan = try NetworkPlan(description: wide, tensors: Self.tensors(outputs: 1))
    let byteCount: Int64 = 8192 * 8192 * 16 * 4
    #expect(
      throws: NetworkError.activationsTooLarge(byteCount: byteCount, limit: Int64(Int32.max))
    ) { _ = try NetworkRunner(plan, width: 8192, height: 8192) }
    _ = try NetworkRunner(plan, width: 32, height: 32)
  }

  @Test func refusesMorePartsOfALayerThanAreSensible() throws {
    // 64 x 64 phases of 4096 groups.
    let channels = 4096
    let shape = TensorShape(height: 1, width: 1, channels: channels)
    let description = NetworkDescription(
      name: "parts", inputs: [NetworkInput(name: "vector", shape: shape)],
      layers: [
        .transposedConvolution(
          Layer.TransposedConvolution(
            input: .input(0), inputChannels: channels, outputChannels: channels,
            window: Layer.Window(size: 1, stride: 64), groups: channels, weights: 0, bias: 1))
      ], outputs: [NetworkOutput(name: "last", layer: 0)])
    #expect(throws: NetworkError.self) {
      _ = try NetworkPlan(
        description: description,
        tensors: [[Float]](repeating: [Float](repeating: 0, count: channels), count: 2))
    }
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
    expectEqual(edges.withInput { (region) in region.pixelStride }, 16)
  }
}
