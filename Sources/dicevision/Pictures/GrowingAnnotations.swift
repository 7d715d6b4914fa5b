internal import DiceFiles
internal import DiceAnnotations

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
  /// The pictures so far.
  private(set) var images: [AnnotatedImage] = []

  private let folder: String
  private let environment: Environment
  private var dueTime = -Double.infinity

  /// No annotations yet, for pictures in a folder.
  init(in folder: String, _ environment: Environment) {
    self.folder = folder
    self.environment = environment
    path = Paths.joined(folder, "annotations.json")
  }

  /// Adds a picture that has been written.
  mutating func append(_ image: AnnotatedImage) { images.append(image) }

  /// Writes the file unless that was done a short time ago.
  mutating func saveWhereDue() throws(ToolError) {
    if environment.seconds() >= dueTime { try save() }
  }

  /// Writes the file.
  mutating func save() throws(ToolError) {
    let start = environment.seconds()
    let text: [UInt8]
    do throws(AnnotationError) { text = try AnnotationFile.encode(images) } catch {
      throw .failure(subject: folder, sentence: "\(error)")
    }
    do throws(FileError) { try FileSystem.writeFile(text, to: path) } catch { throw .file(error) }
    let end = environment.seconds()
    dueTime = end + max(Self.interval, Self.patience * (end - start))
  }
}
