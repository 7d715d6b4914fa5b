public import DiceFiles
internal import DiceGeometry

/// COCO's JSON format for object detection (instances).
///
/// ```json
/// {"images": [{"id": 7, "file_name": "dice.jpg", "width": 640, "height": 480}],
///  "categories": [{"id": 5, "name": "5"}],
///  "annotations": [{"id": 1, "image_id": 7, "category_id": 5, "bbox": [243, 350, 43.5, 43.5]}]}
/// ```
///
/// - `bbox` is the upper left corner, width and height in pixels.
/// - Identifiers are whole numbers, each used once for a picture or a category.
/// - An annotation with `"iscrowd": 1` is a place with several objects: it becomes a die that nobody
///   can read, which need not be found.
/// - `width` and `height` of a picture may be missing. Other keys are passed over, masks among them.
enum COCOAnnotations {
  /// Whether an object is meant as COCO's.
  static func isMarked(_ members: JSONObject) -> Bool {
    members["images"] != nil || members["annotations"] != nil
  }

  /// The pictures in the order of `images`, their objects in that of `annotations`.
  static func images(
    of root: JSONObject, limits: AnnotationLimits
  ) throws(AnnotationError) -> ([AnnotatedImage], COCOIdentifiers) {
    var rules = AnnotationRules(limits)
    let entries = try list("images", of: root)
    try rules.checkImageCount(entries.count)
    var images: [AnnotatedImage] = []
    images.reserveCapacity(entries.count)
    var indexOfImage: [Int: Int] = [:]
    var identifiers = COCOIdentifiers()
    for (index, entry) in entries.enumerated() {
      let record = try Record(entry, .image(index))
      let identifier = try record.whole("id")
      if let first = indexOfImage.updateValue(index, forKey: identifier) {
        throw .coco(.repeatedIdentifier(.image(index), identifier: identifier, first: first))
      }
      let name = try record.text("file_name")
      try AnnotationRules.checkFileName(
        name, AnnotationError.Place(imageIndex: index, fileName: name))
      identifiers.images.append(identifier)
      images.append(
        AnnotatedImage(
          fileName: name, objects: [], width: try record.size("width"),
          height: try record.size("height")))
    }
    try AnnotationRules.checkRepeats(images)

    let names = try categories(of: root, limits)
    let annotations = try list("annotations", of: root)
    try rules.takeObjects(annotations.count)
    for (index, entry) in annotations.enumerated() {
      let record = try Record(entry, .annotation(index))
      let imageIdentifier = try record.whole("image_id")
      guard let image = indexOfImage[imageIdentifier] else {
        throw .coco(.unknownImage(.annotation(index), identifier: imageIdentifier))
      }
      let category = try record.whole("category_id")
      guard let name = names[category] else {
        throw .coco(.unknownCategory(.annotation(index), identifier: category))
      }
      let place = AnnotationError.Place(
        imageIndex: image, fileName: images[image].fileName,
        objectIndex: images[image].objects.count)
      let box = try record.box(rules, place)
      let isCrowd = record.members["iscrowd"]?.integer == 1
      images[image].objects.append(
        AnnotatedObject(label: isCrowd ? DieLabel.unreadable : name, boundingBox: box))
    }
    identifiers.categories = names
    return (images, identifiers)
  }

  private static func categories(
    of root: JSONObject, _ limits: AnnotationLimits
  ) throws(AnnotationError) -> [Int: String] {
    let entries = try list("categories", of: root)
    if entries.count > limits.labelCount {
      throw .tooManyLabels(found: entries.count, limit: limits.labelCount)
    }
    var names: [Int: String] = [:]
    var first: [Int: Int] = [:]
    for (index, entry) in entries.enumerated() {
      let record = try Record(entry, .category(index))
      let identifier = try record.whole("id")
      if let first = first.updateValue(index, forKey: identifier) {
        throw .coco(.repeatedIdentifier(.category(index), identifier: identifier, first: first))
      }
      let name = try record.text("name")
      if name.isEmpty { throw .coco(.emptyName(.category(index))) }
      names[identifier] = name
    }
    return names
  }

  private static func list(
    _ key: String, of root: JSONObject
  ) throws(AnnotationError) -> [JSONValue] {
    guard let value = root[key] else { throw .coco(.missingKey(nil, key: key)) }
    guard case .array(let entries) = value else {
      throw .coco(.wrongKind(nil, key: key, found: value.kind, needed: .array))
    }
    return entries
  }

