import DiceDetection
import DiceVisionKit
import DiceWeights

/// A detector with an input of 32 by 32 pixels that finds blocks of bright colours, so that a call
/// takes a tenth of a millisecond; and frames for it.
enum TinyNetwork {
  static let weights: [UInt8] = {
    let identity = Layer.Activation.identity
    func convolution(
      _ source: Layer.Source, _ outputs: Int, size: Int, stride: Int,
      _ activation: Layer.Activation, tensor: Int
    ) -> Layer {
      .convolution(
        Layer.Convolution(
          input: source, inputChannels: 3, outputChannels: outputs,
          window: Layer.Window(size: size, stride: stride), activation: activation, weights: tensor,
          bias: tensor + 1))
    }
    // What exceeds half of full brightness, of every fourth pixel, averaged over cells of 8 by 8 pixels.
    let layers = [
      convolution(.input(0), 3, size: 1, stride: 4, .leakyReLU(slope: 0), tensor: 0),
      convolution(.layer(0), 3, size: 2, stride: 2, identity, tensor: 2),
      convolution(.layer(1), 11, size: 1, stride: 1, identity, tensor: 4),
    ]
    let unit: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    var head: [Float] = []
    for channel in 0..<3 {
      head += [0.5, -0.5, 0.2, 0.1, 20]
      for value in 0..<6 { head.append(value % 3 == channel ? 8 : -2) }
    }
    let tensors: [[Float]] = [
      unit, [-0.5, -0.5, -0.5], (0..<4).flatMap { (_) in unit.map { $0 / 4 } }, [0, 0, 0],
      head, [0, 0, 0, 0, -4, 0, 0, 0, 1, 1, 1],
    ]
    let description = NetworkDescription(
      name: "tiny",
      inputs: [
        NetworkInput(
          name: "image", shape: TensorShape(height: 32, width: 32, channels: 3),
          isResizable: true, content: .image(ImageRules()))
      ], layers: layers,
      outputs: [
        NetworkOutput(
          name: "boxes", layer: 2,
          head: GridBoxes.head(
            labels: ["1", "2", "3", "4", "5", "6"], baseSize: 8,
            thresholds: RecommendedThresholds(overlap: 0.45, confidence: 0.25)))
      ])
    guard
      let bytes = try? WeightFile.encode(
        description: description, tensors: tensors, storage: .float32)
    else { fatalError("the network cannot be written") }
    return bytes
  }()

  /// A detector as bytes describe it; nil where they break a rule, which must be named.
  static func detector(_ reader: inout InputReader) -> DiceDetector? {
    var configuration = DiceDetector.Configuration(threadCount: 1)
    let flags = reader.byte()
    if flags & 1 == 0 { configuration.tiling = .none }
    configuration.suppression =
      [.acrossClasses, .perClass, .soft(sigma: 0.5), .soft(sigma: number(&reader))][
        Int(flags >> 1 & 3)]
    if flags & 8 != 0 { configuration.maximumObservationCount = side(&reader) }
    if flags & 16 != 0 {
      configuration.cropAndScale = [.scaleFit, .scaleFill, .centerCrop][Int(flags) % 3]
    }
    if flags & 32 != 0 { configuration.kernelImplementation = .reference }
    if flags & 64 != 0 {
      configuration.inputSize = DiceDetector.InputSize(
        width: [32, 64, 0, 33, -32][Int(reader.byte()) % 5],
        height: [32, 64, 96, .max][Int(reader.byte()) % 4])
    }
    do throws(DetectorError) {
      return try DiceDetector(weights: weights, configuration: configuration)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
      return nil
    }
  }

  /// A likely number, or one of any bit pattern.
  static func number(_ reader: inout InputReader) -> Double {
    let kind = reader.byte()
    if kind < 8 { return reader.double() }
    let special: [Double] = [0, -0.0, 1, 0.5, -1, 1e-50, 1e300, .infinity, -.infinity, .nan]
    if kind < 40 { return special[Int(kind) % special.count] }
    return Double(kind) / 255
  }

