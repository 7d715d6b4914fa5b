extension WeightFile {
  /// A description of the file for people, as lines of aligned text that end with a line feed.
  ///
  /// The text has no control characters but line feeds. For values, use ``overview``.
  public func summary() -> String {
    overview.text
  }
}

extension WeightFileOverview {
  /// The lines that ``WeightFile/summary()`` gives.
  public var text: String {
    var lines = [name, ""]
    var facts = TextTable(columns: [.left, .left], gap: 2)
    facts.append(["format", "weight format \(formatVersion), \(Self.count(byteCount, "byte"))"])
    facts.append(["checksum", Decimal.hex(checksum, digits: 16)])
    if !task.isEmpty { facts.append(["task", task]) }
    for input in inputs {
      facts.append(["input", "\"\(input.name)\", \(inWords(input))"])
      if let rules = input.imageRules { facts.append(["", rules.inWords]) }
    }
    for output in outputs { append(output, to: &facts) }
    Self.append(profile, label: "profile", to: &facts)
    facts.append(["parameters", Decimal.grouped(parameterCount)])
    for use in storages {
      facts.append([
        "",
        "\(use.storage.name): \(Decimal.grouped(use.parameterCount)) in "
          + "\(Self.count(use.tensorCount, "tensor")), \(Self.count(use.byteCount, "byte"))",
      ])
    }
    facts.append(["multiply-adds", Decimal.grouped(multiplyAddCount)])
    lines += facts.lines
    lines.append("")
    lines += layerTable.lines
    if !provenance.isEmpty {
      lines.append("")
      var table = TextTable(columns: [.left, .left], gap: 2)
      for entry in provenance {
        for (index, line) in Self.lines(of: entry.value).enumerated() {
          table.append([index == 0 ? entry.key : "", line])
        }
      }
      lines.append("provenance")
      lines += table.lines.map { (line) in line.isEmpty ? "" : "  " + line }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func inWords(_ input: NetworkInput) -> String {
    var words = "\(input.shape)"
    if input.isResizable {
      words += ", or another size"
      if sizeMultiple > 1 { words += " in steps of \(sizeMultiple)" }
    }
    return words
  }

  private func append(_ output: NetworkOutput, to facts: inout TextTable) {
    var words = "\"\(output.name)\", layer \(output.layer), \(layers[output.layer].shape)"
    guard let head = output.head else {
      facts.append(["output", words])
      return
    }
    words += ", \(head.kind)"
    facts.append(["output", words])
    if !head.labels.isEmpty {
      facts.append(["", head.labels.map { (label) in "\"\(label)\"" }.joined(separator: " ")])
    }
    Self.append(head.parameters, label: "", to: &facts)
  }

  private static func append(
    _ lists: [NamedValues], label: String, to facts: inout TextTable
  ) {
    for (index, list) in lists.enumerated() {
      let shown = list.values.prefix(shownNumberCount).map { (number) in Decimal.short(number) }
      let rest = list.values.count - shown.count
      facts.append([
        index == 0 ? label : "",
        "\(list.name) \(shown.joined(separator: " "))" + (rest > 0 ? " and \(rest) more" : ""),
      ])
    }
  }

  /// How many numbers of a list are printed.
  private static var shownNumberCount: Int { 16 }

  private var layerTable: TextTable {
    var table = TextTable(
      columns: [.right, .left, .left, .right, .left, .left, .right, .right], gap: 2)
    table.append([
      "layer", "kind", "reads", "output", "details", "storage", "parameters", "multiply-adds",
    ])
    for row in layers {
      table.append([
        "\(row.index)", row.kind, inWords(row.sources),
        "\(row.shape)", row.details, row.storage?.name ?? "",
        row.storage == nil ? "" : Decimal.grouped(row.parameterCount),
        row.multiplyAddCount == 0 ? "" : Decimal.grouped(row.multiplyAddCount),
      ])
    }
    return table
  }

  /// The names of inputs and the numbers of layers.
  private func inWords(_ sources: [Layer.Source]) -> String {
    var words: [String] = []
    for source in sources {
      switch source {
      case .input(let index): words.append("\"\(inputs[index].name)\"")
      case .layer(let index): words.append("\(index)")
      }
    }
    return words.joined(separator: ", ")
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(Decimal.grouped(Int64(count))) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The lines of a text, which may end with a line feed or not; an empty text is one empty line.
  private static func lines(of text: String) -> [String] {
    var lines: [String] = []
    var line: [UInt8] = []
    for byte in text.utf8 {
      if byte == 0x0A {
        lines.append(String(decoding: line, as: UTF8.self))
        line = []
      } else {
        line.append(byte)
      }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }
}

extension ImageRules {
  /// The rules in words: "RGB, sample * 0.003921569, scaled to fit, rest filled with 114".
  fileprivate var inWords: String {
    let order: String
    switch channelOrder {
    case .rgb: order = "RGB"
    case .bgr: order = "BGR"
    case .gray: order = "gray"
    }
    let scaling: String
    switch cropAndScale {
    case .centerCrop: scaling = "scaled to cover, cropped around the centre"
    case .scaleFit: scaling = "scaled to fit, rest filled with \(paddingValue)"
    case .scaleFill: scaling = "scaled to fill without keeping the shape"
    }
    return "\(order), \(values), \(scaling)"
  }

  private var values: String {
    let isUniform =
      scales == SIMD3(repeating: scales[0]) && biases == SIMD3(repeating: biases[0])
    var parts: [String] = []
    for channel in 0..<(isUniform ? 1 : channelOrder.channelCount) {
      let bias = biases[channel]
      parts.append(
        "sample * \(Decimal.short(scales[channel]))"
          + (bias == 0 ? "" : bias < 0 ? " - \(Decimal.short(-bias))" : " + \(Decimal.short(bias))")
      )
    }
    return parts.joined(separator: ", ")
  }
}
