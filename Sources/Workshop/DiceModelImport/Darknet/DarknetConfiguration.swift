/// A darknet configuration: sections with options, in order.
///
/// Source: `parser.c` and `option_list.c` of darknet.
struct DarknetConfiguration {
  /// A section: one layer, or the network as a whole.
  struct Section {
    /// The name in brackets.
    let name: String
    /// The number of the line where it begins, from 1.
    let line: Int
    /// The options, the first of each name counting.
    var options: [String: String] = [:]

    /// What messages call the section.
    var place: String { "[\(name)] in line \(line)" }
  }

  /// The most sections.
  static let sectionLimit = 4096

  /// The options of the network as a whole.
  let network: Section
  /// The layers.
  let layers: [Section]

  init(_ bytes: [UInt8]) throws(ModelImportError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalid(place: "The configuration", rule: "It is no text.")
    }
    var sections: [Section] = []
    let lines = text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
    for (index, line) in lines.enumerated() {
      // Spaces mean nothing, wherever they stand.
      let bytes = line.filter { $0 != 0x20 && $0 != 0x09 }
      guard let first = bytes.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else {
        continue
      }
      let content = String(decoding: bytes, as: UTF8.self)
      if first == UInt8(ascii: "[") {
        guard sections.count < Self.sectionLimit else {
          throw .invalid(
            place: "The configuration", rule: "It has more than \(Self.sectionLimit) sections.")
        }
        let name = content.dropFirst().prefix { $0 != "]" }
        sections.append(Section(name: String(name.prefix(64)), line: index + 1))
        continue
      }
      guard let equals = content.firstIndex(of: "="), !sections.isEmpty else {
        throw .invalid(
          place: "Line \(index + 1) of the configuration",
          rule: "It is neither a section nor an option of one.")
      }
      let key = String(content[..<equals])
      let value = String(content[content.index(after: equals)...])
      if sections[sections.count - 1].options[key] == nil {
        sections[sections.count - 1].options[key] = value
      }
    }
    guard let first = sections.first, first.name == "net" || first.name == "network" else {
      throw .invalid(place: "The configuration", rule: "It does not begin with [net].")
    }
    network = first
    layers = Array(sections.dropFirst())
  }
}

extension DarknetConfiguration.Section {
  /// The largest number of an option.
  private static let numberLimit = 1 << 24

  /// A whole number.
  func integer(_ name: String, default value: Int) throws(LoweringFault) -> Int {
    guard let text = options[name] else { return value }
    // Some files end values with a comma or a remark.
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-" || $0 == "+") }
    guard let number = Int(digits), abs(number.clamped) <= Self.numberLimit else {
      throw .invalid("Its \(name) is \(text.prefix(32)).")
    }
    return number
  }

  /// A whole number that must be 1 at least.
  func count(_ name: String, default value: Int) throws(LoweringFault) -> Int {
    let number = try integer(name, default: value)
    guard number >= 1 else { throw .invalid("Its \(name) is \(number).") }
    return number
  }

  /// A number.
  func float(_ name: String, default value: Float) throws(LoweringFault) -> Float {
    guard let text = options[name] else { return value }
    guard let number = Float(text), number.isFinite else {
      throw .invalid("Its \(name) is \(text.prefix(32)).")
    }
    return number
  }

  /// Numbers with commas between them.
  func floats(_ name: String) throws(LoweringFault) -> [Float] {
    var numbers: [Float] = []
    for part in (options[name] ?? "").split(separator: ",") {
      guard let number = Float(part), number.isFinite, numbers.count < 65_536 else {
        throw .invalid("Its \(name) has \(part.prefix(32)).")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Whole numbers with commas between them.
  func integers(_ name: String) throws(LoweringFault) -> [Int] {
    var numbers: [Int] = []
    for part in (options[name] ?? "").split(separator: ",") {
      guard let number = Int(part), abs(number.clamped) <= Self.numberLimit,
        numbers.count < 65_536
      else { throw .invalid("Its \(name) has \(part.prefix(32)).") }
      numbers.append(number)
    }
    return numbers
  }
}
