internal import DiceCommandLine
internal import DiceFinders

/// What is done for each picture, on any thread.
struct PictureDetection {
  let finder: any DieFinder
  let reader: PictureReader
  let request: FinderRequest
  let printer: ReadingPrinter
  let copies: AnnotatedCopies?
  var crops: DieCrops?

  /// Reads a picture, finds its dice and writes its copy.
  ///
  /// - Parameter number: which of the pictures it is, from 1.
  func perform(_ source: PictureSource, number: Int) -> PictureWalk.Outcome {
    var outcome = PictureWalk.Outcome()
    do throws(ToolError) {
      var (picture, reading) = try finder.dice(
        of: source, by: reader, keepsAlpha: copies != nil || crops != nil, request)
      reading.timings.insert(
        contentsOf: [
          PictureReading.Timing(name: "file", seconds: picture.readingSeconds),
          PictureReading.Timing(name: "image", seconds: picture.decodingSeconds),
        ], at: 0)
      outcome.text = printer.text(for: reading, of: source.name, number: number)
      if copies != nil || crops != nil {
        var image = try reader.full(picture, of: source)
        if let orientation = request.orientation { image.orientation = orientation }
        try copies?.write(
          image, reading, region: request.regionOfInterest, from: source,
          colorProfile: picture.colorProfile)
        try crops?.write(image, reading.dice, from: source)
      }
    } catch {
      outcome.error = error
    }
    return outcome
  }
}
