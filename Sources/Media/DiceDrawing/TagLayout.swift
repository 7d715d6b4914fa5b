internal import DiceGeometry

/// Where the labels of boxes stand, and how large they are.
struct TagLayout {
  /// A label in its place.
  struct Tag {
    /// Which annotation it belongs to.
    var index: Int
    var text: String
    var box: BoundingBox
    var textSize: Double
  }

  /// The labels in the order of their annotations.
  private(set) var tags: [Tag] = []
  /// How much labels are in the way, in units of a label for each label.
  private(set) var disorder = 0.0

  /// Room around the text of a label, as a share of its size.
  static let padding = (across: 0.38, down: 0.28)

  /// The size of a label.
  static func extent(of text: String, textSize: Double) -> (width: Double, height: Double) {
    (
      Canvas.width(of: text, size: textSize) + 2 * padding.across * textSize,
      Canvas.capHeight(size: textSize) + 2 * padding.down * textSize
    )
  }

  /// Whether no better layout is looked for: labels do not touch, and cover hardly anything.
  private var isInOrder: Bool { !isPiled && disorder <= 0.12 }
  /// Whether labels lie over each other by more than a corner.
  private var isPiled = false

  /// The first layout in good order: long labels, then smaller, then short ones; the one in the best
  /// order where none is good.
  ///
  /// - Parameters:
  ///   - annotations: What is labelled; those without a label are in the way all the same.
  ///   - frame: The picture.
  ///   - lineWidth: The width of outlines.
  ///   - textSize: The size of every label; nil looks for one.
  ///   - suitable: The size that suits the picture.
  static func best(
    for annotations: [BoxAnnotation], in frame: BoundingBox, lineWidth: Double,
    textSize: Double?, suitable: Double
  ) -> TagLayout {
    let hasShort = annotations.contains { $0.shortLabel != nil && $0.shortLabel != $0.label }
    var attempts: [(factor: Double, isShort: Bool)] = [(1, false), (0.8, false)]
    if hasShort { attempts += [(1, true), (0.8, true)] }
    attempts.append((0.62, hasShort))
    if textSize != nil { attempts = hasShort ? [(1, false), (1, true)] : [(1, false)] }
    var best: TagLayout?
    for attempt in attempts {
      let layout = TagLayout(annotations, frame, lineWidth, isShort: attempt.isShort) { box in
        if let textSize { return textSize }
        // Large dice have larger labels; the smallest can still be read where the whole
        // picture is seen at once.
        let share = min(box.width, box.height) * 0.3
        return max(
          11 * min(1, attempt.factor * 1.2),
          min(max(share, 0.6 * suitable), suitable)
            * attempt.factor)
      }
      if layout.isInOrder { return layout }
      if layout.disorder < best?.disorder ?? .infinity { best = layout }
    }
    return best ?? TagLayout()
  }

  private init() {}

  private init(
    _ annotations: [BoxAnnotation], _ frame: BoundingBox, _ lineWidth: Double, isShort: Bool,
    textSize: (BoundingBox) -> Double
  ) {
    var placement = TagPlacement(
      frame: frame, boxes: annotations.map { $0.box },
      gap: lineWidth / 2 + max(1, lineWidth / 3))
    for (index, annotation) in annotations.enumerated() {
      let long = annotation.label ?? ""
      let text = isShort ? annotation.shortLabel ?? long : long
      let size = min(textSize(annotation.box), Canvas.maximumTextSize)
      guard !text.isEmpty, size > 0 else { continue }
      let extent = Self.extent(of: text, textSize: size)
      let box = placement.place(width: extent.width, height: extent.height, for: index)
      tags.append(Tag(index: index, text: text, box: box, textSize: size))
    }
    if !tags.isEmpty {
      disorder = (4 * placement.piled + placement.covered) / Double(tags.count)
      isPiled = placement.piled > 0.05
    }
  }
}
