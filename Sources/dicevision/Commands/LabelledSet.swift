internal import DiceFiles
internal import DiceGeometry
internal import DiceTraining
internal import DiceEvaluation
internal import DiceAnnotations
internal import DiceVisionTraining

/// The pictures of an annotation file with what there is to find in them.
struct LabelledSet {
  /// The label of a die that nobody can read.
  static let unreadableLabel = "?"

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

  /// The file of each picture by its name.
  var paths: [String: String] {
    Dictionary(pictures.map { ($0.name, $0.path) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads an annotation file.
  ///
  /// - Throws: `ToolError.file`, or `.failure` for a broken rule and for a label that the network
  ///   does not know.
  init(
    name: String, annotations: String, images: String?, labels: [String]
  ) throws(ToolError) {
    self.name = name
    self.annotations = annotations
    let folder = TrainingSource(annotations: annotations, images: images).imageFolder
    let entries = try Self.read(annotations)
    do throws(AnnotationError) {
      var readable = entries
      for index in readable.indices {
        readable[index].objects.removeAll { $0.label == Self.unreadableLabel }
      }
      let truths = try AnnotationFile.groundTruth(of: readable, classNames: labels)
      pictures = zip(entries, truths).map { entry, truths in
        Picture(
          path: Paths.joined(folder, entry.fileName), name: entry.fileName, truths: truths,
          unreadable: entry.objects.filter { $0.label == Self.unreadableLabel }.map {
            $0.boundingBox
          })
      }
    } catch {
      throw .failure(subject: annotations, sentence: "\(error)")
    }
  }

  /// The entries of an annotation file.
  static func read(_ path: String) throws(ToolError) -> [AnnotatedImage] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: TrainingSource.fileByteLimit)
    } catch {
      throw .file(error)
    }
    do throws(AnnotationError) {
      return try AnnotationFile.parse(bytes)
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
  }
}
