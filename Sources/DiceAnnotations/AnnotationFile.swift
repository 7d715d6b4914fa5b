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
/// - A picture without objects has an empty array.
/// - A file name is relative and stays in its folder (`AnnotationError.FileNameRule`). Names are
///   compared byte for byte, and no two entries have the same.
/// - Widths and heights are above 0. A box may reach beyond the picture, whose size the file does
///   not say.
public enum AnnotationFile {
  /// Reads an annotation file.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - limits: what to refuse before it costs too much.
  /// - Returns: the pictures in the file's order.
  /// - Throws: `AnnotationError`: the first rule broken, picture by picture.
  /// - Complexity: O(n) in the length of the file, O(m log m) in the number of pictures.
  public static func parse(
    _ bytes: [UInt8], limits: AnnotationLimits = AnnotationLimits()
  ) throws(AnnotationError) -> [AnnotatedImage] {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONReader.parse(bytes, limits: limits.text)
    } catch {
      throw .invalidJSON(error)
    }
    guard case .array(let entries) = root else { throw .notAnArray(found: root.kind) }
    try checkImageCount(entries.count, limits)

    var images: [AnnotatedImage] = []
    images.reserveCapacity(entries.count)
    var objectsLeft = limits.objectCount
    for (index, entry) in entries.enumerated() {
      images.append(try image(entry, index, &objectsLeft, limits))
    }
    try checkRepeats(images)
    return images
  }

  /// Writes an annotation file: one line for each picture, the keys `image` and `annotations`.
  ///
  /// What is written can be read back by `parse(_:limits:)` with the same limits, and gives equal
  /// pictures wherever a `Double` for the centre exists that yields the box's `x` and `y` exactly,
  /// as it does for boxes that were read; otherwise `x` and `y` may differ in their last bit.
  ///
  /// - Throws: `AnnotationError`: the first rule that the pictures break.
  public static func encode(
    _ images: [AnnotatedImage], limits: AnnotationLimits = AnnotationLimits()
  ) throws(AnnotationError) -> [UInt8] {
    try checkImageCount(images.count, limits)
    var objectsLeft = limits.objectCount
    var text: [UInt8] = [UInt8(ascii: "[")]
    for (index, image) in images.enumerated() {
      text.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
      var place = AnnotationError.Place(imageIndex: index, fileName: image.fileName)
      try checkFileName(image.fileName, place)
      try takeObjects(image.objects.count, &objectsLeft, limits)
      var annotations: [JSONValue] = []
      annotations.reserveCapacity(image.objects.count)
      for (objectIndex, object) in image.objects.enumerated() {
        place.objectIndex = objectIndex
        let box = object.boundingBox
        if object.label.isEmpty { throw .emptyLabel(place) }
        let x = center(from: box.x, size: box.width)
        let y = center(from: box.y, size: box.height)
        try checkBox(x, y, box.width, box.height, place, limits)
        annotations.append([
          "label": .string(object.label),
          "coordinates": [
            "x": .number(x), "y": .number(y),
            "width": .number(box.width), "height": .number(box.height),
          ],
        ])
      }
      text.append(
        contentsOf: JSONWriter.write([
          "image": .string(image.fileName), "annotations": .array(annotations),
        ]))
    }
    try checkRepeats(images)
    text.append(contentsOf: "\n]\n".utf8)
    return text
  }

  // MARK: - Reading

  private static func image(
    _ entry: JSONValue, _ index: Int, _ objectsLeft: inout Int, _ limits: AnnotationLimits
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
    try checkFileName(fileName, place)
    let (listKey, list) = try value(of: "annotations", or: "annotation", in: members, place)
    guard case .array(let annotations) = list else {
      throw .wrongKind(place, key: listKey, found: list.kind, needed: .array)
    }
    try takeObjects(annotations.count, &objectsLeft, limits)
    var objects: [AnnotatedObject] = []
    objects.reserveCapacity(annotations.count)
    for (objectIndex, annotation) in annotations.enumerated() {
      place.objectIndex = objectIndex
      objects.append(try object(annotation, place, limits))
    }
    return AnnotatedImage(fileName: fileName, objects: objects)
  }

  private static func object(
    _ annotation: JSONValue, _ place: AnnotationError.Place, _ limits: AnnotationLimits
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
    try checkBox(x, y, width, height, place, limits)
    return AnnotatedObject(
      label: label,
      boundingBox: BoundingBox(midX: x, midY: y, width: width, height: height))
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

  // MARK: - Rules

  private static func checkImageCount(
    _ count: Int, _ limits: AnnotationLimits
  ) throws(AnnotationError) {
    if count > limits.imageCount { throw .tooManyImages(found: count, limit: limits.imageCount) }
  }

  private static func takeObjects(
    _ count: Int, _ left: inout Int, _ limits: AnnotationLimits
  ) throws(AnnotationError) {
    if count > left { throw .tooManyObjects(limit: limits.objectCount) }
    left -= count
  }

  /// Centre, width and height, in the order of the format; a NaN breaks every rule.
  private static func checkBox(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    _ place: AnnotationError.Place, _ limits: AnnotationLimits
  ) throws(AnnotationError) {
    for (key, size) in [("width", width), ("height", height)]
    where !(size > 0 && size < .infinity) {
      throw .sizeNotPositive(place, key: key, found: size)
    }
    for (key, center, size) in [("x", x, width), ("y", y, height)]
    where !(center.magnitude + size / 2 <= limits.coordinate) {
      throw .coordinateOutOfRange(place, key: key, found: center, limit: limits.coordinate)
    }
  }

  private static func checkFileName(
    _ name: String, _ place: AnnotationError.Place
  ) throws(AnnotationError) {
    if let rule = brokenRule(of: name) { throw .unsafeFileName(place, rule) }
  }

  private static func brokenRule(of name: String) -> AnnotationError.FileNameRule? {
    let bytes = name.utf8
    if bytes.isEmpty { return .empty }
    if bytes.count > 1024 { return .tooLong }
    if Paths.isAbsolute(name) { return .absolute }
    if bytes.contains(UInt8(ascii: "\\")) { return .backslash }
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return .controlCharacter
    }
    for component in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if component.elementsEqual("..".utf8) { return .leavesFolder }
      if component.isEmpty || component.elementsEqual(".".utf8) { return .emptyComponent }
    }
    return nil
  }

  /// Sorted rather than hashed, because strings hash alike that differ in their bytes.
  private static func checkRepeats(_ images: [AnnotatedImage]) throws(AnnotationError) {
    let names = images.map { [UInt8]($0.fileName.utf8) }
    let order = names.indices.sorted {
      names[$0] == names[$1] ? $0 < $1 : names[$0].lexicographicallyPrecedes(names[$1])
    }
    var found: (first: Int, second: Int)?
    for (one, other) in zip(order, order.dropFirst()) where names[one] == names[other] {
      if other < found?.second ?? .max { found = (one, other) }
    }
    if let found {
      let place = AnnotationError.Place(
        imageIndex: found.second, fileName: images[found.second].fileName)
      throw .repeatedImage(place, firstEntry: found.first)
    }
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
