/// Several values side by side along an axis.
final class ConcatenationOperation: Operation {
  let output: Value
  private let inputs: [Value]
  /// Where each input begins in the output.
  private let places: [MapPlace]

  /// - Parameter places: where each input begins in the output.
  init(_ inputs: [Value], at places: [MapPlace], to output: Value) {
    self.inputs = inputs
    self.places = places
    self.output = output
  }

  func forward(_ pass: Pass) {
    pass.forEachSample { sample in
      for (input, place) in zip(inputs, places) {
        copyBlock(
          input.shape, of: input.map, at: MapPlace(), to: output.map, at: place, sample: sample,
          adds: false)
      }
    }
  }

  func backward(_ pass: Pass) {
    for (input, place) in zip(inputs, places) {
      guard let target = input.gradientTarget() else { continue }
      pass.forEachSample { sample in
        copyBlock(
          input.shape, of: output.gradient, at: place, to: target.map, at: MapPlace(),
          sample: sample, adds: target.adds)
      }
    }
  }
}
