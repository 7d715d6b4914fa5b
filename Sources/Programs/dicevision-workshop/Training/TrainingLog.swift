internal import DiceCommandLine
internal import DiceFiles
internal import DiceTraining

/// The table of a run: a line of comma-separated values for every so many steps.
struct TrainingLog {
  /// The names of the columns.
  static let header =
    "step,images,learning_rate,loss,box_loss,objectness_loss,classification_loss,overlap,"
    + "images_per_second"

  static let byteLimit = 1 << 28

  /// The file; nil where no table is kept.
  private let path: String?
  private let interval: Int
  private let batchSize: Int
  /// What the next line is made from.
  private(set) var pending: Pending

  /// The steps since the last line.
  ///
  /// A run that is interrupted keeps them in its checkpoint, so that its table is that of a run which
  /// was not.
  struct Pending: Hashable, Sendable {
    /// The sums of the losses and the overlap.
    fileprivate var sums = [Double](repeating: 0, count: 5)
    /// The seconds that the steps took.
    fileprivate var seconds = 0.0
    fileprivate var count = 0

    /// No steps.
    init() {}

    /// What a checkpoint holds; no steps where it holds something else.
    init(notes: [Double]) {
      guard notes.count == 7, notes.allSatisfy(\.isFinite), (0...1e9).contains(notes[6]) else {
        return
      }
      sums = Array(notes[..<5])
      seconds = notes[5]
      count = Int(notes[6])
    }

    /// The numbers for a checkpoint.
    var notes: [Double] { sums + [seconds, Double(count)] }
  }

  /// Begins the table, or goes on with the one that is there.
  ///
  /// - Parameters:
  ///   - path: the file; nil where no table is kept.
  ///   - interval: the steps of a line.
  ///   - batchSize: the samples of a step.
  ///   - step: the steps already done; lines of later steps are dropped. With 0 all are.
  ///   - pending: the steps since the last line.
  init(
    path: String?, interval: Int, batchSize: Int, resumingAfter step: Int, pending: Pending
  ) throws(ToolError) {
    self.path = path
    self.interval = interval
    self.batchSize = batchSize
    self.pending = pending
    guard let path else { return }
    var text = Self.header + "\n"
    do throws(FileError) {
      if step > 0, FileSystem.exists(at: path) {
        let bytes = try FileSystem.readFile(at: path, byteLimit: Self.byteLimit)
        text += Self.rows(of: bytes, upTo: step, columnCount: 9)
      }
      try FileSystem.writeFile([UInt8](text.utf8), to: path)
    } catch {
      throw .file(error)
    }
  }

  /// Takes up a step, and writes a line when it is time.
  ///
  /// - Parameter seconds: the time that the step took.
  /// - Returns: Whether a line was written.
  @discardableResult
  mutating func add(
    _ progress: TrainingProgress, seconds: Double
  ) throws(ToolError) -> Bool {
    for (index, value) in ([progress.loss.total] + progress.parts).enumerated() {
      pending.sums[index] += Double(value)
    }
    pending.count += 1
    pending.seconds += seconds
    guard progress.step.isMultiple(of: interval) || progress.step == progress.stepCount else {
      return false
    }
    let line = pending
    pending = Pending()
    guard let path else { return false }
    let means = line.sums.map { NumberText.fixed($0 / Double(line.count), decimals: 5) }
    let speed = line.seconds > 0 ? Double(line.count * batchSize) / line.seconds : 0
    let cells =
      ["\(progress.step)", "\(progress.step * batchSize)", "\(progress.learningRate)"] + means
      + [NumberText.fixed(speed, decimals: 2)]
    do throws(FileError) {
      try FileSystem.append([UInt8]((cells.joined(separator: ",") + "\n").utf8), toFileAt: path)
    } catch {
      throw .file(error)
    }
    return true
  }

  /// The lines of a table whose step is at most the given one.
  static func rows(of bytes: [UInt8], upTo step: Int, columnCount: Int) -> String {
    var text = ""
    for line in bytes.split(separator: 0x0A) {
      let cells = line.split(separator: UInt8(ascii: ","))
      guard cells.count == columnCount, let first = cells.first,
        let found = NumberText.integer(String(decoding: first, as: UTF8.self)), found <= step
      else { continue }
      text += String(decoding: line, as: UTF8.self) + "\n"
    }
    return text
  }
}

extension TrainingProgress {
  /// The losses of boxes, objectness and values, and the overlap.
  var parts: [Float] {
    ["box", "objectness", "classification", "overlap"].map { loss[$0] ?? 0 }
  }
}
