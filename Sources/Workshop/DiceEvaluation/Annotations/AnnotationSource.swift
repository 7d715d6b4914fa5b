public import DiceFiles

/// Annotations on a disk, in whatever format they are: a file, or a folder.
///
/// A file says by its content what it is: Create ML's or COCO's JSON, one of Pascal VOC's XML files,
/// or the `data.yaml` of a YOLO data set. A folder is read by what lies in it:
///
/// | in the folder | what it is |
/// |---|---|
/// | `data.yaml` | a YOLO data set with its parts |
/// | one JSON file, there or in `annotations` | Create ML or COCO |
/// | XML files, there or in `Annotations` | Pascal VOC |
/// | pictures with a `.txt` beside each, or in `labels` beside `images` | YOLO; the class names lie in `classes.txt`, `obj.names`, `_darknet.labels` or `data.yaml`, there or up to two folders above |
///
/// Without `data.yaml` it must be one of these and not several.
public struct AnnotationSource: Hashable, Sendable {
  /// The file or folder.
  public var path: String
  /// The folder that the names of pictures are relative to; nil where it is to be found.
  ///
  /// For a file that is the folder `images` beside it where there is one, else its own. For Pascal
  /// VOC it is the first of the XML files' folder, `images` in it, and `JPEGImages` and `images`
  /// beside it that holds the first picture. For YOLO it is the folder given, or that of
  /// `data.yaml`.
  public var images: String?

  /// Annotations at a path.
  public init(path: String, images: String? = nil) {
    self.path = path
    self.images = images
  }

  /// A part of a YOLO data set that has several; other formats are always read whole.
  public enum Part: Hashable, Sendable {
    /// What is to be learned from: `train`.
    case training
    /// What is to be measured on: `val`, or `test` where there is no `val`.
    case validation
    /// All parts that there are.
    case all
  }

  /// The size of an upright picture in a file; nil where it cannot be read.
  public typealias PictureSizes = (_ path: String) -> (width: Int, height: Int)?

  /// The most bytes of a file.
  public static let fileByteLimit = 1 << 28
  /// The extensions of pictures that YOLO's annotations lie beside.
  static let pictureExtensions = [
    "png", "jpg", "jpeg", "jpe", "jfif", "ppm", "pgm", "pbm", "pnm",
  ]
  /// How deep folders of pictures are searched.
  static let depth = 8

  /// Reads the annotations.
  ///
  /// - Parameters:
  ///   - part: which part of a YOLO data set.
  ///   - labels: labels that stay as they are; names that mean a value of a die become its label
  ///     (``DieLabel``), others stay, too. All labels stay as they are where this
  ///     is nil, or has labels but none of dice.
  ///   - limits: what to refuse before it costs too much.
  ///   - pictureSizes: says how large a picture is; YOLO's boxes are shares of it.
  /// - Throws: `AnnotationSourceError`, which names the file.
  public func read(
    part: Part = .all, labels: [String]? = DieLabel.values,
    limits: AnnotationLimits = AnnotationLimits(), pictureSizes: PictureSizes
  ) throws(AnnotationSourceError) -> AnnotationSet {
    var set: AnnotationSet
    if FileSystem.isFolder(at: path) {
      set = try AnnotationFolder(self, part, limits).read(pictureSizes)
    } else {
      set = try readFile(path, part, limits, pictureSizes)
    }
    guard let labels, labels.isEmpty || labels.contains(where: { DieLabel.values.contains($0) })
    else { return set }
    let known = Set(labels)
    for index in set.images.indices {
      set.images[index] = set.images[index].namingDice(known: known)
    }
    return set
  }

