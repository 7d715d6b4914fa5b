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
    facts.append(["input", "\(input.width) x \(input.height), \(order), \(scaling)"])
    facts.append(["values", values])
    facts.append(["classes", labels.map { (label) in "\"\(label)\"" }.joined(separator: " ")])
    facts.append([
      "thresholds",
      "confidence \(Decimal.short(thresholds.confidence)), "
        + "intersection over union \(Decimal.short(thresholds.intersectionOverUnion))",
    ])
    facts.append(["parameters", Decimal.grouped(parameterCount)])
    for use in storages {
      facts.append([
        "",
        "\(use.storage.name): \(Decimal.grouped(use.parameterCount)) in "
          + "\(Self.count(use.tensorCount, "tensor")), \(Self.count(use.byteCount, "byte"))",
      ])
    }
    facts.append([
      "multiply-adds",
      "\(Decimal.grouped(multiplyAddCount)) at \(input.width) x \(input.height)",
    ])
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

  private var order: String {
    switch input.channelOrder {
    case .rgb: "RGB"
    case .bgr: "BGR"
    }
  }

  private var scaling: String {
    switch input.cropAndScale {
    case .centerCrop: "scaled to cover, cropped around the centre"
    case .scaleFit: "scaled to fit, rest filled with \(input.paddingValue)"
    case .scaleFill: "scaled to fill without keeping the shape"
    }
  }

  private var values: String {
    let isUniform =
      input.scales == SIMD3(repeating: input.scales[0])
      && input.biases == SIMD3(repeating: input.biases[0])
    var parts: [String] = []
    for channel in 0..<(isUniform ? 1 : 3) {
      let bias = input.biases[channel]
      parts.append(
        "sample * \(Decimal.short(input.scales[channel]))"
          + (bias == 0 ? "" : bias < 0 ? " - \(Decimal.short(-bias))" : " + \(Decimal.short(bias))")
      )
    }
    return parts.joined(separator: ", ")
  }

  private var layerTable: TextTable {
    var table = TextTable(
      columns: [.right, .left, .left, .right, .left, .left, .right, .right], gap: 2)
    table.append([
      "layer", "kind", "reads", "output", "details", "storage", "parameters", "multiply-adds",
    ])
    for row in layers {
      table.append([
        "\(row.index)", row.kind, Self.inWords(row.sources),
        "\(row.width) x \(row.height) x \(row.channels)", row.details, row.storage?.name ?? "",
        row.storage == nil ? "" : Decimal.grouped(row.parameterCount),
        row.storage == nil ? "" : Decimal.grouped(row.multiplyAddCount),
      ])
    }
    return table
  }

  private static func inWords(_ sources: [Layer.Source]) -> String {
    var words: [String] = []
    for source in sources {
      switch source {
      case .input: words.append("input")
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
