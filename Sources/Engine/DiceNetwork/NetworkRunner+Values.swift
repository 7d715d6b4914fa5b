internal import DiceKernels
internal import DiceWeights

extension NetworkRunner {
  /// Calls `body` with the memory of an input.
  ///
  /// What `body` does not write keeps its value from the last call, also over runs; at first all
  /// numbers are zero. The region must not be used after `body` returns.
  ///
  /// - Parameter index: The index of the input, 0 unless told otherwise.
  /// - Precondition: `index` is an index of ``NetworkPlan/inputs``.
  public func withInput<Result, Failure: Error>(
    _ index: Int = 0, _ body: (InputRegion) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(plan.inputs.indices.contains(index), "an input's index")
    let region = workspace.region(index, plan.graph)
    return try body(
      unsafe InputRegion(
        pointer: workspace.origin(index, plan.graph).pointer, rowStride: region.rowStep,
        pixelStride: region.channelStep, width: region.width, height: region.height,
        channelCount: plan.inputs[index].shape.channels))
  }

  /// Writes a whole input.
  ///
  /// - Parameters:
  ///   - index: The index of the input.
  ///   - values: All numbers, `[H, W, C]`.
  /// - Precondition: `index` is an index of ``NetworkPlan/inputs``, and there are as many values as
  ///   rows times columns times channels.
  public func setInput(_ index: Int, _ values: [Float]) {
    withInput(index) { (region) in
      precondition(
        values.count == region.width * region.height * region.channelCount,
        "an input has one value for each row, column and channel")
      var place = 0
      for y in 0..<region.height {
        for x in 0..<region.width {
          for c in 0..<region.channelCount {
            unsafe region.pointer[y * region.rowStride + x * region.pixelStride + c] =
              values[place]
            place += 1
          }
        }
      }
    }
  }

  /// Writes the whole first input, as ``setInput(_:_:)``.
  public func setInput(_ values: [Float]) { setInput(0, values) }

  /// Calls `body` with the memory of an output of the last run; nothing is allocated.
  ///
  /// The region must not be used after `body` returns.
  ///
  /// - Precondition: `index` is an index of ``NetworkPlan/outputs``.
  public func withOutput<Result, Failure: Error>(
    _ index: Int, _ body: (OutputRegion) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(plan.outputs.indices.contains(index), "an output's index")
    let value = plan.graph.value(ofLayer: plan.outputs[index].layer)
    let region = workspace.region(value, plan.graph)
    return try body(
      OutputRegion(
        origin: workspace.origin(value, plan.graph), rowStep: region.rowStep,
        columnStep: region.channelStep, height: region.height, width: region.width,
        slots: plan.graph.values[value].slots))
  }

  /// A copy of an output of the last run.
  ///
  /// - Precondition: `index` is an index of ``NetworkPlan/outputs``.
  public func output(_ index: Int) -> FeatureMap {
    precondition(plan.outputs.indices.contains(index), "an output's index")
    // Outputs are alive until the end of the run.
    return featureMap(ofLayer: plan.outputs[index].layer)!
  }

  /// A copy of an input.
  ///
  /// - Precondition: `index` is an index of ``NetworkPlan/inputs``.
  public func inputFeatureMap(_ index: Int = 0) -> FeatureMap {
    precondition(plan.inputs.indices.contains(index), "an input's index")
    return featureMap(ofValue: index)
  }

  /// A copy of a layer's output in the last run.
  ///
  /// - Parameter index: The index of the layer.
  /// - Returns: Nil where a later layer has taken over this one, or where the memory has been used
  ///   again: only with ``keepsFeatureMaps`` every output stays. Outputs of the network can always be
  ///   read.
  /// - Precondition: `index` is an index of the plan's layers.
  public func featureMap(ofLayer index: Int) -> FeatureMap? {
    precondition(plan.layers.indices.contains(index), "a layer's index")
    let value = plan.graph.value(ofLayer: index)
    guard let placement = plan.graph.placements[value],
      workspace.layout.regions[placement.buffer].overwrittenAt == .max
    else { return nil }
    return featureMap(ofValue: value)
  }

  private func featureMap(ofValue value: Int) -> FeatureMap {
    let region = workspace.region(value, plan.graph)
    let origin = workspace.origin(value, plan.graph)
    let narrowOrigin = workspace.arena.narrowAddress(
      workspace.layout, plan.graph.placement(value))
    let integerOrigin = workspace.arena.integerAddress(
      workspace.layout, plan.graph.placement(value))
    let quantization = plan.quantizations?.values[value] ?? Quantization()
    let isNarrow = plan.isNarrow(value)
    let slots = plan.graph.values[value].slots
    var values: [Float] = []
    values.reserveCapacity(region.height * region.width * slots.count)
    for y in 0..<region.height {
      for x in 0..<region.width {
        let pixel = y * region.rowStep + x * region.channelStep
        for slot in slots {
          if !isNarrow {
            values.append(origin.scalar(at: pixel + slot))
          } else if plan.usesIntegers {
            let word = integerOrigin.scalar(at: (pixel + slot) / 4).bitPattern
            let integer = Int(word >> UInt32(8 * (slot % 4)) & 0xFF)
            values.append(Float(integer - Int(quantization.zero)) * quantization.scale)
          } else {
            values.append(narrowOrigin.scalar(at: pixel + slot))
          }
        }
      }
    }
    return FeatureMap(
      height: region.height, width: region.width, channelCount: slots.count, values: values)
  }
}
