internal import DiceFiles

/// A folder with annotations, which its files tell.
struct AnnotationFolder {
  private let folder: String
  private let source: AnnotationSource
  private let part: AnnotationSource.Part
  private let limits: AnnotationLimits

  init(
    _ source: AnnotationSource, _ part: AnnotationSource.Part, _ limits: AnnotationLimits
  ) {
    folder = source.path
    self.source = source
    self.part = part
    self.limits = limits
  }

  /// Reads the annotations of the one kind that there is.
  func read(
    _ pictureSizes: AnnotationSource.PictureSizes
  ) throws(AnnotationSourceError) -> AnnotationSet {
    for name in YOLODataset.descriptionNames {
      let path = Paths.joined(folder, name)
      if FileSystem.kind(of: path) == .file {
        return try source.readFile(path, part, limits, pictureSizes)
      }
    }
    let texts = try files(in: ["", "annotations"], withExtension: "json")
    let documents = try files(in: ["", "Annotations"], withExtension: "xml")
    let dataset = try YOLODataset(folder: folder, images: source.images, limits)
    let kinds =
      texts.map { Paths.lastComponent(of: $0) }
      + (documents.isEmpty ? [] : ["XML files"]) + (dataset == nil ? [] : ["YOLO's text files"])
    guard kinds.count <= 1 else { throw .severalKinds(folder: folder, Array(kinds.prefix(8))) }
    if let path = texts.first { return try source.readFile(path, part, limits, pictureSizes) }
    if let dataset { return try dataset.read(limits, pictureSizes) }
    guard let first = documents.first else { throw .noAnnotations(folder: folder) }
    return try read(documents, in: Paths.parent(of: first))
  }

  /// The files with an extension in the first of some folders that has any.
  private func files(
    in folders: [String], withExtension fileExtension: String
  ) throws(AnnotationSourceError) -> [String] {
    for name in folders {
      let path = Paths.joined(folder, name)
      guard FileSystem.isFolder(at: path) else { continue }
      do throws(FileError) {
        let found = try FileSystem.files(in: path, withExtensions: [fileExtension])
        if !found.isEmpty { return found }
      } catch { throw .file(error) }
    }
    return []
  }

  // MARK: - Pascal VOC

  private func read(
    _ documents: [String], in folder: String
  ) throws(AnnotationSourceError) -> AnnotationSet {
    var rules = AnnotationRules(limits)
    var images: [AnnotatedImage] = []
    for (index, document) in documents.enumerated() {
      let bytes = try AnnotationSource.bytes(of: document)
      do throws(AnnotationError) {
        try rules.checkImageCount(index + 1)
        images.append(try PascalVOCAnnotations.image(bytes, index: index, &rules))
      } catch { throw .annotations(path: document, error) }
    }
    do throws(AnnotationError) {
      try AnnotationRules.checkRepeats(images)
    } catch { throw .annotations(path: folder, error) }
    return AnnotationSet(
      format: .pascalVOC, images: images,
      imageFolder: source.images
        ?? Self.pictures(named: images.first?.fileName, besideXMLIn: folder))
  }

  /// Where the pictures of XML files lie.
  static func pictures(named name: String?, besideXMLIn folder: String) -> String {
    guard let name else { return folder }
    let parent = Paths.parent(of: folder)
    let candidates = [
      folder, Paths.joined(folder, "images"), Paths.joined(parent, "JPEGImages"),
      Paths.joined(parent, "images"),
    ]
    return candidates.first { FileSystem.kind(of: Paths.joined($0, name)) == .file } ?? folder
  }
}

/// YOLO's annotations: folders of pictures, and class names.
struct YOLODataset {
  /// The names that the description of a data set has.
  static let descriptionNames = ["data.yaml", "data.yml"]
  /// The names that a list of class names has.
  private static let listNames = ["classes.txt", "obj.names", "_darknet.labels"]

  /// The folder that names are relative to.
  private let root: String
  /// The folder of the annotations, where that of the pictures is another one.
  private let annotationRoot: String?
  /// The pictures' folders.
  private let folders: [String]
  private let names: [String]

