public import DiceWeights

/// An input or output of a network as the model's makers have it: its own name, its shape, and where
/// its axes lie in the network's value `[H, W, C]`.
///
/// A weight file keeps this in its provenance, an entry for each input (key `input`) and output (key
/// `output`), in the order of the network's own, as the text of ``init(_:)``: `images: 1 x 3 x 320 x
/// 320, rows 2, columns 3, channels 1`. Axes count from 0. Where a place has several axes the last one
/// is the fastest; axes of extent 1 may be missing.
public struct ModelTensor: Hashable, Sendable {
  /// The name in the model.
  public let name: String
  /// The extents of the axes, the slowest first; none for a single number.
  public let shape: [Int]
  /// The axes that lie in the rows, the columns and the channels of the network's value.
  package let places: Places

  package init(name: String, shape: [Int], places: Places) {
    self.name = name
    self.shape = shape
    self.places = places
  }

  /// The shape of the network's value.
  public var valueShape: TensorShape {
    func extent(_ axes: [Int]) -> Int { axes.reduce(1) { $0 * shape[$1] } }
    return TensorShape(
      height: extent(places.rows), width: extent(places.columns),
      channels: extent(places.channels))
  }

  /// The same tensor of a network at another size; nil where it does not follow how axes grow.
  public func resized(to value: TensorShape) -> ModelTensor? {
    var shape = shape
    for (axes, extent) in zip(places.all, [value.height, value.width, value.channels]) {
      let own = axes.reduce(1) { $0 * shape[$1] }
      if own == extent { continue }
      guard axes.count == 1 else { return nil }
      shape[axes[0]] = extent
    }
    return ModelTensor(name: name, shape: shape, places: places)
  }

  /// The shape of the network's value for a tensor of another size; nil where only rows and columns
  /// differ otherwise than the axes of this one.
  public func valueShape(ofTensor shape: [Int]) -> TensorShape? {
    guard shape.count == self.shape.count, shape.allSatisfy({ $0 > 0 }) else { return nil }
    let named = Set(places.rows + places.columns)
    for axis in shape.indices where shape[axis] != self.shape[axis] && !named.contains(axis) {
      return nil
    }
    return ModelTensor(name: name, shape: shape, places: places).valueShape
  }

  // MARK: Numbers

  /// The numbers of a tensor in its own order, from those of a value.
  ///
  /// - Precondition: There are as many as the shape has positions.
  public func tensorNumbers(ofValue numbers: [Float]) -> [Float] {
    valuePlaces.map { (place) in numbers[place] }
  }

  /// The numbers of a value, `[H, W, C]`, from those of the tensor.
  ///
  /// - Precondition: There are as many as the shape has positions.
  public func valueNumbers(ofTensor numbers: [Float]) -> [Float] {
    var result = numbers
    for (number, place) in zip(numbers, valuePlaces) { result[place] = number }
    return result
  }

  /// The place in the value of each position of the tensor.
  private var valuePlaces: [Int] {
    let order = Array(places.all.joined())
    let strides = TensorWalk.strides(of: order.map { shape[$0] })
    var strideOf = [Int](repeating: 0, count: shape.count)
    for (axis, stride) in zip(order, strides) { strideOf[axis] = stride }
    return TensorWalk.places(shape, strides: strideOf)
  }

  // MARK: Text

  /// The text that a weight file keeps.
  package var text: String {
    var parts = [shape.isEmpty ? "1 number" : shape.map { "\($0)" }.joined(separator: " x ")]
    for (word, axes) in zip(["rows", "columns", "channels"], places.all) where !axes.isEmpty {
      parts.append("\(word) " + axes.map { "\($0)" }.joined(separator: " "))
    }
    return "\(name): " + parts.joined(separator: ", ")
  }

