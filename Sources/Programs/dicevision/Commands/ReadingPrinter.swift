internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceRolls

/// Sets readings out for people or for programs.
struct ReadingPrinter {
  /// The columns of a table.
  static let columns = [
    "image", "width", "height", "die", "value", "label", "confidence", "x", "y", "box_width",
    "box_height",
  ]

  let format: ResultFormat
  let showsTimings: Bool
  /// How text looks; JSON is always plain.
  var style = TextStyle.plain

  /// The whole text for a picture, line breaks included but behind COCO's results.
  ///
  /// - Parameter number: which of the pictures it is, from 1.
  func text(for reading: PictureReading, of name: String, number: Int) -> String {
    switch format {
    case .text: plainText(reading, name)
    case .json:
      String(decoding: JSONWriter.write(json(reading, name)), as: UTF8.self) + "\n"
    case .csv: rows(reading, name)
    case .coco:
      COCOResults.joined(
        reading.dice.map { die in
          COCOResults.record(
            image: number, name: name, category: die.value, box: die.boundingBox,
            confidence: die.confidence, label: reading.namesObjects ? die.label : nil)
        })
    }
  }

  private func rows(_ reading: PictureReading, _ name: String) -> String {
    reading.dice.enumerated().map { index, die in
      CSVTable.row(
        [
          name, "\(reading.width)", "\(reading.height)", "\(index + 1)", "\(die.value)", die.label,
          CSVTable.field(ofConfidence: die.confidence),
        ] + CSVTable.fields(of: die.boundingBox))
    }.joined()
  }

  private func plainText(_ reading: PictureReading, _ name: String) -> String {
    var text = printable(name, limit: .max) + ": "
    text +=
      reading.namesObjects
      ? objectNames(reading)
      : reading.dice.isEmpty
        ? "no dice"
        : reading.dice.map { style.value($0.value, printable(reading.name(of: $0))) }
          .joined(separator: " ")
          + ", sum " + style.bold("\(reading.sum)")
    text += "\n"
    var rows: [[String]] = []
    for die in reading.dice {
      let box = die.boundingBox
      let numbers = [box.x, box.y, box.width, box.height].map {
        NumberText.fixed($0, decimals: 1)
      }
      let percent = NumberText.fixed(die.confidence * 100, decimals: 1)
      let label =
        reading.namesObjects || reading.namesFaces
        ? printable(die.label)
        : die.namedKind.map { "\($0.rawValue) \($0.face(for: die.value))" }
          ?? (die.hasOtherLabel ? "\(die.value) (\(printable(die.label)))" : "\(die.value)")
      rows.append([label, percent] + numbers)
    }
    var widths = [Int](repeating: 0, count: 6)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    for (die, row) in zip(reading.dice, rows) {
      var cells = row.enumerated().map { (column, cell) in
        String(repeating: " ", count: widths[column] - cell.count) + cell
      }
      cells[0] = style.value(die.value, cells[0])
      text +=
        "  \(cells[0])  \(cells[1]) %  x \(cells[2])  y \(cells[3])  \(cells[4]) x \(cells[5])\n"
    }
    if showsTimings {
      let parts = reading.timings.map { "\($0.name) \(Self.milliseconds($0.seconds))" }
      text += "  milliseconds: \(parts.joined(separator: ", "))\n"
    }
    return text
  }

  private func json(_ reading: PictureReading, _ name: String) -> JSONValue {
    var result: JSONObject = JSONObject([
      JSONObject.Member(key: "image", value: .string(FileName.repaired(name))),
      JSONObject.Member(key: "width", value: JSONValue(reading.width)),
      JSONObject.Member(key: "height", value: JSONValue(reading.height)),
      JSONObject.Member(
        key: reading.namesObjects ? "objects" : "dice",
        value: .array(reading.dice.map { json($0, isNamed: reading.namesObjects) })),
    ])
    if showsTimings {
      result["milliseconds"] = .object(
        JSONObject(
          reading.timings.map { timing in
            JSONObject.Member(
              key: timing.name,
              value: .number(NumberText.rounded(timing.seconds * 1000, decimals: 3)))
          }))
    }
    return .object(result)
  }

  /// "cat dog cat, 3 objects".
  private func objectNames(_ reading: PictureReading) -> String {
    if reading.dice.isEmpty { return "no objects" }
    let count = reading.dice.count
    return reading.dice.map { printable($0.label) }.joined(separator: " ")
      + ", \(count) \(count == 1 ? "object" : "objects")"
  }

  private func json(_ die: FoundDie, isNamed: Bool) -> JSONValue {
    let box = die.boundingBox
    func pixels(_ value: Double) -> JSONValue { .number(NumberText.rounded(value, decimals: 2)) }
    var result = JSONObject([
      isNamed
        ? JSONObject.Member(key: "label", value: .string(die.label))
        : JSONObject.Member(key: "value", value: JSONValue(die.value)),
      JSONObject.Member(
        key: "confidence", value: .number(NumberText.rounded(die.confidence, decimals: 4))),
      JSONObject.Member(
        key: "box",
        value: [
          "x": pixels(box.x), "y": pixels(box.y), "width": pixels(box.width),
          "height": pixels(box.height),
        ]),
    ])
    if let kind = die.namedKind, !isNamed {
      result["kind"] = .string(kind.rawValue)
      result["face"] = .string(kind.face(for: die.value))
    } else if die.hasOtherLabel, !isNamed {
      result["label"] = .string(die.label)
    }
    return .object(result)
  }

  private static func milliseconds(_ seconds: Double) -> String {
    NumberText.fixed(seconds * 1000, decimals: 1)
  }
}
