package import DiceWeights

/// Where the positions of a resized axis lie in the input.
///
/// Computed in double precision: places that are whole or halves are met exactly.
package struct ResizedAxis {
  let inputExtent: Int
  let outputExtent: Int
  private let coordinates: Layer.Resizing.Coordinates

  package init(_ layer: Layer.Resizing, from inputExtent: Int, to outputExtent: Int) {
    self.inputExtent = inputExtent
    self.outputExtent = outputExtent
    coordinates = layer.coordinates
  }

  private func place(of position: Int) -> Double {
    let (n, m, y) = (Double(inputExtent), Double(outputExtent), Double(position))
    switch coordinates {
    case .halfPixel: return (y + 0.5) * n / m - 0.5
    case .alignCorners: return outputExtent == 1 ? 0 : y * (n - 1) / (m - 1)
    case .asymmetric: return y * n / m
    }
  }

  /// The input position of each output position.
  package func nearest(_ interpolation: Layer.Resizing.Interpolation) -> [Int] {
    (0..<outputExtent).map { (position) in
      let place = place(of: position)
      let nearest =
        switch interpolation {
        case .nearestFloor, .bilinear: Self.floor(place)
        case .nearestPreferringFloor: -Self.floor(0.5 - place)
        case .nearestPreferringCeiling: Self.floor(place + 0.5)
        case .nearestCeiling: -Self.floor(-place)
        }
      return min(max(nearest, 0), inputExtent - 1)
    }
  }

  /// The two input positions around an output position, and the weight of the second one.
  package func neighbours(of position: Int) -> (first: Int, second: Int, weight: Float) {
    let place = min(max(place(of: position), 0), Double(inputExtent - 1))
    let first = Self.floor(place)
    return (first, min(first + 1, inputExtent - 1), Float(place - Double(first)))
  }

  /// The greatest whole number that is not above; extents are far inside the range.
  private static func floor(_ value: Double) -> Int {
    let whole = Int(value)
    return Double(whole) > value ? whole - 1 : whole
  }
}
