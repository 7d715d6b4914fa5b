internal import DiceFiles
internal import DiceGeometry
internal import DiceTraining

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
  /// The pictures in the order of the file.
  var pictures: [Picture]

  /// Reads an annotation file.
  ///
  /// - Throws: `ToolError.file`, or `.failure` for a broken rule and for a label that the network
  ///   does not know.
  init(
    name: String, annotations: String, images: String?, labels: [String]
  ) throws(ToolError) {
    self.name = name
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: annotations, byteLimit: TrainingSource.fileByteLimit)
    } catch {
      throw .file(error)
    }
    let folder = TrainingSource(annotations: annotations, images: images).imageFolder
    do throws(AnnotationError) {
      let entries = try AnnotationFile.parse(bytes)
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
}

/// Runs a detector over sets of pictures, one after the other, and shows how far it is.
struct EvaluationRunner {
  let finder: any DieFinder
  let request: FinderRequest
  let environment: Environment
  let pictureCount: Int

  /// How many pictures could not be read.
  private(set) var failureCount = 0

  private var doneCount = 0
  private var progress: ProgressLine
  private let startTime: Double

  /// Prepares a run over so many pictures in all.
  init(
    finder: any DieFinder, request: FinderRequest, environment: Environment, pictureCount: Int
  ) {
    self.finder = finder
    self.request = request
    self.environment = environment
    self.pictureCount = pictureCount
    progress = ProgressLine(environment, intervalWithoutTerminal: nil)
    startTime = environment.seconds()
  }

  /// What the detector finds in a set's pictures; those that cannot be read are reported.
  mutating func evaluate(_ set: LabelledSet) -> EvaluationSet {
    let reader = PictureReader(environment: environment)
    var images: [EvaluatedImage] = []
    images.reserveCapacity(set.pictures.count)
    for picture in set.pictures {
      showProgress(set.name)
      do throws(ToolError) {
        let image = try reader.read(.file(path: picture.path)).image
        let reading = try finder.dice(in: image, subject: picture.path, request)
        images.append(
          EvaluatedImage(
            name: picture.name, detections: detections(reading.dice, picture),
            groundTruth: picture.truths))
      } catch {
        progress.clear()
        environment.report(error)
        failureCount += 1
      }
      doneCount += 1
    }
    return EvaluationSet(name: set.name, images: images)
  }

  /// Ends the progress line.
  mutating func finish() { progress.clear() }

  private mutating func showProgress(_ name: String) {
    let now = environment.seconds()
    guard progress.isDue(at: now) else { return }
    var text = "\(printable(name)): picture \(doneCount + 1) of \(pictureCount)"
    if doneCount > 0 {
      let left = (now - startTime) / Double(doneCount) * Double(pictureCount - doneCount)
      text += ", \(NumberText.duration(seconds: left)) left"
    }
    progress.show(text, at: now)
  }

  /// The detections that count: not those of dice that nobody can read.
  private func detections(_ dice: [FoundDie], _ picture: LabelledSet.Picture) -> [DetectedObject] {
    let labels = finder.network.labels
    var result: [DetectedObject] = []
    for die in dice {
      let box = die.boundingBox
      let isUnreadable =
        picture.unreadable.contains { $0.contains(x: box.centerX, y: box.centerY) }
        && !picture.truths.contains {
          $0.boundingBox.contains(x: box.centerX, y: box.centerY)
        }
      guard !isUnreadable, let classIndex = labels.firstIndex(of: die.label) else { continue }
      result.append(
        DetectedObject(
          boundingBox: box, classIndex: classIndex, confidence: die.confidence))
    }
    return result
  }
}
