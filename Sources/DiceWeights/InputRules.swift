/// How a picture becomes the network's input.
///
/// A sample of 0...255 in channel `c` enters the network as `sample * scales[c] + biases[c]`, where
/// `c` counts in ``channelOrder``: for `.bgr`, `scales[0]` belongs to blue.
public struct InputRules: Hashable, Sendable {
  /// The order in which the three colours of a pixel enter the network.
  public enum ChannelOrder: UInt8, CaseIterable, Hashable, Sendable {
    /// Red, green, blue.
    case rgb = 0
    /// Blue, green, red.
    case bgr = 1
  }

  /// How a picture of another shape is brought to the input's shape.
  public enum CropAndScale: UInt8, CaseIterable, Hashable, Sendable {
    /// Scaled to cover the input, keeping its shape, then cropped around its centre.
    case centerCrop = 0
    /// Scaled to fit inside the input, keeping its shape; the rest is filled (letterbox).
    case scaleFit = 1
    /// Scaled to the input's width and height, not keeping its shape.
    case scaleFill = 2
  }

  /// Columns of the default input in pixels, a multiple of 32 in 32...4096.
  public var width: Int
  /// Rows of the default input in pixels, a multiple of 32 in 32...4096.
  public var height: Int
  /// The order in which the three colours of a pixel enter the network.
  public var channelOrder: ChannelOrder
  /// The factor of each channel, in `channelOrder`; finite and not zero.
  public var scales: SIMD3<Float>
  /// What is added to each channel after scaling, in `channelOrder`; finite.
  public var biases: SIMD3<Float>
  /// How a picture of another shape is brought to the input's shape.
  public var cropAndScale: CropAndScale
  /// The sample (0...255, all channels, before scaling) that fills what the picture leaves free.
  public var paddingValue: UInt8

  /// The channels of the network's input: 3.
  public var channelCount: Int { 3 }

  /// Groups the rules without checking them.
  public init(
    width: Int, height: Int, channelOrder: ChannelOrder = .rgb,
    scales: SIMD3<Float> = SIMD3(repeating: 1 / 255), biases: SIMD3<Float> = .zero,
    cropAndScale: CropAndScale = .scaleFit, paddingValue: UInt8 = 114
  ) {
    self.width = width
    self.height = height
    self.channelOrder = channelOrder
    self.scales = scales
    self.biases = biases
    self.cropAndScale = cropAndScale
    self.paddingValue = paddingValue
  }
}
