internal import DiceParallel

#if !hasFeature(Embedded)
  extension NetworkRunner {
    /// Computes all layers, as ``run()``, and measures each.
    ///
    /// - Returns: How long each layer took, by layer index; zero for layers that compute nothing.
    package func runTimed() -> [Duration] {
      var times = [Duration](repeating: .zero, count: plan.layers.count)
      var last = ContinuousClock.now
      var start = 0
      for (layer, end) in workspace.layerStepEnds.enumerated() {
        for step in workspace.steps[start..<end] { perform(step) }
        let now = ContinuousClock.now
        times[layer] = last.duration(to: now)
        last = now
        start = end
      }
      return times
    }
  }
#endif
