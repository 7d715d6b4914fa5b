/// One input of a network: a picture with the rules that turn it into numbers, or a plain tensor.
public struct NetworkInput: Hashable, Sendable {
  /// What an input holds.
  public enum Content: Hashable, Sendable {
    /// Numbers as the caller has them.
    case tensor
    /// A picture, brought to the input's size and scaled.
    case image(ImageRules)
  }

  /// The input's name, 1 to 256 bytes of UTF-8 on one line; differs from those of other inputs.
  public var name: String
  /// The shape of the default input, `[H, W, C]`.
  public var shape: TensorShape
  /// Whether the network takes inputs with other numbers of rows and columns, too: multiples of
  /// ``NetworkShapes/sizeMultiple``.
  public var isResizable: Bool
  /// What it holds.
  public var content: Content

  /// Groups the parts without checking them.
  public init(
    name: String, shape: TensorShape, isResizable: Bool = false, content: Content = .tensor
  ) {
    self.name = name
    self.shape = shape
    self.isResizable = isResizable
    self.content = content
  }

  /// The rules of a picture, nil for a plain tensor.
  public var imageRules: ImageRules? {
    guard case .image(let rules) = content else { return nil }
    return rules
  }
}

/// How a picture becomes the numbers of an input.
///
/// A sample of 0...255 in channel `c` enters the network as `sample * scales[c] + biases[c]`, where
/// `c` counts in ``channelOrder``: for `.bgr`, `scales[0]` belongs to blue.
public struct ImageRules: Hashable, Sendable {
  /// The channels of a pixel and their order.
  public enum ChannelOrder: UInt8, CaseIterable, Hashable, Sendable {
    /// Red, green, blue.
    case rgb = 0
    /// Blue, green, red.
    case bgr = 1
    /// One channel: luma, `0.299 R + 0.587 G + 0.114 B`.
    case gray = 2

    /// The number of channels: 3 or 1.
    public var channelCount: Int { self == .gray ? 1 : 3 }
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

  /// The channels of a pixel and their order.
  public var channelOrder: ChannelOrder
  /// The factor of each channel, in `channelOrder`; finite and not zero.
  ///
  /// A gray picture has one channel; the other factors are 1.
  public var scales: SIMD3<Float>
  /// What is added to each channel after scaling, in `channelOrder`; finite.
  ///
  /// A gray picture has one channel; the other numbers are 0.
  public var biases: SIMD3<Float>
  /// How a picture of another shape is brought to the input's shape.
  public var cropAndScale: CropAndScale
  /// The sample (0...255, all channels, before scaling) that fills what the picture leaves free.
  public var paddingValue: UInt8

  /// Groups the rules without checking them; of a gray picture, only the first scale and bias count.
  public init(
    channelOrder: ChannelOrder = .rgb, scales: SIMD3<Float> = SIMD3(repeating: 1 / 255),
    biases: SIMD3<Float> = .zero, cropAndScale: CropAndScale = .scaleFit,
    paddingValue: UInt8 = 114
  ) {
    self.channelOrder = channelOrder
    self.scales = channelOrder == .gray ? SIMD3(scales[0], 1, 1) : scales
    self.biases = channelOrder == .gray ? SIMD3(biases[0], 0, 0) : biases
    self.cropAndScale = cropAndScale
    self.paddingValue = paddingValue
  }
}
