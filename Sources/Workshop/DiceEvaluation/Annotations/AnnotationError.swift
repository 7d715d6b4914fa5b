public import DiceFiles

/// Bounds on an annotation file.
public struct AnnotationLimits: Hashable, Sendable {
  /// The most pictures.
  public var imageCount: Int
  /// The most objects in all pictures together.
  public var objectCount: Int
  /// The greatest distance of a box's edge from the origin, in pixels.
  public var coordinate: Double
  /// The most labels, where a format lists them.
  public var labelCount: Int
  /// The bounds on the text itself.
  public var text: JSONLimits

  /// The limits given; else a million pictures, a million objects, 1,000,000 pixels and 10,000
  /// labels.
  public init(
    imageCount: Int = 1_000_000, objectCount: Int = 1_000_000, coordinate: Double = 1_000_000,
    labelCount: Int = 10_000, text: JSONLimits = JSONLimits(valueCount: 16_000_000)
  ) {
    self.labelCount = labelCount
    self.imageCount = imageCount
    self.objectCount = objectCount
    self.coordinate = coordinate
    self.text = text
  }
}

/// Which rule an annotation file breaks, and at which picture and object.
public enum AnnotationError: Error, Hashable, Sendable {
  /// The file is a JSON text.
  case invalidJSON(JSONError)
  /// The file is an XML document.
  case invalidXML(XMLError)
  /// The description of a data set is in the part of YAML that is read.
  case invalidYAML(YAMLError)
  /// The file is an array with an entry for each picture, or an object as COCO has it.
  case notAnArray(found: JSONValue.Kind)
  /// A key's value is of the right kind; an empty key means the entry itself.
  case wrongKind(Place, key: String, found: JSONValue.Kind, needed: JSONValue.Kind)
  /// Each entry has an image and annotations, each annotation a label and coordinates, and these
  /// have `x`, `y`, `width` and `height`.
  case missingKey(Place, key: String)
  /// A file name stays inside the folder of pictures.
  case unsafeFileName(Place, FileNameRule)
  /// A picture has one entry.
  case repeatedImage(Place, firstEntry: Int)
  /// A label has at least one character.
  case emptyLabel(Place)
  /// A label is one of those that the detector knows.
  case unknownLabel(Place, found: String, known: [String])
  /// `width` and `height` are above 0 and finite.
  case sizeNotPositive(Place, key: String, found: Double)
  /// A box's edges lie within the limit, and are numbers.
  case coordinateOutOfRange(Place, key: String, found: Double, limit: Double)
  /// At most so many pictures are read.
  case tooManyImages(found: Int, limit: Int)
  /// At most so many objects are read.
  case tooManyObjects(limit: Int)
  /// At most so many labels are read.
  case tooManyLabels(found: Int, limit: Int)
  /// A COCO file keeps the rules of its format.
  case coco(COCOError)
  /// A Pascal VOC file keeps the rules of its format.
  case pascalVOC(PascalVOCError)
  /// A line of a YOLO file, counted from 1, keeps the rules of its format.
  case yolo(Place, line: Int, YOLOError)
  /// What is written in a format with sizes of pictures has them.
  case missingSize(Place)
  /// A box that is written in shares of its picture has its centre in it.
  case outsidePicture(Place, width: Int, height: Int)
  /// A text that is written as a line has no control characters, and no space at its ends.
  case unwritableText(Place, String)
  /// Pictures with a file of annotations each differ in more than their extensions.
  case sameFile(Place, name: String, firstEntry: Int)

  /// Where in the file: entries and objects are counted from 0.
  public struct Place: Hashable, Sendable {
    /// The picture's entry.
    public var imageIndex: Int
    /// The picture's name, as far as it is known.
    public var fileName: String?
    /// The object in the picture; nil where the entry as a whole is meant.
    public var objectIndex: Int?

    /// A place.
    public init(imageIndex: Int, fileName: String? = nil, objectIndex: Int? = nil) {
      self.imageIndex = imageIndex
      self.fileName = fileName
      self.objectIndex = objectIndex
    }
  }

