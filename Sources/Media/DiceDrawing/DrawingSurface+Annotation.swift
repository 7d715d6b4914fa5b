public import DiceGeometry
public import DiceImaging

/// A box around something found, and what to write beside it.
public struct BoxAnnotation: Hashable, Sendable {
  /// The box in pixels.
  public var box: BoundingBox
  /// The text of the label; nil or empty for none.
  public var label: String?
  /// What is written in place of `label` where labels would cover each other or what they stand
  /// for; nil keeps the label.
  public var shortLabel: String?
  /// The colour of the outline and the label.
  public var color: PixelColor

  /// An annotation with the given parts.
  public init(
    box: BoundingBox, label: String? = nil, shortLabel: String? = nil, color: PixelColor
  ) {
    self.box = box
    self.label = label
    self.shortLabel = shortLabel
    self.color = color
  }
}

extension DrawingSurface {
  /// The frame of the picture, in pixels.
  var frame: BoundingBox {
    BoundingBox(x: 0, y: 0, width: Double(width), height: Double(height))
  }

  /// The width of outlines that suits the picture: 1/320 of its shorter side, at least 1.5 pixels.
  public var suitableLineWidth: Double { max(1.5, Double(min(width, height)) / 320) }

  /// The size of labels that suits the picture: 1/32 of its shorter side, at least 11 pixels.
  public var suitableTextSize: Double { max(11, Double(min(width, height)) / 32) }

  /// Draws a box around something found, with a label.
  ///
  /// As `drawBoxes(_:lineWidth:textSize:)` with one annotation. To draw several, hand them over
  /// together, so that labels keep out of each other's way.
  ///
  /// - Parameters:
  ///   - box: The box in pixels.
  ///   - label: The text of the label; nil or empty for none.
  ///   - color: The colour of the outline and the label.
  ///   - lineWidth: The width of the outline; nil for one that suits the picture.
  ///   - textSize: The size of the label; nil for one that suits the picture and the box.
  public mutating func drawBox(
    _ box: BoundingBox, label: String? = nil, color: PixelColor, lineWidth: Double? = nil,
    textSize: Double? = nil
  ) {
    drawBoxes(
      [BoxAnnotation(box: box, label: label, color: color)], lineWidth: lineWidth,
      textSize: textSize)
  }

  /// Draws boxes around things found, and then their labels.
  ///
  /// Outlines have rounded corners and a dark edge that keeps them visible on any background. A
  /// label stands above its box where it can; where another label or box is in the way, or the
  /// border of the picture, it moves to the place around or inside its box where it covers least.
  /// Where labels would still cover each other, or much of the boxes, all of them become smaller or
  /// short. Labels stay in the picture; one that is wider than the picture keeps its start. A box
  /// that is not proper or wholly outside is left out, with its label.
  ///
  /// - Parameters:
  ///   - annotations: What to draw, the first at the bottom.
  ///   - lineWidth: The width of the outlines; nil for one that suits the picture.
  ///   - textSize: The size of the labels; nil for one that suits the picture, each box and the
  ///     number of labels.
  /// - Complexity: quadratic in the number of labels.
  public mutating func drawBoxes(
    _ annotations: [BoxAnnotation], lineWidth: Double? = nil, textSize: Double? = nil
  ) {
    let line = lineWidth ?? suitableLineWidth
    guard line > 0, line.isFinite else { return }
    let visible = annotations.filter { annotation in
      let box = annotation.box
      return box.isProper && box.maxX >= 0 && box.maxY >= 0 && box.minX <= frame.maxX
        && box.minY <= frame.maxY
    }
    let layout = TagLayout.best(
      for: visible, in: frame, lineWidth: line, textSize: textSize, suitable: suitableTextSize)
    for annotation in visible {
      drawGroup(titled: annotation.label ?? "") { (surface) in
        surface.drawOutline(annotation.box, color: annotation.color, lineWidth: line)
      }
    }
    for tag in layout.tags {
      drawGroup(titled: tag.text) { (surface) in
        surface.drawTag(
          tag.text, in: tag.box, color: visible[tag.index].color, textSize: tag.textSize,
          lineWidth: line)
      }
    }
  }

  /// Draws an outline with a dark edge, its inside laid over lightly.
  private mutating func drawOutline(_ box: BoundingBox, color: PixelColor, lineWidth: Double) {
    let edge = max(1, lineWidth / 3)
    let radius = min(max(box.width, box.height) * 0.08, 5 * lineWidth)
    fill(box, cornerRadius: radius, color: color.withOpacity(0.12))
    stroke(
      box, cornerRadius: radius, lineWidth: lineWidth + 2 * edge,
      color: PixelColor.black.withOpacity(0.45))
    stroke(box, cornerRadius: radius, lineWidth: lineWidth, color: color)
  }

  /// Draws a label with its top-left corner at a point, moved to stay in the picture: text on a
  /// filled box with round corners.
  ///
  /// - Parameters:
  ///   - text: One line of text.
  ///   - origin: Where the label's top-left corner should lie.
  ///   - color: The colour of the label; the text is dark or white.
  ///   - textSize: The size of the text in pixels; nil for one that suits the picture.
  public mutating func drawTag(
    _ text: String, at origin: PixelPoint, color: PixelColor, textSize: Double? = nil
  ) {
    let size = min(textSize ?? suitableTextSize, Canvas.maximumTextSize)
    guard origin.x.isFinite, origin.y.isFinite, size > 0, !text.isEmpty else { return }
    let extent = TagLayout.extent(of: text, textSize: size)
    let tag = BoundingBox(x: origin.x, y: origin.y, width: extent.width, height: extent.height)
    drawTag(
      text, in: tag.moved(into: frame), color: color, textSize: size,
      lineWidth: suitableLineWidth)
  }

  private mutating func drawTag(
    _ text: String, in tag: BoundingBox, color: PixelColor, textSize: Double, lineWidth: Double
  ) {
    let radius = min(tag.height * 0.28, 5 * max(lineWidth, 1))
    let edge = max(1, lineWidth / 3)
    stroke(
      tag, cornerRadius: radius, lineWidth: 2 * edge, color: PixelColor.black.withOpacity(0.45))
    fill(tag, cornerRadius: radius, color: color)
    drawText(
      text,
      at: PixelPoint(
        x: tag.minX + TagLayout.padding.across * textSize,
        y: tag.maxY - TagLayout.padding.down * textSize),
      size: textSize, weight: .bold, color: color.textColor)
  }
}
