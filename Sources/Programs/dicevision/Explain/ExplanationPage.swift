internal import DiceNumerics
internal import DiceCodecs
internal import DiceDrawing
internal import DiceFiles
internal import DiceGeometry
internal import DiceImaging
internal import DiceVisionKit

/// The page of an explanation: the pictures that the networks saw, and what they made of them.
struct ExplanationPage {
  let report: ExplanationReport
  let network: ReportedNetwork
  /// The picture, upright and in colour.
  let picture: PixelImage

  /// The most passes that are shown.
  static let passLimit = 7
  /// The most proposals that are listed, the surest ones.
  static let proposalLimit = 120
  /// The longest side of the picture on the page.
  static let pictureSide = 1400

  /// A page of an explanation.
  ///
  /// - Parameters:
  ///   - report: the explanation.
  ///   - network: the network that is explained.
  ///   - picture: the picture, upright and in colour.
  init(report: ExplanationReport, network: ReportedNetwork, picture: PixelImage) {
    self.report = report
    self.network = network
    self.picture = picture
  }

  private var explanation: DetectionExplanation { report.explanation }

  /// The whole file.
  ///
  /// - Parameter program: the name and the version of the program that makes it.
  func file(madeBy program: String) -> [UInt8] {
    let name = report.name.split(separator: "/").last.map { String($0) } ?? report.name
    var page = Page(title: "How \(name) was read")
    page.element(
      "p",
      "\(network.name), weights \(NumberText.hexadecimal(network.checksum)), input "
        + "\(network.inputWidth) x \(network.inputHeight). Detections of confidence "
        + "\(share(explanation.thresholds.confidenceThreshold)) or more; boxes that "
        + "overlap by more than \(share(explanation.thresholds.iouThreshold)) compete.")
    let dice = explanation.result.values
    let values =
      dice.count > 10 ? "\(dice.count) dice" : dice.map { "\($0)" }.joined(separator: " ")
    page.facts([
      (
        values.isEmpty ? "no dice" : values,
        dice.count > 10 ? "are kept" : "values from left to right"
      ),
      ("\(explanation.result.sum)", "sum"),
      (
        "\(explanation.passes.count)",
        explanation.passes.count == 1 ? "pass over the picture" : "passes over the picture"
      ),
      ("\(explanation.proposals.count)", "proposals of the detector"),
      ("\(explanation.classifications.count)", "of them read once more"),
    ])
    writePicture(to: &page)
    writePasses(to: &page)
    if explanation.hasSecondStage { writeClassifications(to: &page) }
    writeProposals(to: &page)
    return page.finished(by: program)
  }

  /// A share as few digits as it needs: thresholds come in single precision.
  private func share(_ value: Double) -> String {
    NumberText.short(NumberText.rounded(value, decimals: 4))
  }

  private func percent(_ value: Double) -> String {
    "\(NumberText.fixed(100 * value, decimals: 1)) %"
  }

  // MARK: - The picture

  private func writePicture(to page: inout Page) {
    page.section("The result")
    let shown = reduced(picture, to: Self.pictureSide)
    page.markup.raw("<svg width=\"0\" height=\"0\" style=\"position:absolute\"><defs>")
    page.markup.raw("<image id=\"picture\" preserveAspectRatio=\"none\"")
    page.markup.attribute("width", Double(picture.width))
    page.markup.attribute("height", Double(picture.height))
    writeAddress(of: shown, to: &page.markup)
    page.markup.raw("/></defs></svg>\n")
    page.grid { page in
      page.card("Kept") { markup in
        var drawing = SVGCanvas(width: picture.width, height: picture.height)
        drawing.drawBoxes(
          explanation.result.observations.map { die in
            BoxAnnotation(
              box: die.boundingBox,
              label: "\(die.value)  \(NumberText.percent(Double(die.confidence)))",
              shortLabel: "\(die.value)", color: .forValue(die.value))
          })
        write(drawing, over: "picture", to: &markup)
      }
      page.card("Proposed", report.proposalSummary + ".") { markup in
        var drawing = SVGCanvas(width: picture.width, height: picture.height)
        let line = 0.7 * drawing.suitableLineWidth
        // What is kept last, on top.
        for proposal in explanation.proposals.sorted(by: {
          Self.rank(of: finalFate(of: $0)) < Self.rank(of: finalFate(of: $1))
        }) {
          let fate = finalFate(of: proposal)
          drawing.drawGroup(
            titled: "\(ExplanationReport.short(proposal.scores)): "
              + ExplanationReport.words(proposal.fate)
          ) { surface in
            surface.stroke(
              proposal.boundingBox, cornerRadius: 2 * line, lineWidth: line,
              color: Self.color(of: fate))
          }
        }
        write(drawing, over: "picture", to: &markup)
        legend(to: &markup)
      }
    }
  }

