internal import DiceKernelTemplates
package import DiceTraining
package import DiceWeights

/// How pixels become the numbers of a network's input.
package struct PixelRules: Hashable, Sendable {
  /// The sample that fills what no picture covers, 0...255.
  package var paddingValue: UInt8
  /// The factor and offset of each channel, as in the weight file's input rules.
  var scales: SIMD3<Float>
  var biases: SIMD3<Float>
  /// Whether blue comes first.
  var isBlueFirst: Bool
}

extension PixelRules {
  /// The rules of a network's input, a picture of three colours.
  package init(_ rules: ImageRules) {
    self.init(
      paddingValue: rules.paddingValue, scales: rules.scales, biases: rules.biases,
      isBlueFirst: rules.channelOrder == .bgr)
  }
}

/// A sample that pictures are drawn into: colours of 0...1 until they are normalised.
package struct SampleCanvas {
  private typealias Pixel = SIMD4<Float>

  /// From how many picture pixels for each pixel of the sample on the picture is halved first.
  ///
  /// A halved picture costs no time at large steps, but two filters in a row are not quite the one of use.
  private static let halvedStep = 2.0

  package let input: SampleInput
  private let width: Int
  private let height: Int
  private let pixelStep: Int

  package init(_ input: SampleInput) {
    self.input = input
    width = input.width
    height = input.height
    pixelStep = input.pixelStep
  }

  /// Draws what a picture shows at a placement into a tile; what lies outside the picture becomes the
  /// padding, a gray of 0...255.
  package func draw(
    _ picture: TrainingPicture, at placement: Placement, in tile: MosaicTile, _ change: ColorChange,
    paddingValue: UInt8
  ) {
    let padding = Pixel(repeating: Float(paddingValue) / 255)
    forEachPixel(of: picture, at: placement, in: tile) { (target, color, _, column) in
      target.store(color.map { change($0) } ?? padding, at: column * pixelStep)
    }
  }

  /// Draws what a picture shows at a placement into the whole sample, its colours varied.
  ///
  /// - Parameter isCoarse: whether the picture is drawn from half its pixels, where that shows less.
  package func draw(
    _ picture: TrainingPicture, at placement: Placement, _ augmentation: Augmentation,
    isCoarse: Bool, paddingValue: UInt8, using random: inout TrainingRandom
  ) {
    let tile = MosaicTile(columns: 0..<width, rows: 0..<height)
    let change = ColorChange(augmentation, using: &random)
    if isCoarse, placement.step > 0.5, let half = picture.half {
      draw(half, at: placement.halved, in: tile, change, paddingValue: paddingValue)
    } else {
      draw(picture, at: placement, in: tile, change, paddingValue: paddingValue)
    }
  }

  /// Draws what a picture shows at a placement over what a tile holds; nothing where the picture ends.
  ///
  /// - Parameter opacity: how much of the picture is seen at a row and a column, 0...1.
  package func blend(
    _ picture: TrainingPicture, at placement: Placement, in tile: MosaicTile, _ change: ColorChange,
    opacity: (_ row: Int, _ column: Int) -> Float
  ) {
    forEachPixel(of: picture, at: placement, in: tile) { (target, color, row, column) in
      guard let color else { return }
      let share = opacity(row, column)
      guard share > 0 else { return }
      let old = target.vector(at: column * pixelStep, as: Pixel.self)
      target.store(old + (change(color) - old) * share, at: column * pixelStep)
    }
  }

  /// Calls for each place of a tile with its row's address and the colour that a picture shows there, 0...1; nil
  /// beyond the picture.
  @inline(__always)
  private func forEachPixel(
    of picture: TrainingPicture, at placement: Placement, in tile: MosaicTile,
    _ body: (_ target: Address, _ color: Pixel?, _ row: Int, _ column: Int) -> Void
  ) {
    var (picture, placement) = (picture, placement)
    while placement.step >= Self.halvedStep, let half = picture.half {
      (picture, placement) = (half, placement.halved)
    }
    let sampler = placement.sampler
    var colors = [Pixel](repeating: .zero, count: tile.columns.count)
    for row in tile.rows {
      let target = input.row(row)
      picture.sample(
        placement.line(row: row, columns: tile.columns), by: sampler, into: &colors)
      for column in tile.columns {
        let color = colors[column &- tile.columns.lowerBound]
        // The fourth number says whether there is a picture.
        body(target, color.w < 0 ? nil : color * (1 / 255), row, column)
      }
    }
  }

  /// Sets a pixel to a gray of 0...1.
  package func set(_ gray: Float, row: Int, column: Int) {
    input.row(row).store(Pixel(gray, gray, gray, 0), at: column * pixelStep)
  }

  /// Blurs and adds noise, by chance.
  package func degrade(_ augmentation: Augmentation, using random: inout TrainingRandom) {
    if random.chance(augmentation.blur) { blur() }
    if random.chance(augmentation.noise) {
      addNoise(deviation: random.unit() * augmentation.noiseDeviation, using: &random)
    }
  }

  /// A binomial blur of three by three pixels; the outermost pixels stay.
  private func blur() {
    var above = [Pixel](repeating: .zero, count: width)
    var here = above
    func load(_ row: Int, _ pixels: inout [Pixel]) {
      let source = input.row(row)
      for column in 0..<width {
        pixels[column] = source.vector(at: column * pixelStep, as: Pixel.self)
      }
    }
    load(0, &above)
    for row in 1..<height - 1 {
      load(row, &here)
      let target = input.row(row)
      let below = input.row(row + 1)
      func column(_ x: Int) -> Pixel {
        above[x] + here[x] * 2 + below.vector(at: x * pixelStep, as: Pixel.self)
      }
      for x in 1..<width - 1 {
        let sum: Pixel = column(x - 1) + column(x) * 2 + column(x + 1)
        target.store(sum * (1 / 16), at: x * pixelStep)
      }
      swap(&above, &here)
    }
  }

  /// Adds noise of a triangular distribution, each channel on its own.
  private func addNoise(deviation: Float, using random: inout TrainingRandom) {
    // The sum of two uniform values in 0..<65536 has the deviation 65536 / √6.
    let factor = deviation * Float(6).squareRoot() / 65536
    for row in 0..<height {
      let target = input.row(row)
      for column in 0..<width {
        let (first, second) = (random.next(), random.next())
        let noise =
          Pixel(
            Float((first & 0xFFFF) + (first >> 16 & 0xFFFF)),
            Float((first >> 32 & 0xFFFF) + (first >> 48)),
            Float((second & 0xFFFF) + (second >> 16 & 0xFFFF)), 65536) - 65536
        var color = target.vector(at: column * pixelStep, as: Pixel.self)
        color = limited(color + noise * factor)
        target.store(color, at: column * pixelStep)
      }
    }
  }

  /// From 0...1 to the numbers that the network's input rules ask for.
  package func normalize(_ rules: PixelRules) {
    let scale = Pixel(rules.scales * 255, 0)
    let bias = Pixel(rules.biases, 0)
    for row in 0..<height {
      let target = input.row(row)
      for column in 0..<width {
        var color = target.vector(at: column * pixelStep, as: Pixel.self)
        if rules.isBlueFirst { color = Pixel(color[2], color[1], color[0], 0) }
        target.store(color * scale + bias, at: column * pixelStep)
      }
    }
  }
}

extension Augmentation {
  /// A random turn: quarters and a little more, in radians.
  func angle(quarter: Int, using random: inout TrainingRandom) -> Float {
    Float(quarter) * .pi / 2 + random.between(-rotation, rotation) * .pi / 180
  }

  /// By how much more the width is scaled than the height.
  func stretch(using random: inout TrainingRandom) -> Float {
    let bound = naturalLogarithm(max(1, aspect))
    return exponential(random.between(-bound, bound))
  }
}
