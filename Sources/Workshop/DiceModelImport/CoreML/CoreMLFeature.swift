internal import DiceWeights

/// An input or output of a Core ML model, as its description has it.
///
/// Source: `FeatureTypes.proto` of the Core ML model format; numbers are fields of its messages.
struct CoreMLFeature {
  /// What a feature holds.
  enum Content {
    /// A picture.
    case image(Image)
    /// An array of numbers.
    case array(Array)
    /// One number.
    case number
    /// A number for each class.
    case dictionary
    /// A text, such as the label of a class; or a kind that is not known.
    case other(String)
  }

  /// A picture.
  struct Image {
    var order = ImageRules.ChannelOrder.rgb
    var height: Int
    var width: Int
    /// Sizes that are allowed besides.
    var flexibility = Flexibility.none
  }

  /// An array of numbers; its shape is empty where the model does not say it.
  struct Array {
    var shape: [Int]
    /// Shapes that are allowed besides.
    var flexibility = Flexibility.none
  }

  /// Which sizes are allowed besides the default.
  enum Flexibility {
    case none
    case listed([[Int]])
    case ranges([ClosedRange<Int>])

    /// Whether a size may be taken.
    func allows(_ size: [Int]) -> Bool {
      switch self {
      case .none: false
      case .listed(let sizes): sizes.contains(size)
      case .ranges(let ranges):
        ranges.count == size.count && zip(ranges, size).allSatisfy { $0.contains($1) }
      }
    }
  }

  let name: String
  let content: Content
  /// What the feature is where a caller leaves it out, the same number in all places; nil where it must be
  /// there.
  private(set) var optionalNumber: Double?

  /// The most sizes of a list.
  private static let listLimit = 1024

  /// Reads a message `FeatureDescription`.
  init(_ message: ProtobufMessage) throws(ProtobufError) {
    name = try message.text(1) ?? ""
    guard let type = try message.message(3),
      let field = try type.lastField({ (number) in (1...8).contains(number) })
    else {
      content = .other("nothing")
      return
    }
    let part = try type.message(field)
    if try type.integer(1000) ?? 0 != 0 {
      optionalNumber = field.number == 5 ? try Self.defaultNumber(part) : 0
    }
    switch field.number {
    case 1, 2: content = .number
    case 3: content = .other("a text")
    case 4: content = try Self.image(part)
    case 5: content = .array(try Self.array(part))
    case 6: content = .dictionary
    case 7: content = .other("a sequence of labels")
    default: content = .other("a state")
    }
  }

  /// Reads a message `ImageFeatureType`.
  private static func image(_ message: ProtobufMessage) throws(ProtobufError) -> Content {
    let order: ImageRules.ChannelOrder
    switch try message.integer(3) ?? 0 {
    case 10, 40: order = .gray
    case 20: order = .rgb
    case 30: order = .bgr
    case let code: return .other("a picture of the colour space \(code)")
    }
    var image = Image(
      order: order, height: bounded(try message.integer(2) ?? 0),
      width: bounded(try message.integer(1) ?? 0))
    if let list = try message.message(21) {
      var sizes: [[Int]] = []
      for size in try list.messages(1, limit: listLimit) ?? [] {
        sizes.append([bounded(try size.integer(2) ?? 0), bounded(try size.integer(1) ?? 0)])
      }
      image.flexibility = .listed(sizes)
      if image.height == 0 || image.width == 0, let first = sizes.first {
        (image.height, image.width) = (first[0], first[1])
      }
    } else if let range = try message.message(31) {
      let rows = try Self.range(try range.message(2))
      let columns = try Self.range(try range.message(1))
      image.flexibility = .ranges([rows, columns])
      if image.height == 0 || image.width == 0 {
        (image.height, image.width) = (rows.lowerBound, columns.lowerBound)
      }
    }
    return .image(image)
  }

  /// Reads a message `ArrayFeatureType`.
  private static func array(_ message: ProtobufMessage) throws(ProtobufError) -> Array {
    var array = Array(shape: (try message.integers(1, limit: 32) ?? []).map(bounded))
    if let list = try message.message(21) {
      var shapes: [[Int]] = []
      for shape in try list.messages(1, limit: listLimit) ?? [] {
        shapes.append((try shape.integers(1, limit: 32) ?? []).map(bounded))
      }
      array.flexibility = .listed(shapes)
      if array.shape.isEmpty, let first = shapes.first { array.shape = first }
    } else if let list = try message.message(31) {
      var ranges: [ClosedRange<Int>] = []
      for part in try list.messages(1, limit: 32) ?? [] { ranges.append(try range(part)) }
      array.flexibility = .ranges(ranges)
      if array.shape.isEmpty { array.shape = ranges.map { $0.lowerBound } }
    }
    return array
  }

  /// Reads the `defaultOptionalValue` of a message `ArrayFeatureType`.
  private static func defaultNumber(
    _ message: ProtobufMessage
  ) throws(ProtobufError) -> Double {
    guard let field = try message.lastField({ [41, 51, 61].contains($0) }) else { return 0 }
    return switch field.number {
    case 41: Double(try message.integer(41) ?? 0)
    case 51: Double(try message.float(51) ?? 0)
    default: try message.double(61) ?? 0
    }
  }

  /// Reads a message `SizeRange`; an upper bound below 0 is none.
  private static func range(
    _ message: ProtobufMessage?
  ) throws(ProtobufError) -> ClosedRange<Int> {
    let lower = bounded(try message?.integer(1) ?? 0)
    let upper = try message?.integer(2) ?? 0
    return lower...(upper < 0 ? Int.max : max(lower, upper))
  }

  /// A size that can be computed with; 0 stands for one that is none.
  private static func bounded(_ size: Int) -> Int { (0...(1 << 28)).contains(size) ? size : 0 }
}
