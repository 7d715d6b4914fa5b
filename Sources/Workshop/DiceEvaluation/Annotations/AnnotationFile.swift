internal import DiceFiles

/// Files with what people marked in pictures, in the format that their content shows.
///
/// | format | content | boxes |
/// |---|---|---|
/// | Create ML | a JSON array with an entry for each picture | centre and size |
/// | COCO | a JSON object with `images`, `categories` and `annotations` | upper left corner and size |
/// | Pascal VOC | XML with the root `annotation`, one file for each picture | two corners |
///
/// YOLO's files are read from a folder (``AnnotationSource``), since only a picture's name and size
/// and a list of classes give them a meaning.
public enum AnnotationFile {
  /// Reads an annotation file that says by itself which pictures it is about.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - limits: what to refuse before it costs too much.
  /// - Returns: the pictures in the file's order.
  /// - Throws: `AnnotationError`: the first rule broken.
  /// - Complexity: O(n) in the length of the file, O(m log m) in the number of pictures.
  public static func parse(
    _ bytes: [UInt8], limits: AnnotationLimits = AnnotationLimits()
  ) throws(AnnotationError) -> [AnnotatedImage] {
    try parseWithIdentifiers(bytes, limits: limits).images
  }

  /// The pictures of a file, its format, and the numbers that COCO gives to pictures and categories.
  static func parseWithIdentifiers(
    _ bytes: [UInt8], limits: AnnotationLimits
  ) throws(AnnotationError) -> (
    images: [AnnotatedImage], format: AnnotationFormat, identifiers: COCOIdentifiers?
  ) {
    if firstCharacter(of: bytes) == UInt8(ascii: "<") {
      var rules = AnnotationRules(limits)
      let image = try PascalVOCAnnotations.image(bytes, index: 0, &rules)
      return ([image], .pascalVOC, nil)
    }
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONReader.parse(bytes, limits: limits.text)
    } catch {
      throw .invalidJSON(error)
    }
    if case .object(let members) = root, COCOAnnotations.isMarked(members) {
      let (images, identifiers) = try COCOAnnotations.images(of: members, limits: limits)
      return (images, .coco, identifiers)
    }
    return (try CreateMLAnnotations.images(of: root, limits: limits), .createML, nil)
  }

  /// Writes a Create ML file: one line for each picture, the keys `image` and `annotations`.
  ///
  /// What is written can be read back by `parse(_:limits:)` with the same limits, and gives equal
  /// pictures wherever a `Double` for the centre exists that yields the box's `x` and `y` exactly,
  /// as it does for boxes that were read; otherwise `x` and `y` may differ in their last bit. Sizes
  /// of pictures are not written.
  ///
  /// - Throws: `AnnotationError`: the first rule that the pictures break.
  public static func encode(
    _ images: [AnnotatedImage], limits: AnnotationLimits = AnnotationLimits()
  ) throws(AnnotationError) -> [UInt8] {
    try CreateMLAnnotations.encode(images, limits: limits)
  }

  /// The files of a set of annotations in any format.
  ///
  /// - Create ML and COCO: one file, whose name is empty.
  /// - YOLO: `data.yaml`, and `labels/NAME.txt` for each picture; pictures belong in `images`.
  /// - Pascal VOC: `NAME.xml` for each picture.
  ///
  /// Classes are `1` to `6` first, then other labels as they come. All formats but Create ML need
  /// the pictures' sizes. Reading back gives the same pictures but for roundings of boxes in the last
  /// bits.
  ///
  /// - Throws: `AnnotationError`: the first rule that the pictures break.
  public static func files(
    for images: [AnnotatedImage], as format: AnnotationFormat,
    limits: AnnotationLimits = AnnotationLimits()
  ) throws(AnnotationError) -> [EncodedAnnotations] {
    switch format {
    case .createML: [EncodedAnnotations(name: "", bytes: try encode(images, limits: limits))]
    case .coco:
      [EncodedAnnotations(name: "", bytes: try COCOAnnotations.encode(images, limits: limits))]
    case .yolo: try YOLOAnnotations.files(for: images, limits: limits)
    case .pascalVOC: try PascalVOCAnnotations.files(for: images, limits: limits)
    }
  }

  /// The first byte behind a byte order mark and white space.
  static func firstCharacter(of bytes: [UInt8]) -> UInt8? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return bytes[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}

/// A file to be written.
public struct EncodedAnnotations: Hashable, Sendable {
  /// Its name in the folder of the annotations, with `/` between folders; empty where the
  /// annotations are this file alone.
  public var name: String
  /// Its content.
  public var bytes: [UInt8]

  /// A file.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

extension AnnotationFile {
  /// The labels of a set: those of dice first, then the others as they come.
  static func classNames(of images: [AnnotatedImage]) -> [String] {
    var names = DieLabel.values
    var known = Set(names)
    for image in images {
      for object in image.objects where known.insert(object.label).inserted {
        names.append(object.label)
      }
    }
    return names
  }

  /// The name of the file beside a picture, with an extension in place of the picture's own.
  ///
  /// - Throws: `AnnotationError.sameFile` where two pictures differ in their extensions only.
  static func names(
    beside images: [AnnotatedImage], extension fileExtension: String
  ) throws(AnnotationError) -> [String] {
    let names = images.map { Paths.removingExtension(of: $0.fileName) + "." + fileExtension }
    if let (first, second) = AnnotationRules.firstRepeat(in: names) {
      let place = AnnotationError.Place(imageIndex: second, fileName: images[second].fileName)
      throw .sameFile(place, name: names[second], firstEntry: first)
    }
    return names
  }

  /// The size of a picture that is to be written.
  static func size(
    of image: AnnotatedImage, at index: Int
  ) throws(AnnotationError) -> (width: Int, height: Int) {
    guard let width = image.width, let height = image.height, width > 0, height > 0 else {
      throw .missingSize(AnnotationError.Place(imageIndex: index, fileName: image.fileName))
    }
    return (width, height)
  }
}
