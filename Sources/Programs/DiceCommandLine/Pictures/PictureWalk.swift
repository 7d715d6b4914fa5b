internal import DiceCodecs
internal import DiceParallel

/// The way of a command through its pictures: which they are, on how many threads they are looked at, and
/// how results and errors are told, in the order of the pictures.
package struct PictureWalk {
  /// What came of a picture: a result, an error, or a result and the error of its copy.
  package struct Outcome {
    package var text: String?
    package var error: ToolError?

    /// What came of a picture; nothing at first.
    package init(text: String? = nil, error: ToolError? = nil) {
      self.text = text
      self.error = error
    }
  }

  /// The pictures.
  package let list: PictureList
  private let arguments: ParsedArguments
  private let environment: Environment

  /// The pictures that the arguments name.
  ///
  /// - Throws: `ToolError.usage` where standard input is named twice.
  package init(_ arguments: ParsedArguments, _ environment: Environment) throws(ToolError) {
    try InputFiles.checkStandardInput(arguments.positionals)
    self.arguments = arguments
    self.environment = environment
    list = PictureList(
      arguments.positionals, isRecursive: arguments.contains(PictureArguments.recursive))
  }

  /// Reads pictures with as many pixels as the arguments allow, a single one on two threads.
  package func makeReader() -> PictureReader {
    let threadCount = arguments[PictureArguments.threads] ?? environment.processorCount
    return PictureReader(
      environment: environment,
      pixelLimit: arguments[PictureArguments.pixelLimit] ?? DecodingLimits().pixelCount,
      pool: list.sources.count == 1 && threadCount > 1 ? WorkerPool(threadCount: 2) : nil)
  }

  /// Tells what is missing or passed over; false where no picture is left.
  package func begin() -> Bool {
    for note in list.notes { environment.note(note) }
    for error in list.errors { environment.report(error) }
    return !list.sources.isEmpty
  }

  /// Threads for the pictures.
  package func makeWork() -> OrderedWork {
    OrderedWork(
      partCount: list.sources.count,
      threadCount: arguments[PictureArguments.threads] ?? environment.processorCount)
  }

  /// Looks at every picture, and prints what came of each.
  ///
  /// - Parameters:
  ///   - work: the threads.
  ///   - title: what is done, for the bar of progress.
  ///   - format: how results are printed.
  ///   - columns: the names of a table's columns.
  ///   - perform: looks at a picture, which is the one of this number, from 1; on any thread.
  /// - Returns: `failure` where there was an error.
  /// - Throws: `ToolError` where results cannot be printed.
  package func run(
    on work: OrderedWork, title: String, as format: ResultFormat, columns: [String] = [],
    _ perform: (PictureSource, Int) -> Outcome
  ) throws(ToolError) -> CallStatus {
    var status: CallStatus = list.errors.isEmpty ? .success : .failure
    var progress = ProgressBar(environment, title: title, total: list.sources.count)
    defer { progress.clear() }
    var isFirst = true
    try environment.print(format.beginning(columns: columns))
    try work.run(count: list.sources.count) { index in
      perform(list.sources[index], index + 1)
    } _: { (index, outcome) throws(ToolError) in
      if let text = outcome.text, !text.isEmpty {
        if environment.isOutputTerminal { progress.clear() }
        try environment.print(format.separator(isFirst: isFirst) + text)
        isFirst = false
      }
      if let error = outcome.error {
        progress.clear()
        environment.report(error)
        status = .failure
      }
      progress.show(index + 1, list.sources[index].name)
    }
    try environment.print(format.end)
    return status
  }

  /// The copies that options ask for, each nil for none, with their folders.
  ///
  /// - Parameters:
  ///   - destinations: what the user asked for, what the copies are, and what the user calls them.
  ///   - others: what is read besides the pictures.
  /// - Throws: `ToolError.usage` or `.file` where copies cannot or must not be written there.
  package func copies(
    _ destinations: [(destination: String?, format: CopyFormat?, option: String)],
    besides others: [String] = []
  ) throws(ToolError) -> [AnnotatedCopies?] {
    var copies = [AnnotatedCopies?](repeating: nil, count: destinations.count)
    guard !list.sources.isEmpty else { return copies }
    var plan = OutputPlan(arguments)
    plan.read(list.paths)
    plan.read(others)
    for (index, wanted) in destinations.enumerated() {
      guard let destination = wanted.destination else { continue }
      let next = try AnnotatedCopies(
        destination, as: wanted.format, for: list, option: wanted.option)
      next.declare(in: &plan)
      copies[index] = next
    }
    try plan.check()
    for copy in copies { try copy?.prepare() }
    return copies
  }
}