  /// What became of a proposal in the end: of its classification, where it was classified.
  private func finalFate(
    of proposal: DetectionExplanation.Proposal
  ) -> DetectionExplanation.Fate {
    if case .classified(let index) = proposal.fate {
      return explanation.classifications[index].fate
    }
    return proposal.fate
  }

  private static func rank(of fate: DetectionExplanation.Fate) -> Int {
    switch fate {
    case .replacedByTiles, .classified: 0
    case .suppressed, .beyondLimit: 1
    case .belowThreshold, .refusedBySecondStage: 2
    case .kept: 3
    }
  }

  private static func color(of fate: DetectionExplanation.Fate) -> PixelColor {
    switch fate {
    case .kept: PixelColor(rgb: 0x2FD98B)
    case .belowThreshold, .refusedBySecondStage: PixelColor(rgb: 0xFF9419)
    case .suppressed, .beyondLimit: PixelColor(rgb: 0xFF5C8A)
    case .replacedByTiles, .classified: PixelColor(rgb: 0x66C6FF)
    }
  }

  private func legend(to markup: inout MarkupWriter) {
    markup.raw("<ul class=\"legend\">")
    for (fate, name) in [
      (DetectionExplanation.Fate.kept(0), "kept"), (.belowThreshold, "below the threshold"),
      (.suppressed(by: 0, overlap: 1), "suppressed"),
      (.replacedByTiles, "seen better in tiles"),
    ] {
      markup.raw("<li><i style=\"background:")
      markup.color(Self.color(of: fate))
      markup.raw("\"></i>")
      markup.text(name)
      markup.raw("</li>")
    }
    markup.raw("</ul>\n")
  }

  // MARK: - Passes

  private func writePasses(to page: inout Page) {
    let shown = explanation.passes.prefix(Self.passLimit)
    page.section(
      "What the network saw",
      "Its input: turned, cropped, scaled and padded. Over it, for each scale of cells, how likely "
        + "each cell holds the middle of a die: from violet, a few percent, to yellow."
        + (shown.count < explanation.passes.count
          ? " The first \(shown.count) of \(explanation.passes.count) passes." : ""))
    for (index, pass) in shown.enumerated() {
      page.markup.raw("<div class=\"card\" style=\"margin:14px 0\">\n")
      page.element("h3", "\(pass.round == 0 ? "First pass" : "Tile")")
      page.element("p", ExplanationReport.words(pass))
      page.markup.raw("<svg width=\"0\" height=\"0\" style=\"position:absolute\"><defs>")
      page.markup.raw("<image")
      page.markup.attribute("id", "pass\(index)")
      page.markup.attribute("width", Double(pass.input.width))
      page.markup.attribute("height", Double(pass.input.height))
      writeAddress(of: pass.input, to: &page.markup)
      page.markup.raw("/></defs></svg>\n<div class=\"shots passes\">\n")
      figure("Input", to: &page.markup) { markup in
        write(
          SVGCanvas(width: pass.input.width, height: pass.input.height), over: "pass\(index)",
          to: &markup)
      }
      for head in pass.heads {
        let greatest = Double(head.objectness.max() ?? 0)
        figure(
          "Cells of \(head.stride) pixels, at most \(NumberText.percent(greatest))",
          to: &page.markup
        ) { markup in
          let heat = SVGCanvas(
            width: pass.input.width, height: pass.input.height,
            backdrop: .embedded(
              bytes: PNGEncoder.encode(Self.heat(head)), mediaType: .png))
          write(heat, over: "pass\(index)", isCells: true, to: &markup)
        }
      }
      page.markup.raw("</div>\n</div>\n")
    }
  }