  /// Reads a file in the format that its content shows.
  func readFile(
    _ path: String, _ part: Part, _ limits: AnnotationLimits, _ pictureSizes: PictureSizes
  ) throws(AnnotationSourceError) -> AnnotationSet {
    let bytes = try Self.bytes(of: path)
    if YAMLReader.isDataset(bytes) {
      let dataset = try YOLODataset(
        description: bytes, path: path, images: images, part: part, limits)
      return try dataset.read(limits, pictureSizes)
    }
    do throws(AnnotationError) {
      let (found, format, identifiers) = try AnnotationFile.parseWithIdentifiers(
        bytes, limits: limits)
      let folder = Paths.parent(of: path)
      let imageFolder =
        images
        ?? (format == .pascalVOC
          ? AnnotationFolder.pictures(named: found.first?.fileName, besideXMLIn: folder)
          : Self.imageFolder(besideFileIn: folder))
      return AnnotationSet(
        format: format, images: found, imageFolder: imageFolder, identifiers: identifiers)
    } catch {
      throw .annotations(path: path, error)
    }
  }

  /// The folder `images` in a folder where there is one, else the folder itself.
  static func imageFolder(besideFileIn folder: String) -> String {
    let beside = Paths.joined(folder, "images")
    return FileSystem.isFolder(at: beside) ? beside : folder
  }

  static func bytes(of path: String) throws(AnnotationSourceError) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.readFile(at: path, byteLimit: fileByteLimit)
    } catch {
      throw .file(error)
    }
  }
}

/// What was read from annotations on a disk.
public struct AnnotationSet: Hashable, Sendable {
  /// The format.
  public var format: AnnotationFormat
  /// The pictures, in the order of the file or of their names.
  public var images: [AnnotatedImage]
  /// The folder that the names of pictures are relative to.
  public var imageFolder: String
  /// The numbers that a COCO file gives to pictures and categories; nil for other formats.
  public var identifiers: COCOIdentifiers?

  /// The file of a picture.
  public func path(of image: AnnotatedImage) -> String {
    Paths.joined(imageFolder, image.fileName)
  }
}

/// Why annotations on a disk cannot be read.
public enum AnnotationSourceError: Error, Hashable, Sendable {
  /// A file or folder cannot be read.
  case file(FileError)
  /// A file breaks a rule.
  case annotations(path: String, AnnotationError)
  /// A folder holds annotations.
  case noAnnotations(folder: String)
  /// A folder holds annotations of one kind, in one file where that holds them all.
  case severalKinds(folder: String, [String])
  /// The class names of YOLO's annotations lie in the folder or above it.
  case noClassNames(folder: String)
  /// `data.yaml` has the part that is asked for.
  case missingPart(path: String, part: String)
  /// A folder that `data.yaml` names is there, in the folder of `data.yaml`.
  case missingFolder(path: String, named: String)
  /// The size of a picture with marked objects can be read.
  case unreadablePicture(path: String, annotations: String)
  /// Annotations in a folder `labels` belong to a picture.
  case noPicture(annotations: String)
}

extension AnnotationSourceError: CustomStringConvertible {
  /// The file or folder that the error is about; nil where `FileError` says it.
  public var path: String? {
    switch self {
    case .file: nil
    case .annotations(let path, _), .noAnnotations(let path), .severalKinds(let path, _),
      .noClassNames(let path), .missingPart(let path, _), .missingFolder(let path, _),
      .unreadablePicture(let path, _), .noPicture(let path):
      path
    }
  }

  /// One sentence for the user, without the path.
  public var sentence: String {
    switch self {
    case .file(let error): "\(error)"
    case .annotations(_, let error): "\(error)"
    case .noAnnotations:
      "The folder holds no annotations: no data.yaml, no JSON file, no XML files and no pictures "
        + "with YOLO's text files."
    case .severalKinds(_, let kinds):
      "The folder holds annotations of several kinds (\(kinds.joined(separator: ", "))): name the "
        + "file, or a folder with one of them."
    case .noClassNames:
      "The class names of YOLO's annotations are missing: classes.txt, obj.names or data.yaml."
    case .missingPart(_, let part): "There is no \"\(part)\"."
    case .missingFolder(_, let named):
      "\(AnnotationError.quoted(named)) is no folder in that of this file."
    case .unreadablePicture(_, let annotations):
      "The picture's size cannot be read, and \(AnnotationError.quoted(annotations)) needs it."
    case .noPicture: "There is no picture that these annotations belong to."
    }
  }

  /// One sentence for the user.
  public var description: String {
    path.map { "\(AnnotationError.quoted($0)): \(sentence)" } ?? sentence
  }
}
