internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFiles

/// The annotations of pictures that are still being made.
///
/// The file is written now and then, each time beside its place and renamed: whoever stops the work
/// has a valid file, of the pictures up to about a second before.
struct GrowingAnnotations {
  /// The least time between two writings, in seconds.
  static let interval = 1.0
  /// The time between two writings is at least so many times what one takes.
  static let patience = 50.0

  /// The file.
  let path: String
  /// The pictures that were made so far.
  private(set) var images: [AnnotatedImage] = []

  /// What the file holds: the pictures that were there before, in their order, and behind them new
  /// ones.
  private var entries: [AnnotatedImage]
  /// The place of each by its name.
  private var places: [String: Int]
  private let folder: String
  private let environment: Environment
  private var dueTime = -Double.infinity

  /// No annotations yet, for pictures in a folder.
  ///
  /// - Parameter others: the annotations of pictures that are there already; those of pictures that
  ///   are added are replaced.
  init(in folder: String, besides others: [AnnotatedImage] = [], _ environment: Environment) {
    entries = others
    places = Dictionary(
      others.enumerated().map { ($1.fileName, $0) }, uniquingKeysWith: { first, _ in first })
    self.folder = folder
    self.environment = environment
    path = Self.path(in: folder)
  }

  /// The file for pictures in a folder.
  static func path(in folder: String) -> String { Paths.joined(folder, "annotations.json") }

  /// Adds a picture that has been written.
  mutating func append(_ image: AnnotatedImage) {
    images.append(image)
    if let place = places[image.fileName] {
      entries[place] = image
    } else {
      places[image.fileName] = entries.count
      entries.append(image)
    }
  }

  /// Writes the file unless that was done a short time ago.
  mutating func saveWhereDue() throws(ToolError) {
    if environment.seconds() >= dueTime { try save() }
  }

  /// Writes the file.
  mutating func save() throws(ToolError) {
    let start = environment.seconds()
    let text: [UInt8]
    do throws(AnnotationError) { text = try AnnotationFile.encode(entries) } catch {
      throw .failure(subject: folder, sentence: "\(error)")
    }
    do throws(FileError) { try FileSystem.writeFile(text, to: path) } catch { throw .file(error) }
    let end = environment.seconds()
    dueTime = end + max(Self.interval, Self.patience * (end - start))
  }
}
