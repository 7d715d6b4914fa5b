internal import DiceFiles
internal import DiceGeometry

/// Create ML's JSON format for object detection.
///
/// ```json
/// [{"image": "dice.jpg", "annotations": [
///   {"label": "5", "coordinates": {"x": 264.8, "y": 371.8, "width": 43.5, "height": 43.5}}]}]
/// ```
///
/// - The file is an array with one entry for each picture. `x` and `y` are the *centre* of a box;
///   all four numbers are pixels, with the origin at the top left.
/// - Apple's pages also spell the keys `imagefilename` and `annotation`; both spellings are read.
///   Where an entry has both, `image` and `annotations` count. Other keys are passed over.
/// - Beside `label` there may be `angle`: how far a numeral is turned clockwise, in degrees.
/// - A picture without objects has an empty array.
/// - A file name is relative and stays in its folder (`AnnotationError.FileNameRule`). Names are
///   compared byte for byte, and no two entries have the same.
/// - Widths and heights are above 0. A box may reach beyond the picture, whose size the file does
///   not say.
enum CreateMLAnnotations {
  /// The pictures of a text that was read, in its order.
  static func images(
    of root: JSONValue, limits: AnnotationLimits
  ) throws(AnnotationError) -> [AnnotatedImage] {
    guard case .array(let entries) = root else { throw .notAnArray(found: root.kind) }
    var rules = AnnotationRules(limits)
    try rules.checkImageCount(entries.count)
    var images: [AnnotatedImage] = []
    images.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() {
      images.append(try image(entry, index, &rules))
    }
    try AnnotationRules.checkRepeats(images)
    return images
  }

  /// Writes an annotation file: one line for each picture, the keys `image` and `annotations`.
  static func encode(
    _ images: [AnnotatedImage], limits: AnnotationLimits
  ) throws(AnnotationError) -> [UInt8] {
    var rules = AnnotationRules(limits)
    try rules.checkImageCount(images.count)
    var text: [UInt8] = [UInt8(ascii: "[")]
    for (index, image) in images.enumerated() {
      text.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
      try rules.check(image, at: index)
      var annotations: [JSONValue] = []
      annotations.reserveCapacity(image.objects.count)
      for (objectIndex, object) in image.objects.enumerated() {
        let place = AnnotationError.Place(
          imageIndex: index, fileName: image.fileName, objectIndex: objectIndex)
        let box = object.boundingBox
        let x = center(from: box.x, size: box.width)
        let y = center(from: box.y, size: box.height)
        try rules.checkBox(midX: x, midY: y, width: box.width, height: box.height, place)
        var annotation = JSONObject()
        annotation["label"] = .string(object.label)
        annotation["coordinates"] = [
          "x": .number(x), "y": .number(y),
          "width": .number(box.width), "height": .number(box.height),
        ]
        if let angle = object.angle { annotation["angle"] = .number(angle) }
        annotations.append(.object(annotation))
      }
      text.append(
        contentsOf: JSONWriter.write([
          "image": .string(image.fileName), "annotations": .array(annotations),
        ]))
    }
    try AnnotationRules.checkRepeats(images)
    text.append(contentsOf: "\n]\n".utf8)
    return text
  }

  // MARK: - Reading

  private static func image(
    _ entry: JSONValue, _ index: Int, _ rules: inout AnnotationRules
  ) throws(AnnotationError) -> AnnotatedImage {
    var place = AnnotationError.Place(imageIndex: index)
    guard case .object(let members) = entry else {
      throw .wrongKind(place, key: "", found: entry.kind, needed: .object)
    }
    let (nameKey, name) = try value(of: "image", or: "imagefilename", in: members, place)
    guard case .string(let fileName) = name else {
      throw .wrongKind(place, key: nameKey, found: name.kind, needed: .string)
    }
    place.fileName = fileName
    try AnnotationRules.checkFileName(fileName, place)
    let (listKey, list) = try value(of: "annotations", or: "annotation", in: members, place)
    guard case .array(let annotations) = list else {
      throw .wrongKind(place, key: listKey, found: list.kind, needed: .array)
    }
    try rules.takeObjects(annotations.count)
    var objects: [AnnotatedObject] = []
    objects.reserveCapacity(annotations.count)
    for (objectIndex, annotation) in annotations.enumerated() {
      place.objectIndex = objectIndex
      objects.append(try object(annotation, place, rules))
    }
    return AnnotatedImage(fileName: fileName, objects: objects)
  }

  private static func object(
    _ annotation: JSONValue, _ place: AnnotationError.Place, _ rules: AnnotationRules
  ) throws(AnnotationError) -> AnnotatedObject {
    guard case .object(let members) = annotation else {
      throw .wrongKind(place, key: "", found: annotation.kind, needed: .object)
    }
    guard let labelValue = members["label"] else { throw .missingKey(place, key: "label") }
    guard case .string(let label) = labelValue else {
      throw .wrongKind(place, key: "label", found: labelValue.kind, needed: .string)
    }
    if label.isEmpty { throw .emptyLabel(place) }
    guard let coordinates = members["coordinates"] else {
      throw .missingKey(place, key: "coordinates")
    }
    guard case .object(let numbers) = coordinates else {
      throw .wrongKind(place, key: "coordinates", found: coordinates.kind, needed: .object)
    }
    let x = try number("x", in: numbers, place)
    let y = try number("y", in: numbers, place)
    let width = try number("width", in: numbers, place)
    let height = try number("height", in: numbers, place)
    try rules.checkBox(midX: x, midY: y, width: width, height: height, place)
    return AnnotatedObject(
      label: label,
      boundingBox: BoundingBox(midX: x, midY: y, width: width, height: height),
      angle: members["angle"] == nil ? nil : try number("angle", in: members, place))
  }

  private static func value(
    of key: String, or otherKey: String, in members: JSONObject, _ place: AnnotationError.Place
  ) throws(AnnotationError) -> (String, JSONValue) {
    if let value = members[key] { return (key, value) }
    if let value = members[otherKey] { return (otherKey, value) }
    throw .missingKey(place, key: key)
  }

  private static func number(
    _ key: String, in members: JSONObject, _ place: AnnotationError.Place
  ) throws(AnnotationError) -> Double {
    guard let value = members[key] else { throw .missingKey(place, key: key) }
    guard case .number(let number) = value else {
      throw .wrongKind(place, key: key, found: value.kind, needed: .number)
    }
    return number
  }

  /// The centre with the fewest decimals that leads back to the box's edge.
  private static func center(from edge: Double, size: Double) -> Double {
    let center = edge + size / 2
    var scale = 1.0
    while scale < 1e12 {
      let candidate = (center * scale).rounded() / scale
      if candidate - size / 2 == edge { return candidate }
      scale *= 10
    }
    for candidate in [center, center.nextUp, center.nextDown] where candidate - size / 2 == edge {
      return candidate
    }
    return center
  }
}
