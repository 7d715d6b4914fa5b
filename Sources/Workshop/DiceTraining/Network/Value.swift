/// Rows, columns and channels of a value of a network.
struct ValueShape: Hashable {
  var height: Int
  var width: Int
  var channelCount: Int
}

/// What an operation gives and others read: activations for a batch and, where something is learnt
/// on the way to it, their gradient.
///
/// Its readers say how wide a border they need before memory is taken.
final class Value {
  let shape: ValueShape
  /// Whether the gradient is wanted: something that is learnt lies on the way to this value.
  let learns: Bool

  /// The activations; without samples before ``allocate(sampleCount:)``.
  private(set) var map = BatchMap.empty()
  /// The gradient of the loss by the activations; without samples where it is not wanted.
  private(set) var gradient = BatchMap.empty()
  /// Whether the gradient has been written in this pass; later parts are added.
  private(set) var hasGradient = false

  private let pixelStep: Int?
  private var border = Border()
  private var gradientBorder = Border()

  /// - Parameter pixelStep: floats of a pixel; nil for the channels rounded up to a multiple of 16.
  init(_ shape: ValueShape, learns: Bool, pixelStep: Int? = nil) {
    self.shape = shape
    self.learns = learns
    self.pixelStep = pixelStep
  }

  /// Asks for zeros around the activations.
  func needBorder(_ needed: Border) { border.widen(to: needed) }

  /// Asks for zeros around the gradient.
  func needGradientBorder(_ needed: Border) { gradientBorder.widen(to: needed) }

  /// Takes the memory for a batch.
  func allocate(sampleCount: Int) {
    func make(_ border: Border) -> BatchMap {
      BatchMap(
        sampleCount: sampleCount, height: shape.height, width: shape.width,
        channelCount: shape.channelCount, border: border, pixelStep: pixelStep)
    }
    map = make(border)
    if learns { gradient = make(gradientBorder) }
  }

  /// Forgets the gradient of the last pass.
  func beginBackward() { hasGradient = false }

  /// The gradient as a place to write to, and whether to add to what stands there.
  ///
  /// Nil where it is not wanted. From then on it counts as written.
  func gradientTarget() -> GradientTarget? {
    guard learns else { return nil }
    defer { hasGradient = true }
    return GradientTarget(map: gradient, adds: hasGradient)
  }
}

/// Where an operation writes the gradient of one of its inputs.
struct GradientTarget {
  let map: BatchMap
  /// Whether other readers of the input have written before.
  let adds: Bool

  /// Makes a sample's gradient ready for being added to.
  func begin(_ sample: Int) {
    if !adds { map.clear(sample) }
  }
}