  /// What a text of a weight file says; nil where it says nothing of the kind.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    name = String(text[..<colon])
    let parts = text[colon...].dropFirst().split(separator: ",").map { (part) in
      part.split(separator: " ").map(String.init)
    }
    guard let extents = parts.first else { return nil }
    if extents == ["1", "number"] {
      shape = []
    } else {
      let numbers = extents.enumerated().filter { $0.offset % 2 == 0 }.map { Int($0.element) }
      let words = extents.enumerated().filter { $0.offset % 2 == 1 }.map { $0.element }
      guard words.allSatisfy({ $0 == "x" }), words.count == numbers.count - 1,
        numbers.count <= 32, numbers.allSatisfy({ ($0 ?? 0) > 0 })
      else { return nil }
      shape = numbers.compactMap { $0 }
    }
    var places = Places()
    for part in parts.dropFirst() {
      let axes = part.dropFirst().compactMap { Int($0) }
      guard axes.count == part.count - 1 else { return nil }
      switch part.first {
      case "rows": places.rows = axes
      case "columns": places.columns = axes
      case "channels": places.channels = axes
      default: return nil
      }
    }
    self.places = places
    // Each axis once, but for those of extent 1.
    let named = Array(places.all.joined())
    let (rank, shape) = (shape.count, shape)
    guard named.allSatisfy({ (0..<rank).contains($0) }), Set(named).count == named.count,
      shape.indices.allSatisfy({ shape[$0] == 1 || named.contains($0) }),
      shape.reduce(1, { $0.multipliedReportingOverflow(by: $1).partialValue })
        <= WeightFormat.maximumElementCount
    else { return nil }
  }

  // MARK: Names

  /// A name as a weight file's provenance keeps it.
  package static func shortName(_ name: String) -> String { cut(printable(name), to: 1024) }

  /// A name that the weight format allows and that none of some others has.
  package static func legalName(_ name: String, among others: [String]) -> String {
    var text = cut(printable(name), to: 240)
    if text.isEmpty { text = "unnamed" }
    var result = text
    var number = 2
    while others.contains(where: { $0.utf8.elementsEqual(result.utf8) }) {
      result = "\(text) (\(number))"
      number += 1
    }
    return result
  }

  /// A text without the characters that the weight format forbids.
  package static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { (scalar) in
          switch scalar.value {
          case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069,
            0xFEFF:
            "?"
          default: scalar
          }
        }))
  }

  /// The beginning of a text that has no more than so many bytes.
  package static func cut(_ text: String, to byteCount: Int) -> String {
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      count += scalar.utf8.count
      if count > byteCount { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}

extension ModelTensor {
  /// The key of an input's entry.
  package static let inputKey = "input"
  /// The key of an output's entry.
  package static let outputKey = "output"
  /// The key of the entry with the name of the output that is the label of the likeliest class.
  package static let labelKey = "label"

  /// The name of an imported classifier's output that is the label of its likeliest class; nil where it
  /// has none.
  public static func labelName(of network: NetworkDescription) -> String? {
    network.provenance.first { (entry) in entry.key == labelKey }?.value
  }

  /// The inputs of a network as its model has them; plain `[H, W, C]` where its file does not say.
  public static func inputs(of network: NetworkDescription) -> [ModelTensor] {
    let known = entries(inputKey, of: network)
    return network.inputs.enumerated().map { (index, input) in
      if known.count == network.inputs.count, known[index].valueShape == input.shape {
        return known[index]
      }
      return ModelTensor(name: input.name, value: input.shape)
    }
  }

  /// The outputs of a network as its model has them; plain `[H, W, C]` where its file does not say.
  ///
  /// - Parameter shapes: The shapes of the network's values.
  public static func outputs(
    of network: NetworkDescription, shapes: NetworkShapes
  ) -> [ModelTensor] {
    let known = entries(outputKey, of: network)
    return network.outputs.enumerated().map { (index, output) in
      let shape = shapes.layers[output.layer]
      if known.count == network.outputs.count, known[index].valueShape == shape {
        return known[index]
      }
      return ModelTensor(name: output.name, value: shape)
    }
  }

  private static func entries(_ key: String, of network: NetworkDescription) -> [ModelTensor] {
    let texts = network.provenance.filter { (entry) in entry.key == key }
    let tensors = texts.compactMap { (entry) in ModelTensor(entry.value) }
    return tensors.count == texts.count ? tensors : []
  }

  /// A value as it is.
  private init(name: String, value: TensorShape) {
    self.init(
      name: name, shape: [value.height, value.width, value.channels],
      places: Places(rows: [0], columns: [1], channels: [2]))
  }
}
