/// A connected part of the picture that differs from what was there before.
///
/// Places are in samples of the reduced plane, without the camera's shake: those of the plane less its
/// shift.
struct Blob: Sendable {
  var x = 0.0
  var y = 0.0
  /// Samples.
  var area = 0.0
  /// The sum of the differences.
  var mass = 0.0
  /// The same with signs, as a share: 1 brighter than before, −1 darker.
  var sign = 0.0
  /// The largest difference.
  var peak = 0.0
  /// The longer side of its box.
  var extent = 0.0
  /// How many blobs there are around it on a sample.
  var density = 0.0
  /// The flight that it belongs to, or 0.
  var owner = 0

  /// The radius of a circle of the same area.
  var radius: Double { (area / .pi).squareRoot() }
}

/// Finds the blobs of a difference picture by its runs.
struct BlobFinder: Sendable {
  /// The most blobs of a frame; of more, those with the largest mass stay.
  static let blobLimit = 96
  private static let runLimit = 6000

  private struct Run {
    var start: Int32
    var end: Int32
    var part: Int32
  }
  private struct Part {
    var parent: Int32
    var area: Int32 = 0
    var mass: Int64 = 0
    var signed: Int64 = 0
    var momentX: Int64 = 0
    var momentY: Int64 = 0
    var peak: Int32 = 0
    var left: Int32
    var right: Int32
    var top: Int32
    var bottom: Int32
  }

  private var above: [Run] = []
  private var here: [Run] = []
  private var parts: [Part] = []

  init() {
    above.reserveCapacity(1024)
    here.reserveCapacity(1024)
    parts.reserveCapacity(Self.runLimit)
  }

  /// Finds blobs.
  ///
  /// - Parameters:
  ///   - differences: Signed, 0 where nothing changed, row by row.
  ///   - shift: Is taken from the places.
  ///   - blobs: Takes what was found, in place of what it had.
  mutating func find(
    in differences: [Int16], width: Int, height: Int, minimumPeak: Int,
    radii: ClosedRange<Double>, shift: (x: Double, y: Double), into blobs: inout [Blob]
  ) {
    blobs.removeAll(keepingCapacity: true)
    collect(differences, width: width, height: height)
    for index in parts.indices where parts[index].parent == Int32(index) {
      let part = parts[index]
      guard Int(part.peak) >= minimumPeak else { continue }
      let box = (
        Double(part.right - part.left), Double(part.bottom - part.top + 1)
      )
      var blob = Blob()
      blob.area = Double(part.area)
      guard part.area >= 3, radii.contains(blob.radius) else { continue }
      let (long, short) = (max(box.0, box.1), min(box.0, box.1))
      guard long <= 4.5 * short, blob.area >= 0.3 * box.0 * box.1 else { continue }
      let mass = Double(part.mass)
      blob.mass = mass
      blob.x = Double(part.momentX) / mass + 0.5 - shift.x
      blob.y = Double(part.momentY) / mass + 0.5 - shift.y
      blob.sign = Double(part.signed) / mass
      blob.peak = Double(part.peak)
      blob.extent = long
      if blobs.count < Self.blobLimit {
        blobs.append(blob)
      } else {
        var least = 0
        for other in blobs.indices where blobs[other].mass < blobs[least].mass { least = other }
        if blobs[least].mass < mass { blobs[least] = blob }
      }
    }
    for index in blobs.indices {
      var count = 0.0
      for other in blobs.indices where other != index {
        let (x, y) = (blobs[other].x - blobs[index].x, blobs[other].y - blobs[index].y)
        if x * x + y * y < Self.neighbourhood * Self.neighbourhood { count += 1 }
      }
      blobs[index].density = count / (.pi * Self.neighbourhood * Self.neighbourhood)
    }
  }

  /// How far around a blob others count for its density.
  private static let neighbourhood = 26.0

  private mutating func collect(_ differences: [Int16], width: Int, height: Int) {
    parts.removeAll(keepingCapacity: true)
    above.removeAll(keepingCapacity: true)
    unsafe differences.withUnsafeBufferPointer { (differences) in
      for row in 0..<height {
        here.removeAll(keepingCapacity: true)
        let line = row * width
        var column = 0
        while column < width {
          if unsafe differences[line &+ column] == 0 {
            column &+= 1
            continue
          }
          let start = column
          var part = Part(
            parent: 0, left: Int32(start), right: 0, top: Int32(row), bottom: Int32(row))
          while column < width {
            let value = unsafe Int32(differences[line &+ column])
            if value == 0 { break }
            let size = abs(value)
            part.mass += Int64(size)
            part.signed += Int64(value)
            part.momentX += Int64(size) * Int64(column)
            part.peak = max(part.peak, size)
            column &+= 1
          }
          part.momentY = part.mass * Int64(row)
          part.area = Int32(column - start)
          part.right = Int32(column)
          guard parts.count < Self.runLimit else { return }
          let index = Int32(parts.count)
          part.parent = index
          parts.append(part)
          here.append(Run(start: Int32(start), end: Int32(column), part: index))
        }
        join()
        swap(&above, &here)
      }
    }
  }

  /// Joins the runs of a row with those above that they touch, at a side or a corner.
  private mutating func join() {
    var first = 0
    for run in here {
      while first < above.count, above[first].end < run.start { first += 1 }
      var index = first
      while index < above.count, above[index].start <= run.end {
        unite(run.part, above[index].part)
        index += 1
      }
    }
  }

  private mutating func root(_ index: Int32) -> Int32 {
    var index = index
    while parts[Int(index)].parent != index {
      let parent = parts[Int(index)].parent
      parts[Int(index)].parent = parts[Int(parent)].parent
      index = parent
    }
    return index
  }

  private mutating func unite(_ first: Int32, _ second: Int32) {
    let (a, b) = (root(first), root(second))
    guard a != b else { return }
    let (kept, other) = (Int(min(a, b)), Int(max(a, b)))
    let part = parts[other]
    parts[other].parent = Int32(kept)
    parts[kept].area += part.area
    parts[kept].mass += part.mass
    parts[kept].signed += part.signed
    parts[kept].momentX += part.momentX
    parts[kept].momentY += part.momentY
    parts[kept].peak = max(parts[kept].peak, part.peak)
    parts[kept].left = min(parts[kept].left, part.left)
    parts[kept].right = max(parts[kept].right, part.right)
    parts[kept].top = min(parts[kept].top, part.top)
    parts[kept].bottom = max(parts[kept].bottom, part.bottom)
  }
}
