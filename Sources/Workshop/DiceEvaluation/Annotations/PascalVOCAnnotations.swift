internal import DiceFiles
internal import DiceGeometry

/// Pascal VOC's XML format: a file for each picture.
///
/// ```xml
/// <annotation>
///   <filename>dice.jpg</filename>
///   <size><width>640</width><height>480</height><depth>3</depth></size>
///   <object><name>5</name>
///     <bndbox><xmin>243</xmin><ymin>350</ymin><xmax>286.5</xmax><ymax>393.5</ymax></bndbox>
///   </object>
/// </annotation>
/// ```
///
/// - A box reaches from its corner `xmin`, `ymin` to `xmax`, `ymax`, in pixels with the origin 0 at
///   the upper left, as programs of today write it; nothing is added or taken away. (The data sets
///   of 2005 to 2012 count pixels from 1: read so, they are off by half a pixel.)
/// - `size` may be missing; a size of 0 says that it is not known.
/// - `folder`, `path`, `difficult`, `truncated`, `pose`, parts of objects and polygons are passed
///   over. A difficult object is an object.
enum PascalVOCAnnotations {
  /// The picture of a file.
  static func image(
    _ bytes: [UInt8], index: Int, _ rules: inout AnnotationRules
  ) throws(AnnotationError) -> AnnotatedImage {
    let root: XMLElement
    do throws(XMLError) {
      root = try XMLReader.parse(bytes)
    } catch {
      throw .invalidXML(error)
    }
    guard root.name == "annotation" else {
      throw .pascalVOC(.wrongRoot(line: root.line, found: root.name))
    }
    let name = try root.text("filename")
    var place = AnnotationError.Place(imageIndex: index, fileName: name)
    try AnnotationRules.checkFileName(name, place)
    var image = AnnotatedImage(fileName: name, objects: [])
    if let size = try root.optional("size") {
      image.width = try size.pictureSide("width")
      image.height = try size.pictureSide("height")
    }
    let objects = root.children.filter { $0.name == "object" }
    try rules.takeObjects(objects.count)
    for (objectIndex, object) in objects.enumerated() {
      place.objectIndex = objectIndex
      let label = try object.text("name")
      if label.isEmpty { throw .emptyLabel(place) }
      let corners = try object.required("bndbox")
      let box = BoundingBox(
        minX: try corners.number("xmin"), minY: try corners.number("ymin"),
        maxX: try corners.number("xmax"), maxY: try corners.number("ymax"))
      try rules.checkBox(
        midX: box.midX, midY: box.midY, width: box.width, height: box.height,
        written: (box.x, box.y), place)
      image.objects.append(AnnotatedObject(label: label, boundingBox: box))
    }
    return image
  }

  // MARK: - Writing

  /// A file for each picture, named after it.
  static func files(
    for images: [AnnotatedImage], limits: AnnotationLimits
  ) throws(AnnotationError) -> [EncodedAnnotations] {
    var rules = AnnotationRules(limits)
    try rules.checkImageCount(images.count)
    let names = try AnnotationFile.names(beside: images, extension: "xml")
    var files: [EncodedAnnotations] = []
    for (index, image) in images.enumerated() {
      try rules.check(image, at: index)
      files.append(
        EncodedAnnotations(name: names[index], bytes: try document(image, at: index, rules)))
    }
    return files
  }

  private static func document(
    _ image: AnnotatedImage, at index: Int, _ rules: AnnotationRules
  ) throws(AnnotationError) -> [UInt8] {
    let (width, height) = try AnnotationFile.size(of: image, at: index)
    var place = AnnotationError.Place(imageIndex: index, fileName: image.fileName)
    var text = """
      <annotation>
        <filename>\(try escaped(image.fileName, place))</filename>
        <size><width>\(width)</width><height>\(height)</height><depth>3</depth></size>

      """
    for (objectIndex, object) in image.objects.enumerated() {
      place.objectIndex = objectIndex
      let box = object.boundingBox
      try rules.checkBox(
        midX: box.midX, midY: box.midY, width: box.width, height: box.height,
        written: (box.x, box.y), place)
      func element(_ name: String, _ value: Double) -> String {
        "<\(name)>\(NumberText.short(value))</\(name)>"
      }
      text += """
          <object>
            <name>\(try escaped(object.label, place))</name>
            <pose>Unspecified</pose><truncated>0</truncated><difficult>0</difficult>
            <bndbox>\(element("xmin", box.minX))\(element("ymin", box.minY))\
        \(element("xmax", box.maxX))\(element("ymax", box.maxY))</bndbox>
          </object>

        """
    }
    return Array("\(text)</annotation>\n".utf8)
  }

