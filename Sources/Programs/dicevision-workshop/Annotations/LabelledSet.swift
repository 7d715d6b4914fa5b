internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFiles
internal import DiceGeometry
internal import DiceTraining
internal import DiceVisionTraining

/// The pictures of an annotated set with what there is to find in them.
struct LabelledSet {
  /// The label of a die that nobody can read.
  static let unreadableLabel = "?"

  /// Where the pictures lie, for commands that read one set.
  static let images = ValueOption.text(
    "images", "DIR", "The folder that the pictures' names are relative to.",
    default: "the folder images beside the annotation file, else its own folder")

  /// A picture.
  struct Picture {
    /// The file.
    var path: String
    /// The name in the annotation file.
    var name: String
    /// The dice with a value.
    var truths: [GroundTruthObject]
    /// The boxes of dice that nobody can read.
    var unreadable: [BoundingBox]
  }

  /// The set's name.
  var name: String
  /// The annotation file.
  var annotations: String
  /// The pictures in the order of the file.
  var pictures: [Picture]
  /// The numbers that a COCO file gives to pictures and categories; nil for other formats.
  var identifiers: COCOIdentifiers?

  /// The file of each picture by its name.
  var paths: [String: String] {
    Dictionary(pictures.map { ($0.name, $0.path) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads annotations: a file or a folder.
  ///
  /// - Throws: `ToolError.file`, or `.failure` for a broken rule and for a label that the network
  ///   does not know.
  init(
    name: String, annotations: String, images: String?, labels: [String],
    part: AnnotationSource.Part = .validation
  ) throws(ToolError) {
    self.name = name
    self.annotations = annotations
    let set = try Self.read(annotations, images: images, labels: labels, part: part)
    let entries = set.images
    identifiers = set.identifiers
    do throws(AnnotationError) {
      var readable = entries
      for index in readable.indices {
        readable[index].objects.removeAll { $0.label == Self.unreadableLabel }
      }
      let truths = try AnnotationFile.groundTruth(of: readable, classNames: labels)
      pictures = zip(entries, truths).map { entry, truths in
        Picture(
          path: set.path(of: entry), name: entry.fileName, truths: truths,
          unreadable: entry.objects.filter { $0.label == Self.unreadableLabel }.map {
            $0.boundingBox
          })
      }
    } catch {
      throw .failure(subject: annotations, sentence: "\(error)")
    }
  }

  /// The annotations of a file or a folder, in any format.
  static func read(
    _ path: String, images: String?, labels: [String]?, part: AnnotationSource.Part
  ) throws(ToolError) -> AnnotationSet {
    do throws(AnnotationSourceError) {
      return try AnnotationSource(path: path, images: images).read(
        part: part, labels: labels, pictureSizes: TrainingSource.pictureSize)
    } catch {
      switch error {
      case .file(let error): throw .file(error)
      default: throw .failure(subject: error.path ?? path, sentence: error.sentence)
      }
    }
  }
}

extension OutputPlan {
  /// Declares the pictures of a labelled set.
  mutating func read(_ set: LabelledSet) { read(set.pictures.map(\.path)) }
}
