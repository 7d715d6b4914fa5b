internal import DiceFiles
package import DiceGeometry

/// How results are printed.
package enum ResultFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// An object for each picture, or a report.
  case json
  /// A table with a row for each die.
  case csv
  /// COCO's results: an array of detections.
  case coco

  /// What is printed before the first result.
  ///
  /// - Parameter columns: the names of a table's columns.
  package func beginning(columns: [String]) -> String {
    switch self {
    case .text, .json: ""
    case .csv: CSVTable.row(columns)
    case .coco: "["
    }
  }

  /// What is printed after the last result.
  package var end: String { self == .coco ? "\n]\n" : "" }

  /// What stands between two results that are not empty, or before the first one.
  package func separator(isFirst: Bool) -> String {
    self == .coco ? isFirst ? "\n" : ",\n" : ""
  }
}

/// Comma-separated values (RFC 4180): lines end in CR LF, and a field with a comma, a quote or a line
/// break stands in quotes.
package enum CSVTable {
  /// A line.
  package static func row(_ fields: [String]) -> String {
    fields.map { field($0) }.joined(separator: ",") + "\r\n"
  }

  private static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    var quoted = "\""
    // Scalar by scalar: CR LF is one character.
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// The four numbers of a box in pixels, as tables have them.
  package static func fields(of box: BoundingBox) -> [String] {
    [box.x, box.y, box.width, box.height].map {
      NumberText.short(NumberText.rounded($0, decimals: 2))
    }
  }

  /// A confidence, as tables have it.
  package static func field(ofConfidence confidence: Double) -> String {
    NumberText.short(NumberText.rounded(confidence, decimals: 4))
  }
}

/// Detections as COCO's tools read them.
package enum COCOResults {
  /// A detection.
  ///
  /// - Parameters:
  ///   - image: the number of the picture.
  ///   - name: its name.
  ///   - category: the number of the value.
  ///   - label: the name of the class, where it is no number.
  package static func record(
    image: Int, name: String, category: Int, box: BoundingBox, confidence: Double,
    label: String? = nil
  ) -> String {
    let numbers = [box.x, box.y, box.width, box.height].map {
      JSONValue.number(NumberText.rounded($0, decimals: 3))
    }
    var record = JSONObject([
      JSONObject.Member(key: "image_id", value: JSONValue(image)),
      JSONObject.Member(key: "file_name", value: .string(name)),
      JSONObject.Member(key: "category_id", value: JSONValue(category)),
      JSONObject.Member(key: "bbox", value: .array(numbers)),
      JSONObject.Member(
        key: "score", value: .number(NumberText.rounded(confidence, decimals: 6))),
    ])
    if let label { record["category_name"] = .string(label) }
    return String(decoding: JSONWriter.write(.object(record)), as: UTF8.self)
  }

  /// Detections, one on each line.
  package static func joined(_ records: [String]) -> String { records.joined(separator: ",\n") }
}

extension String {
  /// The text without a line break at its end.
  package var trimmingLineEnd: String { String(unicodeScalars.prefix { $0 != "\r" && $0 != "\n" }) }
}