  /// A text as XML has it; white space at its ends would be lost, control characters cannot be.
  private static func escaped(
    _ text: String, _ place: AnnotationError.Place
  ) throws(AnnotationError) -> String {
    guard AnnotationFile.isPlain(text) else { throw .unwritableText(place, text) }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension AnnotationFile {
  /// Whether a text can stand in a line of its own: no control characters or characters that are
  /// none, no space at its ends.
  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value & 0xFFFE != 0xFFFE
        && $0.value != 0x2028 && $0.value != 0x2029
    } && text.utf8.first != 0x20 && text.utf8.last != 0x20
  }

  /// A text without the white space at its ends.
  static func trimmed(_ text: String) -> String {
    let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    var bytes = [UInt8](text.utf8)[...]
    while let last = bytes.last, space.contains(last) { bytes.removeLast() }
    return String(decoding: bytes.drop { space.contains($0) }, as: UTF8.self)
  }
}

/// Which rule of Pascal VOC's format a file breaks, and where.
public enum PascalVOCError: Hashable, Sendable {
  /// The root element is `annotation`.
  case wrongRoot(line: Int, found: String)
  /// An element that is needed is there.
  case missingElement(line: Int, parent: String, name: String)
  /// An element is there once.
  case repeatedElement(line: Int, name: String)
  /// A coordinate is a decimal number.
  case notANumber(line: Int, name: String, found: String)
  /// A picture's sides are from 1 to a million pixels, or 0 where they are not known.
  case sizeOutOfRange(line: Int, name: String, found: String)
}

extension PascalVOCError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .wrongRoot(let line, let found):
      "Line \(line): the root element is \(AnnotationError.quoted(found)) and not \"annotation\"."
    case .missingElement(let line, let parent, let name):
      "Line \(line): \(AnnotationError.quoted(parent)) has no element \"\(name)\"."
    case .repeatedElement(let line, let name): "Line \(line): a second element \"\(name)\"."
    case .notANumber(let line, let name, let found):
      "Line \(line): \"\(name)\" must be a number and is \(AnnotationError.quoted(found))."
    case .sizeOutOfRange(let line, let name, let found):
      "Line \(line): \"\(name)\" must be a whole number from 0 to \(PictureSize.limit) and is "
        + "\(AnnotationError.quoted(found))."
    }
  }
}

extension XMLElement {
  fileprivate func optional(_ name: String) throws(AnnotationError) -> XMLElement? {
    var found: XMLElement?
    for child in children where child.name == name {
      if found != nil { throw .pascalVOC(.repeatedElement(line: child.line, name: name)) }
      found = child
    }
    return found
  }

  fileprivate func required(_ name: String) throws(AnnotationError) -> XMLElement {
    guard let child = try optional(name) else {
      throw .pascalVOC(.missingElement(line: line, parent: self.name, name: name))
    }
    return child
  }

  fileprivate func text(_ name: String) throws(AnnotationError) -> String {
    AnnotationFile.trimmed(try required(name).text)
  }

  fileprivate func number(_ name: String) throws(AnnotationError) -> Double {
    let child = try required(name)
    let text = AnnotationFile.trimmed(child.text)
    guard let number = NumberText.number(text) else {
      throw .pascalVOC(.notANumber(line: child.line, name: name, found: text))
    }
    return number
  }

  fileprivate func pictureSide(_ name: String) throws(AnnotationError) -> Int? {
    let child = try required(name)
    let text = AnnotationFile.trimmed(child.text)
    guard let side = NumberText.integer(text), (0...PictureSize.limit).contains(side) else {
      throw .pascalVOC(.sizeOutOfRange(line: child.line, name: name, found: text))
    }
    return side == 0 ? nil : side
  }
}
