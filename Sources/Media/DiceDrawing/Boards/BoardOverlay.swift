public import DiceGeometry
public import DiceImaging

/// A board as a picture that is laid on a table, under what lies there.
///
///     let overlay = BoardOverlay(board)
///     var canvas = Canvas(frame)
///     overlay.draw(on: &canvas, at: field.centralSquare, sparing: dice.map { $0.outline(margin: 0.2) })
///
/// The board is drawn once, from above, and each frame shows that picture in perspective. Make a new
/// overlay when a pawn moves.
public struct BoardOverlay: Hashable, Sendable {
  /// The margin of `DieStance.outline(margin:)` that leaves room for rounded and turned dice and for boxes
  /// that are not quite right.
  public static let dieMargin = 0.2
  /// The margin for a die that does not seem to lie flat, such as one that leans: its box tells less of what
  /// it covers.
  public static let cockedDieMargin = 0.5
  /// How many rows and columns the picture may have.
  public static let sides = 16...2048

  /// The pictures, each half as large as the one before.
  private var levels: [PixelImage]

  /// Draws a board.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - side: The rows and columns of its picture, brought into ``sides``.
  public init(_ board: BoardDrawing, side: Int = 640) {
    let side = min(max(side, Self.sides.lowerBound), Self.sides.upperBound)
    var canvas = Canvas(
      width: side, height: side, color: PixelColor(red: 0, green: 0, blue: 0, alpha: 0))
    board.draw(
      on: &canvas, in: BoundingBox(x: 0, y: 0, width: Double(side), height: Double(side)))
    levels = [canvas.image]
    while let last = levels.last, last.width >= 32, levels.count < 6 {
      levels.append(Self.halved(last))
    }
  }

  /// The board as seen from above, with alpha: nothing around the circle.
  public var topView: PixelImage { levels[0] }

  /// Lays the board on a picture.
  ///
  /// - Parameters:
  ///   - canvas: The picture, upright.
  ///   - corners: Where the corners of the square around the board are seen, from that at the upper left
  ///     of ``topView`` clockwise. Nothing is drawn unless they make a convex quadrilateral.
  ///   - outlines: What lies on the board: convex outlines, such as those of `DieStance`. No pixel that
  ///     touches one of them is changed, and the board fades towards it.
  ///   - opacity: How much of the table the board hides, 0...1.
  ///   - softness: Over how many pixels the board fades towards what lies on it; nil for a fortieth of
  ///     the board.
  /// - Complexity: O(pixels of the square · 1 + outlines).
  public func draw(
    on canvas: inout Canvas, at corners: Quadrilateral, sparing outlines: [[PixelPoint]] = [],
    opacity: Double = 0.92, softness: Double? = nil
  ) {
    guard opacity > 0,
      let map = Homography(rectangleWidth: 1, height: 1, to: corners)?.inverse,
      let area = PolygonShape(corners.corners)
    else { return }
    // A level with about a pixel for each of the frame's.
    let scale = corners.area.squareRoot()
    var level = 0
    while level + 1 < levels.count, Double(levels[level + 1].width) >= scale { level += 1 }
    var spared: [PolygonShape] = []
    for outline in outlines {
      if let shape = PolygonShape(outline) { spared.append(shape) }
    }
    canvas.paint(
      BoardTexture(
        area: area, spared: spared, map: map, picture: levels[level], opacity: min(opacity, 1),
        softness: max(0, min(softness ?? scale / 40, 1e6))))
  }

  /// Half as many rows and columns, each the mean of four; colours count by their opacity.
  private static func halved(_ image: PixelImage) -> PixelImage {
    let (width, height) = (image.width / 2, image.height / 2)
    var samples = [UInt8](repeating: 0, count: width * height * 4)
    for row in 0..<height {
      for column in 0..<width {
        var sum = SIMD4<Float>.zero
        for part in 0..<4 {
          let place =
            ((2 * row + part / 2) * image.width + 2 * column + part % 2) * 4
          let alpha = Float(image.samples[place + 3])
          sum += SIMD4(
            Float(image.samples[place]) * alpha, Float(image.samples[place + 1]) * alpha,
            Float(image.samples[place + 2]) * alpha, alpha)
        }
        let place = (row * width + column) * 4
        guard sum.w > 0 else { continue }
        for channel in 0..<3 {
          samples[place + channel] = UInt8(min(sum[channel] / sum.w + 0.5, 255))
        }
        samples[place + 3] = UInt8(min(sum.w / 4 + 0.5, 255))
      }
    }
    return PixelImage(width: width, height: height, format: .rgba, samples: samples)
  }
}

/// A board's picture in perspective, as colours of a frame's pixels.
struct BoardTexture: Texture {
  let area: PolygonShape
  let spared: [PolygonShape]
  /// From pixels to shares of the board's square.
  let map: Homography
  let picture: PixelImage
  let opacity: Double
  let softness: Double

  var minY: Double { area.minY }
  var maxY: Double { area.maxY }

  func columns(at y: Double) -> Interval { area.reach(at: y, margin: 1) }

  func sparedColumns(at y: Double) -> [Interval] {
    var result: [Interval] = []
    for shape in spared where y >= shape.minY && y <= shape.maxY {
      let interval = shape.reach(at: y, margin: 1)
      if interval.minX < interval.maxX { result.append(interval) }
    }
    return result
  }

  func color(x: Double, y: Double) -> SIMD4<Float> {
    // Four places in the pixel.
    var sum = SIMD4<Float>.zero
    for part in 0..<4 {
      let place = map.map(
        SIMD2(x + (part % 2 == 0 ? -0.25 : 0.25), y + (part / 2 == 0 ? -0.25 : 0.25)))
      guard place.x > 0, place.y > 0, place.x < 1, place.y < 1 else { continue }
      sum += sample(place)
    }
    guard sum.w > 0 else { return .zero }
    let color = sum / sum.w
    return SIMD4(color.x, color.y, color.z, sum.w / 4 * Float(opacity * share(x: x, y: y)))
  }

  /// How much of the board is left near what lies on it, 0...1.
  private func share(x: Double, y: Double) -> Double {
    var share = 1.0
    for shape in spared where softness > 0 {
      guard y > shape.minY - softness, y < shape.maxY + softness else { continue }
      let reach = shape.reach(at: y, margin: softness)
      guard x > reach.minX, x < reach.maxX else { continue }
      share = min(share, max(0, (0.5 - shape.coverage(x: x, y: y)) / softness))
    }
    return share
  }

  /// Between four pixels of the picture: colours times their opacity, and that, 0...1.
  private func sample(_ place: SIMD2<Double>) -> SIMD4<Float> {
    let side = Double(picture.width)
    let x = min(max(place.x * side - 0.5, 0), side - 1)
    let y = min(max(place.y * side - 0.5, 0), side - 1)
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, picture.width - 1), min(top + 1, picture.width - 1))
    let (fx, fy) = (Float(x - Double(left)), Float(y - Double(top)))
    let above = pixel(left, top) * (1 - fx) + pixel(right, top) * fx
    let below = pixel(left, bottom) * (1 - fx) + pixel(right, bottom) * fx
    return above * (1 - fy) + below * fy
  }

  @inline(__always)
  private func pixel(_ column: Int, _ row: Int) -> SIMD4<Float> {
    let place = (row * picture.width + column) * 4
    let alpha = Float(picture.samples[place + 3]) / 255
    return SIMD4(
      Float(picture.samples[place]) * alpha, Float(picture.samples[place + 1]) * alpha,
      Float(picture.samples[place + 2]) * alpha, alpha)
  }
}