  private static func side(_ reader: inout InputReader) -> Int {
    switch reader.byte() {
    case 0: 0
    case 1: -1
    case 2: .max
    case 3: .min
    case let other: Int(other % 60)
    }
  }

  /// A picture whose blocks of 8 by 8 pixels take a byte each.
  static func image(_ reader: inout InputReader) -> PixelImage {
    let (width, height) = (1 + Int(reader.byte() % 50), 1 + Int(reader.byte() % 50))
    let colors = (0..<16).map { (_) in reader.byte() }
    let format: PixelImage.Format = [.rgb, .gray, .rgba][Int(reader.byte() % 3)]
    let channels = [3, 1, 4][[.rgb, .gray, .rgba].firstIndex(of: format) ?? 0]
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height * channels)
    for row in 0..<height {
      for column in 0..<width {
        let color = colors[(row / 8 * 4 + column / 8) % 16]
        for channel in 0..<channels {
          samples.append(color >> UInt8(channel) & 1 == 0 ? color / 4 : 255)
        }
      }
    }
    return PixelImage(
      width: width, height: height, format: format, samples: samples,
      orientation: ImageOrientation.allCases[Int(reader.byte()) % 8])
  }

  /// A frame of any kind, with rows as far apart as the bytes say; nil where that breaks a rule.
  static func frame(_ reader: inout InputReader) -> StoredFrame? {
    let kind = reader.byte()
    let (width, height) = (side(&reader), side(&reader))
    let stride: Int? = kind & 0x80 == 0 ? nil : side(&reader)
    let count = Int(reader.word(2)) % 12_000
    let seed = reader.byte()
    let bytes = (0..<count).map { (index) in UInt8(truncatingIfNeeded: index / 24 * 37) ^ seed }
    let orientation = ImageOrientation.allCases[Int(kind >> 4 & 7)]
    let encoding = YCbCrEncoding(
      kind & 1 == 0 ? .bt601 : .bt709, kind & 2 == 0 ? .full : .video)
    do throws(FrameError) {
      switch kind & 15 {
      case 0...6:
        let formats: [RawFrame.PixelFormat] = [.rgb, .rgba, .bgra, .gray]
        return try StoredFrame(
          pixels: bytes, format: formats[Int(kind & 3)], width: width, height: height,
          bytesPerRow: stride, orientation: orientation)
      case 7, 8:
        return try StoredFrame(
          luma: bytes, range: encoding.range, width: width, height: height, bytesPerRow: stride,
          orientation: orientation)
      case 9...12:
        return try StoredFrame(
          luma: bytes, lumaBytesPerRow: stride, chroma: Array(bytes.reversed()),
          chromaBytesPerRow: stride, chromaOrder: kind & 1 == 0 ? .cbCr : .crCb,
          subsampling: [.s420, .s422, .s444][Int(kind) % 3], encoding: encoding, width: width,
          height: height, orientation: orientation)
      default:
        return try StoredFrame(
          planes: bytes, subsampling: [.s420, .s422, .s444][Int(kind) % 3], encoding: encoding,
          width: width, height: height, orientation: orientation)
      }
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
      return nil
    }
  }

  /// What every result keeps.
  static func check(_ result: DetectionResult, least: Double, limit: Int) {
    require(result.count <= limit, "no more dice than asked for")
    let frame = BoundingBox(
      x: 0, y: 0, width: Double(result.uprightWidth), height: Double(result.uprightHeight))
    for die in result.observations {
      require(die.boundingBox.isProper && !die.boundingBox.isEmpty, "a proper box")
      require(die.boundingBox.clipped(to: frame) == die.boundingBox, "a box in the picture")
      require(die.confidence >= 0 && die.confidence <= 1, "confidences are 0 to 1")
      require(Double(die.confidence) >= Double(Float(least)), "the threshold holds")
      require((1...6).contains(die.value), "a value")
    }
    let centers = result.observations.map { $0.boundingBox.midX }
    require(zip(centers, centers.dropFirst()).allSatisfy { $0 <= $1 }, "from left to right")
    _ = result.sum
  }
}
