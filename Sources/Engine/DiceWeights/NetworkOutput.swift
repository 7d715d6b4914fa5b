/// One output of a network: the value of a layer under a name, and what it means to a task.
public struct NetworkOutput: Hashable, Sendable {
  /// The output's name, 1 to 256 bytes of UTF-8 on one line; differs from those of other outputs.
  public var name: String
  /// The layer whose value it is.
  public var layer: Int
  /// What a task's decoding needs to know of it; nil for plain numbers.
  public var head: NetworkHead?

  /// Groups the parts without checking them.
  public init(name: String, layer: Int, head: NetworkHead? = nil) {
    self.name = name
    self.layer = layer
    self.head = head
  }
}

/// What the numbers of an output mean.
///
/// The network does not look at it: the module of the task that knows the kind does.
public struct NetworkHead: Hashable, Sendable {
  /// How the output is to be decoded, 1 to 64 bytes: "grid boxes", "classes".
  public var kind: String
  /// The name of each class, by class index; all different, at most 65 536.
  public var labels: [String]
  /// The head's numbers by name: anchors, thresholds.
  public var parameters: [NamedValues]

  /// Groups the parts without checking them.
  public init(kind: String, labels: [String] = [], parameters: [NamedValues] = []) {
    self.kind = kind
    self.labels = labels
    self.parameters = parameters
  }
}

/// Numbers with a name.
public struct NamedValues: Hashable, Sendable {
  /// What the numbers are, 1 to 64 bytes of UTF-8 on one line; differs from its neighbours'.
  public var name: String
  /// 1 to 65 536 finite numbers.
  public var values: [Float]

  /// Pairs a name with its numbers without checking them.
  public init(_ name: String, _ values: [Float]) {
    self.name = name
    self.values = values
  }
}

extension [NamedValues] {
  /// The numbers of a name, or nil where there is none.
  public func values(named name: StaticString) -> [Float]? {
    for entry in self where entry.name.utf8.elementsEqual(name) { return entry.values }
    return nil
  }

  /// The numbers of a name, as many as are asked for, each in a range.
  ///
  /// - Parameter fault: the error for other numbers: what was found, and what is required.
  /// - Throws: that error.
  package func values<Fault: Error>(
    named name: StaticString, count: Int, in range: ClosedRange<Float>,
    orThrow fault: (_ name: String, _ found: [Float], _ required: String) -> Fault
  ) throws(Fault) -> [Float] {
    let found = values(named: name) ?? []
    guard found.count == count, found.allSatisfy({ range.contains($0) }) else {
      throw fault(
        "\(name)", found, "\(count) numbers of \(range.lowerBound) to \(range.upperBound)")
    }
    return found
  }
}

extension String.UTF8View {
  /// Whether the bytes are those of a static string.
  func elementsEqual(_ other: StaticString) -> Bool {
    guard count == other.utf8CodeUnitCount else { return false }
    var index = 0
    for byte in self {
      if unsafe other.utf8Start[index] != byte { return false }
      index += 1
    }
    return true
  }
}