  /// A pixel for each cell of a head, in colour where it may hold a die.
  static func heat(_ head: DetectionExplanation.HeadMap) -> PixelImage {
    var samples: [UInt8] = []
    samples.reserveCapacity(4 * head.objectness.count)
    for value in head.objectness {
      let share = value.isNaN ? 0 : Double(min(max(value, 0), 1))
      // Roots lift what is faint; below one percent nothing is shown, and the input a little darker.
      let strength = share.squareRoot()
      let stops: [(Double, Double, Double)] = [(72, 20, 150), (225, 60, 100), (255, 236, 90)]
      let place = strength * 2
      let index = min(Int(place), 1)
      let part = place - Double(index)
      func mixed(_ a: Double, _ b: Double) -> UInt8 { UInt8(a + (b - a) * part) }
      let (a, b) = (stops[index], stops[index + 1])
      let isShown = share >= 0.01
      samples +=
        isShown
        ? [mixed(a.0, b.0), mixed(a.1, b.1), mixed(a.2, b.2), UInt8(110 + 130 * strength)]
        : [0, 0, 0, 70]
    }
    return PixelImage(
      width: head.width, height: head.height, format: .rgba, samples: samples)
  }

  // MARK: - Proposals

  private func writeProposals(to page: inout Page) {
    let order = explanation.proposals.indices.sorted { one, other in
      let (a, b) = (explanation.proposals[one], explanation.proposals[other])
      return a.scores.confidence != b.scores.confidence
        ? a.scores.confidence > b.scores.confidence : one < other
    }.prefix(Self.proposalLimit)
    page.section(
      "Proposals",
      order.count < explanation.proposals.count
        ? "The \(order.count) surest of \(explanation.proposals.count)."
        : "All that the detector proposed.")
    page.markup.raw("<div class=\"card\">\n")
    page.table(
      ["#", "value", "confidence", "objectness", "box", "pass, scale, cell", "what became of it"],
      order.map { index in
        let proposal = explanation.proposals[index]
        let box = proposal.boundingBox
        func whole(_ value: Double) -> String { NumberText.fixed(value, decimals: 0) }
        return [
          "\(index + 1)", "\(proposal.scores.value)",
          percent(Double(proposal.scores.confidence)),
          percent(Double(proposal.scores.objectness)),
          "\(whole(box.width)) x \(whole(box.height)) at \(whole(box.x)), \(whole(box.y))",
          "\(proposal.passIndex + 1), \(proposal.headIndex + 1), \(proposal.column) : "
            + "\(proposal.row)", ExplanationReport.words(proposal.fate),
        ]
      })
    page.markup.raw("</div>\n")
  }

  // MARK: - Second stage

  private func writeClassifications(to page: inout Page) {
    page.section(
      "What the second stage saw",
      "Each proposal once more, alone. Bars: how likely each value is, given that there is a die. "
        + "Fused: both say, in equal shares, whether there is a die, and the second stage which value it "
        + "shows. Rescored: beside dice of the same size a detection gains confidence, alone it loses. The "
        + "strip along a crop's left edge is drawn for the network: it tells how far down in the "
        + "picture the die lies."
    )
    page.markup.raw("<div class=\"grid\">\n")
    for (index, classification) in explanation.classifications.enumerated() {
      page.markup.raw("<div class=\"card\">\n")
      page.element(
        "h3", "Crop #\(index + 1): \(ExplanationReport.words(classification.fate))")
      page.markup.raw("<div style=\"display:flex;gap:14px;align-items:flex-start\">")
      page.markup.raw("<div style=\"flex:0 0 132px\">")
      writeCrop(classification, to: &page.markup)
      page.markup.raw("</div><div style=\"flex:1;min-width:0\">")
      let detector = explanation.proposals[classification.proposalIndex].scores
      for (who, scores) in [
        ("detector", detector), ("second stage", classification.scores),
        ("fused", classification.fused),
      ] {
        write(scores, of: who, to: &page.markup)
      }
      if let rescoring = classification.rescoring {
        page.markup.raw("<div style=\"font-size:13px\"><b>")
        page.markup.text("rescored")
        page.markup.raw("</b> ")
        page.markup.text(
          "\(NumberText.percent(Double(rescoring.confidence))), as far as there are dice like it: "
            + NumberText.percent(rescoring.support))
        page.markup.raw("</div>\n")
      }
      page.markup.raw("</div></div>\n</div>\n")
    }
    page.markup.raw("</div>\n")
  }

