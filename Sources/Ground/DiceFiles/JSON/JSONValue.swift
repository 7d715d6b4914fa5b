/// A value of a JSON text (RFC 8259).
///
/// Numbers are `Double`, as RFC 8259, section 6, expects for exchange: an integer beyond 2^53 is
/// the nearest `Double`. Equality is that of the parts; the order of an object's members counts.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)
}

/// The members of a JSON object in their order in the text.
///
/// Looking up a key compares bytes, so that two spellings of an accented letter are two keys. It
/// goes through the members one by one: O(n).
public struct JSONObject: Hashable, Sendable {
  /// A key and its value.
  public struct Member: Hashable, Sendable {
    /// The name.
    public var key: String
    /// What it stands for.
    public var value: JSONValue

    /// A key with its value.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members in order.
  public var members: [Member]

  /// An object of these members; a key should occur once.
  public init(_ members: [Member] = []) {
    self.members = members
  }

  /// The value of a key, the first one where a key occurs twice; nil where it is missing.
  ///
  /// Setting replaces that value or adds a member at the end; setting nil removes the member.
  public subscript(key: String) -> JSONValue? {
    get {
      for member in members where JSONObject.isSame(member.key, key) { return member.value }
      return nil
    }
    set {
      let index = members.firstIndex { JSONObject.isSame($0.key, key) }
      if let newValue {
        if let index {
          members[index].value = newValue
        } else {
          members.append(Member(key: key, value: newValue))
        }
      } else if let index {
        members.remove(at: index)
      }
    }
  }

  @inline(__always)
  static func isSame(_ one: String, _ other: String) -> Bool {
    let one = one.utf8
    let other = other.utf8
    return one.count == other.count && one.elementsEqual(other)
  }
}

extension JSONValue {
  /// The kinds of value, with their names for messages.
  public enum Kind: String, Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool = "true or false"
    /// A number.
    case number = "a number"
    /// A string.
    case string = "a string"
    /// An array.
    case array = "an array"
    /// An object.
    case object = "an object"
  }

  /// Which kind of value this is.
  public var kind: Kind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The truth value; nil for other kinds.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number; nil for other kinds.
  public var number: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The number as an integer; nil for other kinds, fractions and numbers of 2^53 or more, which
  /// a JSON text cannot carry with certainty.
  public var integer: Int? {
    guard case .number(let value) = self, value.magnitude < 0x1p53 else { return nil }
    return Int(exactly: value)
  }

  /// The string; nil for other kinds.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements; nil for other kinds.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members; nil for other kinds.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The value of an object's key; nil where the key is missing and for other kinds.
  public subscript(key: String) -> JSONValue? {
    if case .object(let value) = self { value[key] } else { nil }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object with its members in the order written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }
}

extension JSONValue {
  /// A whole number; nearest `Double` beyond 2^53.
  public init(_ value: Int) { self = .number(Double(value)) }
  /// A number, or null for nil.
  public init(_ value: Double?) { self = value.map { .number($0) } ?? .null }
}
