import DiceWeights
import BenchmarkSupport
import DiceKernels
import DiceNetwork
import DiceVisionKit

/// The layers of the bundled network, those of equal shape together, with the best kernels and one
/// thread.
enum LayerMeasurement {
  /// Layers that do the same work.
  private struct Shape {
    var text: String
    var layers: [Int]
    var multiplyAddCount: Int64
  }

  static func run(_ settings: Settings) throws -> Table {
    let file = try WeightFile(bytes: DiceDetector.bundledWeights)
    var table = Table(
      "\(file.description.name), \(KernelImplementation.best.rawValue) kernels, one thread; "
        + "layers of equal shape together",
      [
        .init("shape", "shape"), .init("layerCount", "layers"),
        .init("millionMultiplyAdds", "million multiply-adds each"),
        .init("medianMilliseconds", "median ms each"), .init("gigaflops", "GFLOP/s"),
        .init("shareOfPeak", "share of peak"), .init("shareOfTime", "share of time"),
      ])
    let runner = try NetworkMeasurement.runner(file, .automatic, threadCount: 1)
    _ = runner.runTimed()
    try NetworkMeasurement.verify(
      NetworkMeasurement.outputs(of: runner), NetworkMeasurement.outputs(file, .reference),
      "layer by layer")
    var times = [[Double]](repeating: [], count: file.description.layers.count)
    for round in 0..<settings.rounds + 5 {
      let durations = runner.runTimed()
      guard round >= 5 else { continue }
      for (layer, duration) in durations.enumerated() { times[layer].append(duration.milliseconds) }
    }
    let medians = times.map { Timing(milliseconds: $0).median }
    let total = medians.reduce(0, +)
    let peak = PeakMeasurement.gigaflops(.best, rounds: settings.rounds)
    func append(_ shape: Shape) {
      let time = shape.layers.reduce(0) { $0 + medians[$1] }
      let each = time / Double(shape.layers.count)
      let multiplyAdds = Double(shape.multiplyAddCount) / 1e6
      let gigaflops = 2 * multiplyAdds / each
      table.append(
        .text(shape.text), .count(shape.layers.count),
        multiplyAdds == 0 ? .none : .number(multiplyAdds, decimals: 2),
        .number(each, decimals: 3),
        multiplyAdds == 0 ? .none : .number(gigaflops, decimals: 0),
        multiplyAdds == 0 ? .none : .number(gigaflops / peak, decimals: 2),
        .number(time / total, decimals: 3))
    }
    shapes(of: file).forEach(append)
    append(wideConvolutions(of: file))
    return table
  }

  /// The convolutions of 3 by 3 that most of the work is in, as if they were one shape.
  private static func wideConvolutions(of file: WeightFile) -> Shape {
    var layers: [Int] = []
    var multiplyAddCount: Int64 = 0
    for row in file.overview.layers {
      guard case .convolution(let layer) = file.description.layers[row.index],
        layer.window.height == 3, layer.window.width == 3,
        min(layer.inputChannels, layer.outputChannels) >= 32
      else { continue }
      layers.append(row.index)
      multiplyAddCount += row.multiplyAddCount
    }
    return Shape(
      text: "all convolutions 3x3 from 32 channels or more to as many, their mean", layers: layers,
      multiplyAddCount: multiplyAddCount / Int64(max(1, layers.count)))
  }

  private static func shapes(of file: WeightFile) -> [Shape] {
    var shapes: [Shape] = []
    for row in file.overview.layers {
      var inputs = ""
      if case .convolution(let layer) = file.description.layers[row.index] {
        inputs = "\(layer.inputChannels) to "
      }
      let details = row.details.isEmpty ? "" : " \(row.details)"
      let text =
        "\(row.kind)\(details), \(inputs)\(row.shape.channels), "
        + "\(row.shape.width)x\(row.shape.height)"
      if let known = shapes.firstIndex(where: { $0.text == text }) {
        shapes[known].layers.append(row.index)
      } else {
        shapes.append(
          Shape(text: text, layers: [row.index], multiplyAddCount: row.multiplyAddCount))
      }
    }
    return shapes
  }
}
