internal import DiceGeometry

/// Finds places for labels beside their boxes, where they cover little of what is there already.
struct TagPlacement {
  private let frame: BoundingBox
  private let boxes: [BoundingBox]
  private let gap: Double
  private var tags: [BoundingBox] = []
  /// How much of labels lies over other labels, in units of a label.
  private(set) var piled = 0.0
  /// How much of labels lies over boxes, in units of a label.
  private(set) var covered = 0.0

  /// - Parameters:
  ///   - frame: What labels stay inside.
  ///   - boxes: All boxes, with or without a label.
  ///   - gap: The room between a box and its label.
  init(frame: BoundingBox, boxes: [BoundingBox], gap: Double) {
    self.frame = frame
    self.boxes = boxes
    self.gap = gap
  }

  /// Takes the best place for the label of a box; of equal ones the first in the order above,
  /// inside at the top, below, inside at the bottom, right and left of the box, at its top or bottom.
  mutating func place(width: Double, height: Double, for index: Int) -> BoundingBox {
    let box = boxes[index].clipped(to: frame)
    let (left, right) = (box.minX - gap / 2, box.maxX + gap / 2 - width)
    let (above, below) = (box.minY - gap - height, box.maxY + gap)
    let (top, bottom) = (box.minY + gap, box.maxY - gap - height)
    let corners = [
      (left, above), (right, above), (left, top), (left, below), (right, below), (left, bottom),
      (box.maxX + gap, box.minY), (box.minX - gap - width, box.minY),
      (box.maxX + gap, box.maxY - height), (box.minX - gap - width, box.maxY - height),
      (box.midX - width / 2, above), (box.midX - width / 2, below),
    ]
    var best = BoundingBox.zero
    var lowest = Double.infinity
    var shares = (piled: 0.0, covered: 0.0)
    for (rank, corner) in corners.enumerated() {
      let wanted = BoundingBox(x: corner.0, y: corner.1, width: width, height: height)
      let tag = wanted.moved(into: frame)
      let moved = (tag.x - wanted.x).magnitude + (tag.y - wanted.y).magnitude
      // Areas in units of the label: a pile of labels is worst, then hiding what a box shows.
      var cost = 0.03 * Double(rank) + 0.5 * moved / max(height, 1)
      var (piled, covered) = (0.0, 0.0)
      for other in tags { piled += Self.sharedArea(tag, other) / tag.area }
      for (i, other) in boxes.enumerated() {
        covered += (i == index ? 0.7 : 1) * Self.sharedArea(tag, other) / tag.area
      }
      cost += 6 * piled + covered
      if cost < lowest {
        lowest = cost
        best = tag
        shares = (piled, covered)
      }
    }
    tags.append(best)
    piled += shares.piled
    covered += shares.covered
    return best
  }

  private static func sharedArea(_ a: BoundingBox, _ b: BoundingBox) -> Double {
    let width = min(a.maxX, b.maxX) - max(a.minX, b.minX)
    let height = min(a.maxY, b.maxY) - max(a.minY, b.minY)
    return width > 0 && height > 0 ? width * height : 0
  }
}

extension BoundingBox {
  /// The box moved into a frame; where it is larger than the frame, its left or upper edge wins.
  func moved(into frame: BoundingBox) -> BoundingBox {
    BoundingBox(
      x: max(frame.minX, min(x, frame.maxX - width)),
      y: max(frame.minY, min(y, frame.maxY - height)), width: width, height: height)
  }
}
