internal import DiceFiles
internal import DiceTraining

/// The table of a run: a line of comma-separated values for every so many steps.
struct TrainingLog {
  /// The names of the columns.
  static let header =
    "step,images,learning_rate,loss,box_loss,objectness_loss,classification_loss,overlap,"
    + "images_per_second"

  static let byteLimit = 1 << 28

  private let path: String
  private let interval: Int
  private let batchSize: Int
  private var sums = [Double](repeating: 0, count: 5)
  private var count = 0
  private var startTime: Double

  /// Begins the table, or goes on with the one that is there.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - interval: the steps of a line.
  ///   - batchSize: the samples of a step.
  ///   - step: the steps already done; lines of later steps are dropped. With 0 all are.
  ///   - time: the time now.
  init(
    path: String, interval: Int, batchSize: Int, resumingAfter step: Int, at time: Double
  ) throws(ToolError) {
    self.path = path
    self.interval = interval
    self.batchSize = batchSize
    startTime = time
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
  /// - Returns: Whether a line was written.
  @discardableResult
  mutating func add(_ progress: TrainingProgress, at time: Double) throws(ToolError) -> Bool {
    for (index, value) in ([progress.loss.total] + progress.parts).enumerated() {
      sums[index] += Double(value)
    }
    count += 1
    guard progress.step.isMultiple(of: interval) || progress.step == progress.stepCount else {
      return false
    }
    let means = sums.map { NumberText.fixed($0 / Double(count), decimals: 5) }
    let seconds = time - startTime
    let speed = seconds > 0 ? Double(count * batchSize) / seconds : 0
    let cells =
      ["\(progress.step)", "\(progress.step * batchSize)", "\(progress.learningRate)"] + means
      + [NumberText.fixed(speed, decimals: 2)]
    do throws(FileError) {
      try FileSystem.append([UInt8]((cells.joined(separator: ",") + "\n").utf8), toFileAt: path)
    } catch {
      throw .file(error)
    }
    sums = [Double](repeating: 0, count: sums.count)
    count = 0
    startTime = time
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