  // MARK: - Writing

  /// A COCO file: pictures and categories are numbered from 1, a line for each entry.
  static func encode(
    _ images: [AnnotatedImage], limits: AnnotationLimits
  ) throws(AnnotationError) -> [UInt8] {
    var rules = AnnotationRules(limits)
    try rules.checkImageCount(images.count)
    let names = AnnotationFile.classNames(of: images)
    if names.count > limits.labelCount {
      throw .tooManyLabels(found: names.count, limit: limits.labelCount)
    }
    let numbers = Dictionary(uniqueKeysWithValues: zip(names, 1...))
    var pictures: [JSONValue] = []
    var annotations: [JSONValue] = []
    for (index, image) in images.enumerated() {
      try rules.check(image, at: index)
      let (width, height) = try AnnotationFile.size(of: image, at: index)
      pictures.append([
        "id": JSONValue(index + 1), "file_name": .string(image.fileName),
        "width": JSONValue(width), "height": JSONValue(height),
      ])
      for (objectIndex, object) in image.objects.enumerated() {
        let box = object.boundingBox
        try rules.checkBox(
          midX: box.midX, midY: box.midY, width: box.width, height: box.height,
          written: (box.x, box.y),
          AnnotationError.Place(
            imageIndex: index, fileName: image.fileName, objectIndex: objectIndex))
        annotations.append([
          "id": JSONValue(annotations.count + 1), "image_id": JSONValue(index + 1),
          "category_id": JSONValue(numbers[object.label] ?? 0),
          "bbox": .array([box.x, box.y, box.width, box.height].map { .number($0) }),
          "area": .number(box.area), "iscrowd": 0,
        ])
      }
    }
    try AnnotationRules.checkRepeats(images)
    let categories: [JSONValue] = zip(names, 1...).map { name, number in
      ["id": JSONValue(number), "name": .string(name), "supercategory": "die"]
    }
    var text: [UInt8] = [UInt8(ascii: "{")]
    for (key, entries) in [
      ("images", pictures), ("categories", categories), ("annotations", annotations),
    ] {
      text += (key == "images" ? "\n" : ",\n").utf8
      text += "\"\(key)\":[".utf8
      for (index, entry) in entries.enumerated() {
        text += (index == 0 ? "\n" : ",\n").utf8
        text += JSONWriter.write(entry)
      }
      text += "]".utf8
    }
    text += "\n}\n".utf8
    return text
  }
}

/// The numbers that a COCO file gives to its pictures and categories.
public struct COCOIdentifiers: Hashable, Sendable {
  /// The number of each picture, in the order of the pictures.
  public var images: [Int] = []
  /// The name of each category by its number, as the file has it.
  public var categories: [Int: String] = [:]

  /// The number of a category with a label: the lowest one whose name is the label, or else stands
  /// for it (``DieLabel``); nil where there is none.
  public func category(of label: String) -> Int? {
    let exact = categories.filter { $0.value == label }.keys.min()
    return exact ?? categories.filter { DieLabel.label(named: $0.value) == label }.keys.min()
  }
}

/// An entry of a COCO file, whose values are asked for by their kind.
private struct Record {
  let members: JSONObject
  let entry: COCOError.Entry

  init(_ value: JSONValue, _ entry: COCOError.Entry) throws(AnnotationError) {
    guard case .object(let members) = value else {
      throw .coco(.wrongKind(entry, key: "", found: value.kind, needed: .object))
    }
    self.members = members
    self.entry = entry
  }

  private func value(_ key: String) throws(AnnotationError) -> JSONValue {
    guard let value = members[key] else { throw .coco(.missingKey(entry, key: key)) }
    return value
  }

  func text(_ key: String) throws(AnnotationError) -> String {
    let value = try value(key)
    guard case .string(let text) = value else {
      throw .coco(.wrongKind(entry, key: key, found: value.kind, needed: .string))
    }
    return text
  }

  func whole(_ key: String) throws(AnnotationError) -> Int {
    let value = try value(key)
    guard case .number(let number) = value else {
      throw .coco(.wrongKind(entry, key: key, found: value.kind, needed: .number))
    }
    guard let whole = value.integer else {
      throw .coco(.notWhole(entry, key: key, found: number))
    }
    return whole
  }

