internal import DiceGeometry

/// Finds places for labels beside their boxes, where they cover little of what is there already.
struct TagPlacement {
  private let frame: BoundingBox
  private let boxes: [BoundingBox]
  private let gap: Double
  private var tags: [BoundingBox] = []

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
  /// inside at the top, below, inside at the bottom, right and left of the box.
  mutating func place(width: Double, height: Double, for index: Int) -> BoundingBox {
    let box = boxes[index].clipped(to: frame)
    let (left, right) = (box.minX - gap / 2, box.maxX + gap / 2 - width)
    let (above, below) = (box.minY - gap - height, box.maxY + gap)
    let (top, bottom) = (box.minY + gap, box.maxY - gap - height)
    let corners = [
      (left, above), (right, above), (left, top), (left, below), (right, below), (left, bottom),
      (box.maxX + gap, box.minY), (box.minX - gap - width, box.minY),
    ]
    var best = BoundingBox.zero
    var lowest = Double.infinity
    for (rank, corner) in corners.enumerated() {
      let wanted = BoundingBox(x: corner.0, y: corner.1, width: width, height: height)
      let tag = wanted.moved(into: frame)
      let moved = (tag.x - wanted.x).magnitude + (tag.y - wanted.y).magnitude
      // Areas in units of the label: a pile of labels is worst, then hiding what a box shows.
      var cost = 0.03 * Double(rank) + 0.5 * moved / max(height, 1)
      for other in tags { cost += 6 * Self.sharedArea(tag, other) / tag.area }
      for (i, other) in boxes.enumerated() {
        cost += (i == index ? 0.7 : 1) * Self.sharedArea(tag, other) / tag.area
      }
      if cost < lowest {
        lowest = cost
        best = tag
      }
    }
    tags.append(best)
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
