internal import DiceKernels

/// Functions of all numbers of a map whose pixels lie side by side without gaps, like its rows in the
/// input: each row is one long pixel.
struct NarrowActivation {
  /// As many numbers of a row as whole vectors have.
  private let body: MapTask
  /// The rest of a row.
  private let tail: MapTask
  private let functions: [ActivationFunction]

  /// The numbers of a row.
  var width: Int { body.channelCount + tail.channelCount }

  /// - Parameters:
  ///   - map: From the pixels of the input to those of the output.
  ///   - pixel: The numbers of a pixel, in both.
  ///   - functions: What is applied, in order; none has a number for each channel.
  init(_ map: MapTask, pixel: Int, _ functions: [ActivationFunction]) {
    let count = map.width * pixel
    var body = map
    (body.width, body.channelCount) = (1, count / channelGranularity * channelGranularity)
    var tail = body
    tail.input = body.input.advanced(by: body.channelCount)
    tail.output = body.output.advanced(by: body.channelCount)
    tail.channelCount = count - body.channelCount
    self.body = body
    self.tail = tail
    self.functions = functions.isEmpty ? [.identity] : functions
  }

  /// Does some rows.
  func perform(rows: Range<Int>, _ backend: Backend) {
    for row in rows {
      var (body, tail) = (body, tail)
      for function in functions {
        backend.activate(body, function, rows: row..<row + 1)
        ReferenceKernels.activate(tail, function, rows: row..<row + 1)
        (body.input, body.inputRowStep) = (body.output, body.outputRowStep)
        (tail.input, tail.inputRowStep) = (tail.output, tail.outputRowStep)
      }
    }
  }
}
