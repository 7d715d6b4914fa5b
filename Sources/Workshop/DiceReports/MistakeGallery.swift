internal import DiceFiles
internal import DiceGeometry
package import DiceImaging
internal import DiceCodecs
internal import DiceDrawing
package import DiceEvaluation

/// The mistakes of an evaluation, each with the part of the picture where it was made.
package struct MistakeGallery {
  /// A mistake.
  struct Mistake {
    var setName: String
    var imageName: String
    /// The file of the picture.
    var path: String
    var outcome: ReadingOutcome
    /// The part of the picture around it; nil where it could not be had.
    var crop: Crop?
  }

  /// A part of a picture.
  struct Crop {
    /// JPEG.
    var bytes: [UInt8]
    /// What is shown, in pixels of the upright picture.
    var region: BoundingBox
  }

  /// How many mistakes are shown unless told.
  package static let standardCount = 60
  /// The most bytes of all parts of pictures together.
  static let byteLimit = 6 << 20
  /// The width and height of a part of a picture in pixels, at most.
  static let cropSide = 224

  /// The mistakes shown, the surest detections first.
  private(set) var mistakes: [Mistake] = []
  /// How many mistakes there are.
  private(set) var totalCount = 0
  let labels: [String]

  /// Collects the mistakes.
  ///
  /// - Parameters:
  ///   - sets: The sets, as they were evaluated.
  ///   - paths: For each set the file of each picture by its name.
  ///   - threshold: The lowest confidence of a detection.
  ///   - limit: The most mistakes to show.
  package init(
    _ sets: [EvaluationSet], paths: [[String: String]], labels: [String], threshold: Double,
    limit: Int
  ) {
    self.labels = labels
    var all: [Mistake] = []
    for (set, paths) in zip(sets, paths) {
      for image in set.images {
        for outcome in image.outcomes(confidenceThreshold: threshold) where outcome.kind != .right {
          all.append(
            Mistake(
              setName: set.name, imageName: image.name, path: paths[image.name] ?? "",
              outcome: outcome))
        }
      }
    }
    totalCount = all.count
    let order = all.indices.sorted { one, other in
      let (first, second) = (all[one].outcome.confidence, all[other].outcome.confidence)
      return first != second ? first > second : one < other
    }
    mistakes = order.prefix(max(0, limit)).map { all[$0] }
  }

  /// Cuts the parts out of the pictures, as long as there is room for them.
  ///
  /// - Parameter picture: the upright picture in a file; nil where it cannot be read any more, which
  ///   leaves its mistakes without one.
  package mutating func addCrops(from picture: (_ path: String) -> PixelImage?) {
    var byPath: [String: [Int]] = [:]
    var paths: [String] = []
    for (index, mistake) in mistakes.enumerated() {
      if byPath[mistake.path] == nil { paths.append(mistake.path) }
      byPath[mistake.path, default: []].append(index)
    }
    var byteCount = 0
    for path in paths {
      guard let picture = picture(path) else { continue }
      for index in byPath[path] ?? [] {
        guard let crop = Self.crop(picture, around: mistakes[index].outcome),
          byteCount + crop.bytes.count <= Self.byteLimit
        else { continue }
        byteCount += crop.bytes.count
        mistakes[index].crop = crop
      }
    }
  }

  /// The part of a picture around a mistake: its boxes and as much again around them.
  static func crop(_ picture: PixelImage, around outcome: ReadingOutcome) -> Crop? {
    let boxes = [
      outcome.truth?.boundingBox, outcome.reading?.boundingBox,
      outcome.doubtfulReading?.boundingBox,
    ].compactMap { $0 }.filter { $0.isProper }
    guard let first = boxes.first else { return nil }
    var (minX, minY, maxX, maxY) = (first.minX, first.minY, first.maxX, first.maxY)
    for box in boxes {
      (minX, minY) = (min(minX, box.minX), min(minY, box.minY))
      (maxX, maxY) = (max(maxX, box.maxX), max(maxY, box.maxY))
    }
    let side = min(
      max(1.7 * max(maxX - minX, maxY - minY), 48),
      Double(min(picture.width, picture.height)))
    let frame = BoundingBox(
      x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
    let wanted = BoundingBox(
      midX: (minX + maxX) / 2, midY: (minY + maxY) / 2, width: side, height: side)
    // Whole pixels inside the picture.
    let left = Int(max(0, min(wanted.minX, frame.maxX - side)))
    let top = Int(max(0, min(wanted.minY, frame.maxY - side)))
    let size = max(1, Int(side))
    guard left + size <= picture.width, top + size <= picture.height else { return nil }
    let part = picture.cropped(columns: left..<left + size, rows: top..<top + size)
    let small = size > cropSide ? part.resized(width: cropSide, height: cropSide) : part
    let colored = small.format == .rgb ? small : small.converted(to: .rgb)
    guard let bytes = try? JPEGEncoder.encode(colored, quality: 82, subsampling: .s420) else {
      return nil
    }
    return Crop(
      bytes: bytes,
      region: BoundingBox(
        x: Double(left), y: Double(top), width: Double(size), height: Double(size)))
  }

  // MARK: - Page

  /// Adds the mistakes to a page.
  func write(to page: inout Page, threshold: Double) {
    if totalCount == 0 {
      page.section("Mistakes", "There are none.")
      return
    }
    let shown =
      mistakes.count < totalCount
      ? "The \(mistakes.count) surest of \(totalCount)"
      : NumberText.count(totalCount, "mistake", "mistakes")
    page.section(
      "Mistakes",
      "\(shown), by confidence. Dashed white: the labelled box; in the value's colour: the detection. "
        + "Missed dice come by the surest detection that was below the threshold, if any.")
    page.markup.raw("<div class=\"shots\">\n")
    for mistake in mistakes { write(mistake, to: &page.markup) }
    page.markup.raw("</div>\n")
  }

  private func write(_ mistake: Mistake, to markup: inout MarkupWriter) {
    let outcome = mistake.outcome
    markup.raw("<figure>\n")
    if let crop = mistake.crop { write(crop, outcome, to: &markup) }
    markup.raw("<figcaption><b>")
    switch outcome.kind {
    case .confused:
      tag(outcome.truth?.classIndex, to: &markup)
      markup.raw(" read as ")
      tag(outcome.reading?.classIndex, to: &markup)
    case .missed:
      tag(outcome.truth?.classIndex, to: &markup)
      markup.raw(" missed")
    case .falsePositive, .right:
      markup.raw("no die, read as ")
      tag(outcome.reading?.classIndex, to: &markup)
    }
    markup.raw("</b> ")
    if let reading = outcome.reading {
      markup.text(NumberText.percent(reading.confidence))
    } else if let doubt = outcome.doubtfulReading {
      markup.raw("<span>almost ")
      markup.text("\(label(doubt.classIndex)), \(NumberText.percent(doubt.confidence))")
      markup.raw("</span>")
    }
    markup.raw("<small>")
    markup.text("\(mistake.setName): \(shortened(mistake.imageName))")
    markup.raw("</small></figcaption>\n</figure>\n")
  }

  private func write(
    _ crop: Crop, _ outcome: ReadingOutcome, to markup: inout MarkupWriter
  ) {
    let region = crop.region
    var drawing = SVGCanvas(
      width: Int(region.width), height: Int(region.height),
      backdrop: .embedded(bytes: crop.bytes, mediaType: .jpeg))
    let line = max(0.75, region.width / 90)
    func moved(_ box: BoundingBox) -> BoundingBox {
      box.translated(x: -region.x, y: -region.y)
    }
    if let reading = outcome.reading ?? outcome.doubtfulReading {
      let color = PixelColor.forValue(NumberText.integer(label(reading.classIndex)) ?? 0)
      let box = moved(reading.boundingBox)
      drawing.stroke(
        box, cornerRadius: 2 * line, lineWidth: 2 * line,
        color: PixelColor.black.withOpacity(0.5))
      drawing.stroke(box, cornerRadius: 2 * line, lineWidth: line, color: color)
    }
    if let truth = outcome.truth {
      drawing.strokeDashed(moved(truth.boundingBox), lineWidth: line, color: .white)
    }
    drawing.write(to: &markup)
    markup.raw("\n")
  }

  private func tag(_ classIndex: Int?, to markup: inout MarkupWriter) {
    if let classIndex { markup.valueTag(label(classIndex)) }
  }

  private func label(_ classIndex: Int) -> String {
    labels.indices.contains(classIndex) ? labels[classIndex] : "?"
  }

  /// The end of a long name, where names differ.
  private func shortened(_ name: String) -> String {
    name.count > 60 ? "…" + String(name.suffix(59)) : name
  }
}