  /// The data set that a `data.yaml` describes.
  init(
    description bytes: [UInt8], path: String, images: String?, part: AnnotationSource.Part,
    _ limits: AnnotationLimits
  ) throws(AnnotationSourceError) {
    let description: DatasetDescription
    do throws(YAMLError) {
      description = try YAMLReader.dataset(bytes, labelLimit: limits.labelCount)
    } catch {
      throw .annotations(path: path, .invalidYAML(error))
    }
    names = description.names
    let folder = Paths.parent(of: path)
    if let images {
      root = images
      annotationRoot = folder
      folders = [images]
      return
    }
    root = folder
    annotationRoot = nil
    let wanted: [String]
    switch part {
    case .training: wanted = ["train"]
    case .validation: wanted = [description.folders["val"] == nil ? "test" : "val"]
    case .all: wanted = ["train", "val", "test"].filter { description.folders[$0] != nil }
    }
    var found: [String] = []
    for part in wanted {
      guard let names = description.folders[part], !names.isEmpty else {
        throw .missingPart(path: path, part: part == "test" ? "val" : part)
      }
      for name in names {
        guard let place = Self.place(of: name, path: description.path, in: folder) else {
          throw .missingFolder(path: path, named: name)
        }
        if !found.contains(place) { found.append(place) }
      }
    }
    if found.isEmpty { throw .missingPart(path: path, part: "train") }
    folders = found
  }

  /// A folder that a description names; nil where it is none in the description's own folder.
  ///
  /// Steps out of that folder at the front of a name are left out, as some programs write one too
  /// many. Where `path` leads nowhere, it is left out: data sets are moved.
  private static func place(of name: String, path: String?, in folder: String) -> String? {
    func components(_ text: String) -> [String] {
      var parts = text.split(separator: "/").map(String.init).filter { $0 != "." }
      while parts.first == ".." { parts.removeFirst() }
      return parts
    }
    guard !Paths.isAbsolute(name), !name.utf8.contains(0) else { return nil }
    let last = components(name)
    guard !last.contains("..") else { return nil }
    var candidates = [last]
    if let path, !Paths.isAbsolute(path), !path.utf8.contains(0) {
      let first = components(path)
      if !first.contains("..") { candidates.insert(first + last, at: 0) }
    }
    return candidates.map { Paths.joined([folder] + $0) }.first { FileSystem.isFolder(at: $0) }
  }

  /// The data set in a folder without a description; nil where there is none.
  init?(
    folder: String, images: String?, _ limits: AnnotationLimits
  ) throws(AnnotationSourceError) {
    let inside = Paths.joined(folder, "images")
    let pictures = images ?? (FileSystem.isFolder(at: inside) ? inside : folder)
    let dataset = YOLODataset(
      root: images ?? folder, annotationRoot: images == nil ? nil : folder, folders: [pictures],
      names: [])
    // A text that belongs to a picture, and not just any text.
    let found = try Self.pictures(in: pictures)
    guard found.contains(where: { dataset.annotations(of: $0) != nil }) else { return nil }
    guard let names = try Self.classNames(for: folder, limits) else {
      throw .noClassNames(folder: folder)
    }
    self.init(
      root: dataset.root, annotationRoot: dataset.annotationRoot, folders: dataset.folders,
      names: names)
  }

  private init(root: String, annotationRoot: String?, folders: [String], names: [String]) {
    self.root = root
    self.annotationRoot = annotationRoot
    self.folders = folders
    self.names = names
  }

  private static func classNames(
    for folder: String, _ limits: AnnotationLimits
  ) throws(AnnotationSourceError) -> [String]? {
    let parent = Paths.joined(folder, "..")
    let folders = [
      folder, Paths.joined(folder, "labels"), parent, Paths.joined(parent, ".."),
    ]
    for folder in folders {
      for name in listNames + descriptionNames {
        let path = Paths.joined(folder, name)
        guard FileSystem.kind(of: path) == .file else { continue }
        let bytes = try AnnotationSource.bytes(of: path)
        do throws(AnnotationError) {
          if listNames.contains(name) {
            return try YOLOAnnotations.classNames(bytes, limit: limits.labelCount)
          }
          do throws(YAMLError) {
            return try YAMLReader.dataset(bytes, labelLimit: limits.labelCount).names
          } catch { throw .invalidYAML(error) }
        } catch { throw .annotations(path: path, error) }
      }
    }
    return nil
  }