  /// What a picture's file name must not be.
  public enum FileNameRule: String, Hashable, Sendable {
    /// Empty.
    case empty = "is empty"
    /// Beginning at the root of the disk.
    case absolute = "begins at the root"
    /// Leading out of the folder.
    case leavesFolder = "contains the component \"..\""
    /// Holding `.` or nothing between slashes, so that a picture would have several names.
    case emptyComponent = "contains an empty component or \".\""
    /// Holding a backslash, which some systems take for a slash.
    case backslash = "contains a backslash"
    /// Holding a control character, NUL among them.
    case controlCharacter = "contains a control character"
    /// Longer than 1024 bytes.
    case tooLong = "is longer than 1024 bytes"
  }
}

extension AnnotationError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .invalidJSON(let error): "Not a JSON text. \(error)"
    case .invalidXML(let error): "\(error)"
    case .invalidYAML(let error): "\(error)"
    case .notAnArray(let found):
      "An annotation file is an array with an entry for each image, or an object with \"images\", "
        + "\"categories\" and \"annotations\"; this is \(found.rawValue)."
    case .wrongKind(let place, let key, let found, let needed):
      key.isEmpty
        ? "\(place): \(needed.rawValue) is needed and not \(found.rawValue)."
        : "\(place): \"\(key)\" must be \(needed.rawValue) and is \(found.rawValue)."
    case .missingKey(let place, let key): "\(place): \"\(key)\" is missing."
    case .unsafeFileName(let place, let rule): "\(place): the file name \(rule.rawValue)."
    case .repeatedImage(let place, let firstEntry):
      "\(place): the same image is entry \(firstEntry) already."
    case .emptyLabel(let place): "\(place): the label is empty."
    case .unknownLabel(let place, let found, let known):
      "\(place): the label \"\(Place.printable(found))\" is none of \(Self.list(known))."
    case .sizeNotPositive(let place, let key, let found):
      "\(place): \"\(key)\" must be above 0 and is \(found)."
    case .coordinateOutOfRange(let place, let key, let found, let limit):
      "\(place): \"\(key)\" is \(found); a box lies within \(limit) pixels of the origin."
    case .tooManyImages(let found, let limit):
      "The file has \(found) images; at most \(limit) are read."
    case .tooManyObjects(let limit):
      "The file has more than \(limit) objects; at most so many are read."
    case .tooManyLabels(let found, let limit):
      "There are \(found) labels; at most \(limit) are read."
    case .coco(let error): "\(error)"
    case .pascalVOC(let error): "\(error)"
    case .yolo(let place, let line, let error): "\(place), line \(line): \(error)."
    case .missingSize(let place): "\(place): the picture's size is not known."
    case .outsidePicture(let place, let width, let height):
      "\(place): the box is larger than the picture of \(width) x \(height) pixels, or its middle "
        + "lies outside."
    case .unwritableText(let place, let text):
      "\(place): \(Self.quoted(text)) cannot be written in this format."
    case .sameFile(let place, let name, let firstEntry):
      "\(place): its annotations belong in \(Self.quoted(name)), and so do those of image "
        + "\(firstEntry)."
    }
  }

  /// A text between quotes, harmless to a terminal.
  static func quoted(_ text: String) -> String { "\"\(Place.printable(text))\"" }

  private static func list(_ labels: [String]) -> String {
    var text = ""
    for label in labels { text += (text.isEmpty ? "" : ", ") + Place.printable(label) }
    return text
  }
}

extension AnnotationError.Place: CustomStringConvertible {
  /// Picture and object for a message, as `Image 3 ("dice.jpg"), object 0`.
  public var description: String {
    var text = "Image \(imageIndex)"
    if let fileName { text += " (\"\(Self.printable(fileName))\")" }
    if let objectIndex { text += ", object \(objectIndex)" }
    return text
  }

  /// At most 80 characters, without those that could steer a terminal.
  fileprivate static func printable(_ text: String) -> String {
    var result = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == 80 { return result + "…" }
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return result
  }
}
