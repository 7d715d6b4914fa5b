internal import DiceFiles
internal import DiceGeometry

/// YOLO's text format: a file for each picture with a line for each object.
///
///     4 0.413 0.774 0.068 0.091
///
/// - A line is a class index, counted from 0, and the centre, width and height of a box as shares of
///   the picture's width and height, 0 to 1. Sizes are above 0.
/// - A line with more numbers is an outline, as segmentation has them: a class index and the points
///   of a polygon, three at least. Its box counts.
/// - The class names lie in `data.yaml`, `classes.txt` or `obj.names`.
/// - An empty file, and no file, say that the picture holds nothing.
package enum YOLOAnnotations {
  /// How far beyond 0 to 1 a share may lie, for roundings.
  private static let tolerance = 1e-4

  /// The objects in a picture's file.
  package static func objects(
    _ bytes: [UInt8], names: [String], width: Int, height: Int, _ place: AnnotationError.Place,
    _ rules: inout AnnotationRules
  ) throws(AnnotationError) -> [AnnotatedObject] {
    var place = place
    var objects: [AnnotatedObject] = []
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for (index, line) in bytes[start...].split(
      separator: 0x0A, omittingEmptySubsequences: false
    ).enumerated() {
      let fields = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      if fields.isEmpty { continue }
      try rules.takeObjects(1)
      place.objectIndex = objects.count
      let line = Line(number: index + 1, place: place)
      let (classIndex, shares) = try line.numbers(fields, classCount: names.count)
      let box = line.box(shares).scaled(x: Double(width), y: Double(height))
      try rules.checkBox(
        midX: box.midX, midY: box.midY, width: box.width, height: box.height, place)
      objects.append(AnnotatedObject(label: names[classIndex], boundingBox: box))
    }
    return objects
  }

  private struct Line {
    let number: Int
    let place: AnnotationError.Place

    func error(_ rule: YOLOError) -> AnnotationError { .yolo(place, line: number, rule) }

    func numbers(
      _ fields: [ArraySlice<UInt8>], classCount: Int
    ) throws(AnnotationError) -> (classIndex: Int, shares: [Double]) {
      guard fields.count == 5 || fields.count >= 7 && fields.count % 2 == 1 else {
        throw error(.fieldCount(found: fields.count))
      }
      let first = String(decoding: fields[0], as: UTF8.self)
      guard let classIndex = NumberText.integer(first) else {
        throw error(.notANumber(found: first))
      }
      guard (0..<classCount).contains(classIndex) else {
        throw error(.unknownClass(found: classIndex, count: classCount))
      }
      var shares: [Double] = []
      shares.reserveCapacity(fields.count - 1)
      for field in fields.dropFirst() {
        let text = String(decoding: field, as: UTF8.self)
        guard let share = NumberText.number(text) else { throw error(.notANumber(found: text)) }
        guard (-tolerance...1 + tolerance).contains(share) else {
          throw error(.notAShare(found: share))
        }
        shares.append(share)
      }
      return (classIndex, shares)
    }

    /// The box of a line in shares of the picture.
    func box(_ shares: [Double]) -> BoundingBox {
      if shares.count == 4 {
        return BoundingBox(
          midX: shares[0], midY: shares[1], width: shares[2], height: shares[3])
      }
      let x = stride(from: 0, to: shares.count, by: 2).map { shares[$0] }
      let y = stride(from: 1, to: shares.count, by: 2).map { shares[$0] }
      return BoundingBox(
        minX: x.min() ?? 0, minY: y.min() ?? 0, maxX: x.max() ?? 0, maxY: y.max() ?? 0)
    }
  }

  /// The class names of a list with one in each line; empty lines at its end do not count.
  package static func classNames(
    _ bytes: [UInt8], limit: Int
  ) throws(AnnotationError) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalidYAML(YAMLError(rule: .invalidUTF8, line: 1))
    }
    let start = text.unicodeScalars.first == "\u{FEFF}" ? 3 : 0
    var names = text.utf8.dropFirst(start).split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { AnnotationFile.trimmed(String(decoding: $0, as: UTF8.self)) }
    while names.last?.isEmpty == true { names.removeLast() }
    if names.isEmpty { throw .invalidYAML(YAMLError(rule: .missingNames, line: 1)) }
    if let index = names.firstIndex(of: "") {
      throw .invalidYAML(YAMLError(rule: .emptyName, line: index + 1))
    }
    if names.count > limit { throw .tooManyLabels(found: names.count, limit: limit) }
    return names
  }

  // MARK: - Writing

  /// `data.yaml`, and a file in `labels` for each picture; the pictures themselves belong in `images`.
  static func files(
    for images: [AnnotatedImage], limits: AnnotationLimits
  ) throws(AnnotationError) -> [EncodedAnnotations] {
    var rules = AnnotationRules(limits)
    try rules.checkImageCount(images.count)
    let classNames = AnnotationFile.classNames(of: images)
    if classNames.count > limits.labelCount {
      throw .tooManyLabels(found: classNames.count, limit: limits.labelCount)
    }
    let numbers = Dictionary(uniqueKeysWithValues: zip(classNames, 0...))
    let names = try AnnotationFile.names(beside: images, extension: "txt")
    var files: [EncodedAnnotations] = []
    for (index, image) in images.enumerated() {
      try rules.check(image, at: index)
      let size = try AnnotationFile.size(of: image, at: index)
      var place = AnnotationError.Place(imageIndex: index, fileName: image.fileName)
      var text = ""
      for (objectIndex, object) in image.objects.enumerated() {
        place.objectIndex = objectIndex
        let box = object.boundingBox
        try rules.checkBox(
          midX: box.midX, midY: box.midY, width: box.width, height: box.height, place)
        guard AnnotationFile.isPlain(object.label) else {
          throw .unwritableText(place, object.label)
        }
        let shares = [
          box.midX / Double(size.width), box.midY / Double(size.height),
          box.width / Double(size.width), box.height / Double(size.height),
        ]
        guard shares.allSatisfy({ (-tolerance...1 + tolerance).contains($0) && $0.isFinite }),
          shares[2] > 0, shares[3] > 0
        else { throw .outsidePicture(place, width: size.width, height: size.height) }
        let fields = ["\(numbers[object.label] ?? 0)"] + shares.map { NumberText.short($0) }
        text += fields.joined(separator: " ") + "\n"
      }
      files.append(EncodedAnnotations(name: "labels/\(names[index])", bytes: Array(text.utf8)))
    }
    let description = EncodedAnnotations(name: "data.yaml", bytes: description(of: classNames))
    return [description] + files
  }

  private static func description(of names: [String]) -> [UInt8] {
    var text = "train: images\nval: images\nnc: \(names.count)\nnames:\n"
    for (index, name) in names.enumerated() {
      var quoted = ""
      for scalar in name.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { quoted += "\\" }
        quoted.unicodeScalars.append(scalar)
      }
      text += "  \(index): \"\(quoted)\"\n"
    }
    return Array(text.utf8)
  }
}

/// Which rule of YOLO's format a line breaks.
public enum YOLOError: Hashable, Sendable {
  /// A line has a class and 4 numbers, or a class and the points of an outline, three at least.
  case fieldCount(found: Int)
  /// Fields are decimal numbers, the first a whole one.
  case notANumber(found: String)
  /// A class index is that of a name.
  case unknownClass(found: Int, count: Int)
  /// Places and sizes are shares of the picture, from 0 to 1.
  case notAShare(found: Double)
}

extension YOLOError: CustomStringConvertible {
  /// What is wrong, as part of a sentence.
  public var description: String {
    switch self {
    case .fieldCount(let found):
      "a class and 4 numbers, or a class and the points of an outline, are needed, and there are "
        + "\(found) fields"
    case .notANumber(let found): "\(AnnotationError.quoted(found)) is not a number"
    case .unknownClass(let found, let count):
      "the class \(found) has no name; there are \(count) names, counted from 0"
    case .notAShare(let found):
      "\(found) is no share of the picture, from 0 to 1; pixels must be divided by its size"
    }
  }
}
