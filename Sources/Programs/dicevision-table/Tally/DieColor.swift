internal import DiceGeometry
internal import DiceImaging
internal import DiceStatistics

/// The colours of dice in pictures.
enum DieColor {
  /// How a die looks: the median colour of the middle half of its box, which pips leave to its face.
  ///
  /// - Parameters:
  ///   - box: the box in pixels of the upright picture.
  ///   - image: the picture, upright and in colour.
  static func appearance(of box: BoundingBox, in image: PixelImage) -> DieAppearance {
    let size = (box.width * box.height).squareRoot()
    let middle = BoundingBox(
      midX: box.midX, midY: box.midY, width: box.width / 2, height: box.height / 2)
    guard let crop = image.cropped(to: middle) else {
      return DieAppearance(color: SIMD3(repeating: 0.5), size: size)
    }
    let channels = crop.format.channelCount
    let pixelCount = crop.width * crop.height
    var color = SIMD3<Double>.zero
    for channel in 0..<3 {
      var counts = [Int](repeating: 0, count: 256)
      for pixel in 0..<pixelCount {
        counts[Int(crop.samples[pixel * channels + min(channel, channels - 1)])] += 1
      }
      var reached = 0
      let median = counts.firstIndex { count in
        reached += count
        return 2 * reached >= pixelCount
      }
      color[channel] = Double(median ?? 0) / 255
    }
    return DieAppearance(color: color, size: size)
  }

  /// The everyday word for a colour.
  static func name(_ color: SIMD3<Double>) -> String {
    let (greatest, least) = (color.max(), color.min())
    let chroma = greatest - least
    if chroma < 0.12 || chroma < 0.2 * greatest {
      return greatest > 0.62 ? "white" : greatest < 0.25 ? "black" : "grey"
    }
    let hue: Double
    if greatest == color.x {
      hue = (color.y - color.z) / chroma
    } else if greatest == color.y {
      hue = 2 + (color.z - color.x) / chroma
    } else {
      hue = 4 + (color.x - color.y) / chroma
    }
    switch hue {
    case ..<(-0.6): return "pink"
    case ..<0.25: return "red"
    case ..<0.75: return "orange"
    case ..<1.25: return "yellow"
    case ..<2.6: return "green"
    case ..<3.3: return "cyan"
    case ..<4.3: return "blue"
    case ..<5.2: return "violet"
    default: return "pink"
    }
  }
}