  /// A side of a picture; nil where it is missing or null.
  func size(_ key: String) throws(AnnotationError) -> Int? {
    guard let value = members[key], value != .null else { return nil }
    let size = try whole(key)
    guard (1...PictureSize.limit).contains(size) else {
      throw .coco(.sizeOutOfRange(entry, key: key, found: size))
    }
    return size
  }

  func box(
    _ rules: AnnotationRules, _ place: AnnotationError.Place
  ) throws(AnnotationError) -> BoundingBox {
    let value = try value("bbox")
    guard case .array(let elements) = value else {
      throw .coco(.wrongKind(entry, key: "bbox", found: value.kind, needed: .array))
    }
    guard elements.count == 4 else { throw .coco(.boxCount(entry, found: elements.count)) }
    var numbers: [Double] = []
    for element in elements {
      guard case .number(let number) = element else {
        throw .coco(.wrongKind(entry, key: "bbox", found: element.kind, needed: .number))
      }
      numbers.append(number)
    }
    let box = BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    try rules.checkBox(
      midX: box.midX, midY: box.midY, width: box.width, height: box.height,
      written: (box.x, box.y), place)
    return box
  }
}

/// Bounds on the sizes of pictures that annotations claim.
enum PictureSize {
  /// The most pixels of a side.
  static let limit = 1_000_000
}

/// Which rule of COCO's format a file breaks, and at which entry.
public enum COCOError: Hashable, Sendable {
  /// Where in the file: entries are counted from 0.
  public enum Entry: Hashable, Sendable {
    /// An entry of `images`.
    case image(Int)
    /// An entry of `categories`.
    case category(Int)
    /// An entry of `annotations`.
    case annotation(Int)
  }

  /// A key that is needed is there; no entry means the file as a whole.
  case missingKey(Entry?, key: String)
  /// A key's value is of the right kind; an empty key means the entry itself.
  case wrongKind(Entry?, key: String, found: JSONValue.Kind, needed: JSONValue.Kind)
  /// A number is a whole one, below 2^53.
  case notWhole(Entry, key: String, found: Double)
  /// An identifier is used once in its list.
  case repeatedIdentifier(Entry, identifier: Int, first: Int)
  /// A category has a name.
  case emptyName(Entry)
  /// A picture's sides are from 1 to a million pixels.
  case sizeOutOfRange(Entry, key: String, found: Int)
  /// An annotation's picture is one of `images`.
  case unknownImage(Entry, identifier: Int)
  /// An annotation's category is one of `categories`.
  case unknownCategory(Entry, identifier: Int)
  /// `bbox` has four numbers.
  case boxCount(Entry, found: Int)
}

extension COCOError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .missingKey(let entry, let key): "\(Self.place(entry)): \"\(key)\" is missing."
    case .wrongKind(let entry, let key, let found, let needed):
      key.isEmpty
        ? "\(Self.place(entry)): \(needed.rawValue) is needed and not \(found.rawValue)."
        : "\(Self.place(entry)): \"\(key)\" must be \(needed.rawValue) and is \(found.rawValue)."
    case .notWhole(let entry, let key, let found):
      "\(entry): \"\(key)\" must be a whole number and is \(found)."
    case .repeatedIdentifier(let entry, let identifier, let first):
      "\(entry): the identifier \(identifier) is that of entry \(first) already."
    case .emptyName(let entry): "\(entry): the name is empty."
    case .sizeOutOfRange(let entry, let key, let found):
      "\(entry): \"\(key)\" must be from 1 to \(PictureSize.limit) and is \(found)."
    case .unknownImage(let entry, let identifier):
      "\(entry): no image has the identifier \(identifier)."
    case .unknownCategory(let entry, let identifier):
      "\(entry): no category has the identifier \(identifier)."
    case .boxCount(let entry, let found):
      "\(entry): \"bbox\" must have 4 numbers (x, y, width, height) and has \(found)."
    }
  }

  private static func place(_ entry: Entry?) -> String {
    entry.map { "\($0)" } ?? "In a COCO file"
  }
}

extension COCOError.Entry: CustomStringConvertible {
  /// The list and the place in it, as `Annotation 3`.
  public var description: String {
    switch self {
    case .image(let index): "Image \(index)"
    case .category(let index): "Category \(index)"
    case .annotation(let index): "Annotation \(index)"
    }
  }
}