  private static func pictures(in folder: String) throws(AnnotationSourceError) -> [String] {
    do throws(FileError) {
      return try FileSystem.files(
        in: folder, withExtensions: AnnotationSource.pictureExtensions,
        depth: AnnotationSource.depth)
    } catch { throw .file(error) }
  }

  /// The file with the annotations of a picture; nil where there is none.
  private func annotations(of picture: String) -> String? {
    let text = Paths.removingExtension(of: picture) + ".txt"
    var candidates = [text]
    // As programs for YOLO do: the last folder `images` on the way stands for `labels`.
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if let last = parts.dropLast().lastIndex(of: "images") {
      parts[last] = "labels"
      candidates.insert(parts.joined(separator: "/"), at: 0)
    }
    if let annotationRoot {
      let name = name(of: text)
      candidates.insert(Paths.joined(annotationRoot, "labels", name), at: 0)
      candidates.append(Paths.joined(annotationRoot, name))
    }
    return candidates.first { FileSystem.kind(of: $0) == .file }
  }

  /// A file's name relative to the folder that names are relative to.
  private func name(of path: String) -> String {
    let prefix = Paths.joined(root, "x").utf8.count - 1
    return String(decoding: path.utf8.dropFirst(prefix), as: UTF8.self)
  }

  /// Reads the annotations of all pictures.
  func read(
    _ limits: AnnotationLimits, _ pictureSizes: AnnotationSource.PictureSizes
  ) throws(AnnotationSourceError) -> AnnotationSet {
    var rules = AnnotationRules(limits)
    var images: [AnnotatedImage] = []
    var used: Set<String> = []
    for folder in folders {
      for picture in try Self.pictures(in: folder) {
        let place = AnnotationError.Place(imageIndex: images.count, fileName: name(of: picture))
        var image = AnnotatedImage(fileName: name(of: picture), objects: [])
        let path = annotations(of: picture)
        do throws(AnnotationError) {
          try rules.checkImageCount(images.count + 1)
          try AnnotationRules.checkFileName(image.fileName, place)
        } catch { throw .annotations(path: path ?? picture, error) }
        if let path {
          used.insert(path)
          let bytes = try AnnotationSource.bytes(of: path)
          if AnnotationFile.firstCharacter(of: bytes) != nil {
            guard let size = pictureSizes(picture), size.width > 0, size.height > 0 else {
              throw .unreadablePicture(path: picture, annotations: path)
            }
            (image.width, image.height) = (size.width, size.height)
            do throws(AnnotationError) {
              image.objects = try YOLOAnnotations.objects(
                bytes, names: names, width: size.width, height: size.height, place, &rules)
            } catch { throw .annotations(path: path, error) }
          }
        }
        images.append(image)
      }
    }
    try checkAllUsed(used)
    if images.isEmpty { throw .noAnnotations(folder: folders.first ?? root) }
    return AnnotationSet(format: .yolo, images: images, imageFolder: root)
  }

  /// Annotations without a picture are a mistake of somebody's.
  private func checkAllUsed(_ used: Set<String>) throws(AnnotationSourceError) {
    for folder in Set(used.map { Paths.parent(of: $0) }).sorted()
    where folder.split(separator: "/").contains("labels") {
      let files: [String]
      do throws(FileError) {
        files = try FileSystem.files(in: folder, withExtensions: ["txt"])
      } catch { throw .file(error) }
      for file in files where !used.contains(file) && Paths.lastComponent(of: file) != "classes.txt"
      {
        throw .noPicture(annotations: file)
      }
    }
  }
}