  private func writeCrop(
    _ classification: DetectionExplanation.Classification, to markup: inout MarkupWriter
  ) {
    let input = classification.input
    var drawing = SVGCanvas(
      width: input.width, height: input.height,
      backdrop: .embedded(bytes: jpeg(input), mediaType: .jpeg))
    let scale = Double(input.width) / max(classification.window.width, 1e-9)
    let box = classification.boundingBox.translated(
      x: -classification.window.x, y: -classification.window.y
    )
    .scaled(by: scale)
    drawing.stroke(
      box, cornerRadius: 2, lineWidth: 2.4, color: PixelColor.black.withOpacity(0.5))
    drawing.stroke(
      box, cornerRadius: 2, lineWidth: 1.2, color: .forValue(classification.fused.value))
    drawing.write(to: &markup)
  }

  /// Who thinks what: a line of words and a bar for each value.
  private func write(
    _ scores: DetectionExplanation.Scores, of who: String, to markup: inout MarkupWriter
  ) {
    markup.raw("<div style=\"font-size:13px;margin-bottom:8px\"><b>")
    markup.text(who)
    markup.raw("</b> ")
    markup.valueTag("\(scores.value)")
    markup.text(
      " \(NumberText.percent(Double(scores.confidence))), a die "
        + NumberText.percent(Double(scores.objectness)))
    markup.raw("<svg viewBox=\"0 0 240 24\" role=\"img\"")
    markup.attribute("aria-label", "probabilities of the values")
    markup.raw(">")
    let count = max(1, scores.probabilities.count)
    let step = 240 / Double(count)
    for (index, probability) in scores.probabilities.enumerated() {
      let share = Double(probability.isNaN ? 0 : min(max(probability, 0), 1))
      let label = index < report.labels.count ? report.labels[index] : "?"
      markup.raw("<g><title>")
      markup.text("\(label): \(NumberText.percent(share))")
      markup.raw("</title><rect style=\"fill:var(--hair)\" y=\"0\" height=\"24\" rx=\"3\"")
      markup.attribute("x", Double(index) * step)
      markup.attribute("width", step - 3)
      markup.raw("/><rect rx=\"3\"")
      markup.attribute("x", Double(index) * step)
      markup.attribute("y", 24 - 24 * share)
      markup.attribute("width", step - 3)
      markup.attribute("height", 24 * share)
      markup.raw(" style=\"fill:var(--v")
      markup.number(Double(index % 6 + 1))
      markup.raw(")\"/></g>")
    }
    markup.raw("</svg></div>\n")
  }

  // MARK: - Pictures

  private func figure(
    _ caption: String, to markup: inout MarkupWriter, _ content: (inout MarkupWriter) -> Void
  ) {
    markup.raw("<figure>\n")
    content(&markup)
    markup.raw("<figcaption>")
    markup.text(caption)
    markup.raw("</figcaption>\n</figure>\n")
  }

  /// A drawing over a picture that stands on the page already.
  private func write(
    _ drawing: SVGCanvas, over name: String, isCells: Bool = false,
    to markup: inout MarkupWriter
  ) {
    markup.raw("<div style=\"position:relative\"><svg")
    markup.raw(" viewBox=\"0 0 ")
    markup.numbers(Double(drawing.width), Double(drawing.height))
    markup.raw("\"><use")
    markup.attribute("href", "#\(name)")
    markup.raw("/></svg><div style=\"position:absolute;inset:0")
    if isCells { markup.raw(";image-rendering:pixelated") }
    markup.raw("\">")
    drawing.write(to: &markup)
    markup.raw("</div></div>\n")
  }

  private func writeAddress(of image: PixelImage, to markup: inout MarkupWriter) {
    markup.raw(" href=\"data:image/jpeg;base64,")
    markup.raw(Base64.encode(jpeg(image)))
    markup.raw("\"")
  }

  private func jpeg(_ image: PixelImage) -> [UInt8] {
    let colored = image.format == .rgb ? image : image.converted(to: .rgb)
    // Sides are those of a picture in memory, which JPEG can hold once they are reduced.
    return
      (try? JPEGEncoder.encode(
        reduced(colored, to: Self.pictureSide), quality: 86, subsampling: .s420)) ?? []
  }

  private func reduced(_ image: PixelImage, to side: Int) -> PixelImage {
    let longest = max(image.width, image.height)
    guard longest > side else { return image }
    let factor = Double(side) / Double(longest)
    return image.resized(
      width: max(1, Int(Double(image.width) * factor)),
      height: max(1, Int(Double(image.height) * factor)))
  }
}
