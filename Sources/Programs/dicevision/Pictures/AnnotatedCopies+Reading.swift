internal import DiceCodecs
internal import DiceCommandLine
internal import DiceDrawing
internal import DiceFiles
internal import DiceFinders
internal import DiceGeometry
internal import DiceImaging

extension AnnotatedCopies {
  /// Writes the copy of a picture.
  ///
  /// - Parameters:
  ///   - image: the picture, whose orientation says how it stands.
  ///   - reading: what was found.
  ///   - region: where was looked; nil for everywhere.
  ///   - source: where the picture came from.
  ///   - colorProfile: what the picture's samples mean, which a copy keeps.
  /// - Throws: `ToolError.file` or `.failure`.
  func write(
    _ image: PixelImage, _ reading: PictureReading, region: NormalizedRect?,
    from source: PictureSource, colorProfile: ColorProfile?
  ) throws(ToolError) {
    try write(
      image, titled: title(of: source, reading), from: source, colorProfile: colorProfile,
      ReadingOverlay(reading: reading, region: region))
  }

  private func title(of source: PictureSource, _ reading: PictureReading) -> String {
    let values = reading.dice.map { reading.name(of: $0) }.joined(separator: " ")
    let result =
      reading.namesObjects
      ? reading.dice.isEmpty ? "no objects" : values
      : reading.dice.isEmpty ? "no dice" : "\(values), sum \(reading.sum)"
    if case .file(let path) = source { return "\(Paths.lastComponent(of: path)): \(result)" }
    return result
  }
}

/// What was found in a picture, as boxes with labels.
struct ReadingOverlay: Overlay {
  let reading: PictureReading
  /// Where was looked; nil for everywhere.
  let region: NormalizedRect?

  func draw<Surface: DrawingSurface>(on surface: inout Surface) {
    if let region {
      surface.stroke(
        region.toImageCoordinates(width: surface.width, height: surface.height), cornerRadius: 0,
        lineWidth: surface.suitableLineWidth, color: PixelColor.white.withOpacity(0.7))
    }
    // The surest last, on top.
    surface.drawBoxes(
      reading.dice.sorted { $0.confidence < $1.confidence }.map { die in
        BoxAnnotation(
          box: die.boundingBox,
          label: "\(reading.name(of: die))  \(NumberText.percent(die.confidence))",
          shortLabel: reading.name(of: die), color: .forValue(die.value))
      })
  }
}
