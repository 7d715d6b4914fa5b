public import DiceEvaluation
public import DiceCodecs
public import DiceFiles
public import DiceGeometry
public import DiceImaging
public import DiceParallel

/// A set of annotated pictures to learn from.
public struct TrainingSource: Hashable, Sendable {
  /// An annotation file or a folder with annotations, in any format (`AnnotationSource`).
  public var annotations: String
  /// The folder that the pictures' names are relative to; nil where it is to be found.
  public var images: String?
  /// How often its pictures are drawn, relative to the other sources' weights; more than 0.
  public var weight: Float
  /// How much its boxes' sizes teach, 0...1: 1 where boxes enclose the top face, less where they
  /// enclose the whole die.
  public var boxWeight: Float

  /// A set with weight 1 whose boxes enclose top faces.
  public init(
    annotations: String, images: String? = nil, weight: Float = 1, boxWeight: Float = 1
  ) {
    self.annotations = annotations
    self.images = images
    self.weight = weight
    self.boxWeight = boxWeight
  }

  /// The annotations on the disk.
  public var annotationSource: AnnotationSource {
    AnnotationSource(path: annotations, images: images)
  }

  /// The size of the upright picture in a file; nil where it cannot be read.
  public static func pictureSize(_ path: String) -> (width: Int, height: Int)? {
    guard let bytes = try? FileSystem.readFile(at: path, byteLimit: fileByteLimit) else {
      return nil
    }
    return try? ImageDecoder.uprightSize(of: bytes)
  }
}

/// Why a set of pictures cannot be read.
public enum TrainingSourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file cannot be read.
  case file(FileError)
  /// The annotations cannot be read, or break a rule.
  case annotations(AnnotationSourceError)
  /// A picture cannot be decoded.
  case image(path: String, ImageDecodingError)
  /// A label is not a class of the network.
  case unknownLabel(label: String, path: String)

  /// One sentence that says what is wrong.
  public var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .annotations(let error): "\(error)"
    case .image(let path, let error): "\(path): \(error)"
    case .unknownLabel(let label, let path):
      "\(path): the label \"\(label)\" is not a class of the network."
    }
  }
}

extension TrainingSource {
  /// The most bytes of an annotation file or a picture file.
  public static let fileByteLimit = 1 << 28

  /// Reads and decodes all pictures of the set; they stand upright.
  ///
  /// Of a YOLO data set these are the pictures of its part `train`.
  ///
  /// - Parameters:
  ///   - labels: the network's class labels; a picture's label is one of them, `3` for `d6-3`, or
  ///     `"?"` for a die that cannot be read.
  ///   - maximumSide: pictures with a longer side are reduced to it, to save memory.
  ///   - isReducible: whether samples show pictures at less than half their size.
  ///   - pool: threads that share the pictures.
  ///   - proposing: says where in a picture a detector sees dice; called with each picture, from all
  ///     threads of the pool.
  public func load(
    labels: [String], maximumSide: Int, isReducible: Bool = false,
    pool: WorkerPool = WorkerPool(threadCount: 1),
    proposing: (PixelImage) -> [BoundingBox] = { _ in [] }
  ) throws(TrainingSourceError) -> [TrainingPicture] {
    let set: AnnotationSet
    do throws(AnnotationSourceError) {
      set = try annotationSource.read(
        part: .training, labels: labels, pictureSizes: Self.pictureSize)
    } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .annotations(error)
    }
    var pictures: [TrainingPicture] = []
    pictures.reserveCapacity(set.images.count)
    // So many at a time that a picture that cannot be read is named soon.
    let share = 8 * pool.threadCount
    for first in stride(from: 0, to: set.images.count, by: share) {
      let loaded = pool.map(count: min(share, set.images.count - first)) {
        (index) -> Result<TrainingPicture, TrainingSourceError> in
        Result { () throws(TrainingSourceError) in
          let entry = set.images[first + index]
          let path = set.path(of: entry)
          let image = try decode(path)
          let longest = max(image.width, image.height)
          let scale = longest > maximumSide ? Double(maximumSide) / Double(longest) : 1
          let truths = try truths(of: entry, at: path, labels: labels, scale: scale)
          let reduced =
            scale < 1
            ? image.resized(
              width: max(1, Int((Double(image.width) * scale).rounded())),
              height: max(1, Int((Double(image.height) * scale).rounded()))) : image
          return TrainingPicture(
            reduced, truths: truths, proposals: proposing(reduced), isReducible: isReducible)
        }
      }
      for picture in loaded { pictures.append(try picture.get()) }
    }
    return pictures
  }

  /// What a picture shows, in the pixels of the picture as it is learnt from.
  private func truths(
    of entry: AnnotatedImage, at path: String, labels: [String], scale: Double
  ) throws(TrainingSourceError) -> [TruthBox] {
    var truths: [TruthBox] = []
    for object in entry.objects {
      let classIndex = AnnotationFile.classIndex(of: object.label, in: labels)
      guard classIndex != nil || object.label == "?" else {
        throw .unknownLabel(label: object.label, path: path)
      }
      let box = object.boundingBox
      truths.append(
        TruthBox(
          centerX: Float(box.midX * scale), centerY: Float(box.midY * scale),
          width: Float(box.width * scale), height: Float(box.height * scale),
          classIndex: classIndex, boxWeight: boxWeight))
    }
    return truths
  }

  private func decode(_ path: String) throws(TrainingSourceError) -> PixelImage {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: Self.fileByteLimit)
    } catch { throw .file(error) }
    do throws(ImageDecodingError) {
      return try ImageDecoder.decode(bytes).oriented()
    } catch { throw .image(path: path, error) }
  }
}
