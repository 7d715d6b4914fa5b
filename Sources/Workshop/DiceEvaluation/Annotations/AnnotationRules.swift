internal import DiceFiles

/// What holds for annotations in every format, with a count of what was taken so far.
package struct AnnotationRules {
  let limits: AnnotationLimits
  private var objectsLeft: Int

  /// Rules with nothing counted yet.
  package init(_ limits: AnnotationLimits) {
    self.limits = limits
    objectsLeft = limits.objectCount
  }

  func checkImageCount(_ count: Int) throws(AnnotationError) {
    if count > limits.imageCount { throw .tooManyImages(found: count, limit: limits.imageCount) }
  }

  mutating func takeObjects(_ count: Int) throws(AnnotationError) {
    if count > objectsLeft { throw .tooManyObjects(limit: limits.objectCount) }
    objectsLeft -= count
  }

  /// Centre, width and height; a NaN breaks every rule.
  ///
  /// - Parameter written: the place as the format writes it, for messages; the centre unless given.
  func checkBox(
    midX x: Double, midY y: Double, width: Double, height: Double,
    written: (x: Double, y: Double)? = nil, _ place: AnnotationError.Place
  ) throws(AnnotationError) {
    for (key, size) in [("width", width), ("height", height)]
    where !(size > 0 && size < .infinity) {
      throw .sizeNotPositive(place, key: key, found: size)
    }
    for (key, center, size, found) in [
      ("x", x, width, written?.x ?? x), ("y", y, height, written?.y ?? y),
    ] where !(center.magnitude + size / 2 <= limits.coordinate) {
      throw .coordinateOutOfRange(place, key: key, found: found, limit: limits.coordinate)
    }
  }

  /// A picture that is to be written: its name, its number of objects and their labels.
  mutating func check(_ image: AnnotatedImage, at index: Int) throws(AnnotationError) {
    var place = AnnotationError.Place(imageIndex: index, fileName: image.fileName)
    try Self.checkFileName(image.fileName, place)
    try takeObjects(image.objects.count)
    for (objectIndex, object) in image.objects.enumerated() where object.label.isEmpty {
      place.objectIndex = objectIndex
      throw .emptyLabel(place)
    }
  }

  static func checkFileName(
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

  /// No two pictures have the same name.
  static func checkRepeats(_ images: [AnnotatedImage]) throws(AnnotationError) {
    guard let (first, second) = firstRepeat(in: images.map { $0.fileName }) else { return }
    let place = AnnotationError.Place(imageIndex: second, fileName: images[second].fileName)
    throw .repeatedImage(place, firstEntry: first)
  }

  /// The first text that stands at an earlier place already, byte for byte.
  ///
  /// Sorted rather than hashed, because strings hash alike that differ in their bytes.
  static func firstRepeat(in texts: [String]) -> (first: Int, second: Int)? {
    let names = texts.map { [UInt8]($0.utf8) }
    let order = names.indices.sorted {
      names[$0] == names[$1] ? $0 < $1 : names[$0].lexicographicallyPrecedes(names[$1])
    }
    var found: (first: Int, second: Int)?
    for (one, other) in zip(order, order.dropFirst()) where names[one] == names[other] {
      if other < found?.second ?? .max { found = (one, other) }
    }
    return found
  }
}
