/// Tells what in a picture was not there in the last half second.
///
/// A sample has changed by as much as it lies outside the range that it had in the history, beyond a
/// threshold of noise and of a quarter of a sample's shift. The history is a few pictures, laid over
/// this one by their shifts, all of them old enough for what flies to have left its place.
struct ChangeDetector: Sendable {
  /// How long after its time a picture of the history counts, in seconds.
  static let leastAge = 0.17
  /// The time between pictures of the history, in seconds.
  static let interval = 0.09
  static let historyCount = 5

  private struct Snapshot: Sendable {
    var plane = ReducedPlane()
    var shift = ShakeEstimator.Shift()
    var time = -Double.infinity
  }

  private(set) var differences: [Int16] = []
  private(set) var noise = 32.0
  private var history: [Snapshot] = []
  private var next = 0
  private var high: [Int16] = []
  private var low: [Int16] = []
  private var histogram = [Int](repeating: 0, count: 512)

  /// Forgets all.
  mutating func reset(width: Int, height: Int) {
    if history.isEmpty {
      history = [Snapshot](repeating: Snapshot(), count: Self.historyCount + 2)
    }
    for index in history.indices {
      history[index].time = -.infinity
      history[index].plane.resize(width: width, height: height)
    }
    next = 0
    noise = 32
    differences = [Int16](repeating: 0, count: width * height)
    high = differences
    low = differences
  }

  /// Keeps a picture for later where the last one kept is old enough.
  mutating func remember(_ plane: ReducedPlane, shift: ShakeEstimator.Shift, time: Double) {
    let last = history[(next + history.count - 1) % history.count]
    guard time - last.time >= Self.interval else { return }
    history[next].plane.copy(plane)
    history[next].shift = shift
    history[next].time = time
    next = (next + 1) % history.count
  }

  /// Finds the changes.
  ///
  /// - Returns: Whether there is enough of a history.
  mutating func update(
    _ plane: ReducedPlane, shift: ShakeEstimator.Shift, time: Double
  ) -> Bool {
    var count = 0
    var index = next
    var border = 1
    for _ in history.indices where count < Self.historyCount {
      index = (index + history.count - 1) % history.count
      let age = time - history[index].time
      guard age.isFinite, age < 2 else { break }
      guard age >= Self.leastAge else { continue }
      let moved = (
        x: shift.x - history[index].shift.x, y: shift.y - history[index].shift.y
      )
      guard abs(moved.x) < Double(plane.width) / 4, abs(moved.y) < Double(plane.height) / 4 else {
        break
      }
      let brightness = shift.brightness - history[index].shift.brightness
      widen(
        by: history[index].plane, x: moved.x, y: moved.y,
        brightness: Int16(max(-2000, min(2000, brightness.rounded()))), isFirst: count == 0)
      border = max(border, Int(max(abs(moved.x), abs(moved.y)).rounded(.up)) + 1)
      count += 1
    }
    guard count >= 2 else { return false }
    compare(plane, border: border)
    return true
  }

  /// Widens the ranges by a picture of the history that is moved.
  private mutating func widen(
    by plane: ReducedPlane, x: Double, y: Double, brightness: Int16, isFirst: Bool
  ) {
    let (width, height) = (plane.width, plane.height)
    // What is at p now was at p − (x, y): whole steps, and eighths of one.
    let eighthsX = Int((-x * 8).rounded()), eighthsY = Int((-y * 8).rounded())
    let wholeX = eighthsX >> 3, wholeY = eighthsY >> 3
    let right = Int16(eighthsX & 7), down = Int16(eighthsY & 7)
    let from = max(0, -wholeX), to = min(width, width - wholeX - (right > 0 ? 1 : 0))
    let isWhole = right == 0 && down == 0
    unsafe plane.samples.withUnsafeBufferPointer { (samples) in
      unsafe high.withUnsafeMutableBufferPointer { (high) in
        unsafe low.withUnsafeMutableBufferPointer { (low) in
          let limit = height - (down > 0 ? 1 : 0)
          for row in 0..<height {
            let line = row * width
            let sourceRow = row + wholeY
            guard sourceRow >= 0, sourceRow < limit, from < to else {
              if isFirst { unsafe Self.open(&high, &low, line..<line + width) }
              continue
            }
            if isFirst {
              unsafe Self.open(&high, &low, line..<line + from)
              unsafe Self.close(&high, &low, line + from..<line + to)
              unsafe Self.open(&high, &low, line + to..<line + width)
            }
            let source = sourceRow * width + wholeX
            let above = unsafe samples.baseAddress! + source
            let top = unsafe high.baseAddress! + line
            let bottom = unsafe low.baseAddress! + line
            if isWhole {
              for column in from..<to {
                let value = unsafe above[column] &+ brightness
                unsafe top[column] = max(top[column], value)
                unsafe bottom[column] = min(bottom[column], value)
              }
            } else {
              let below = unsafe above + (down > 0 ? width : 0)
              let beside = right > 0 ? 1 : 0
              for column in from..<to {
                let (a, b) = unsafe (above[column], above[column &+ beside])
                let (c, d) = unsafe (below[column], below[column &+ beside])
                let upper = (a &* (8 &- right) &+ b &* right) >> 3
                let lower = (c &* (8 &- right) &+ d &* right) >> 3
                let value = (upper &* (8 &- down) &+ lower &* down) >> 3 &+ brightness
                unsafe top[column] = max(top[column], value)
                unsafe bottom[column] = min(bottom[column], value)
              }
            }
          }
        }
      }
    }
  }

  /// A range that nothing lies outside of.
  @unsafe
  private static func open(
    _ high: inout UnsafeMutableBufferPointer<Int16>,
    _ low: inout UnsafeMutableBufferPointer<Int16>, _ indices: Range<Int>
  ) {
    for index in indices {
      unsafe high[index] = 20_000
      unsafe low[index] = -20_000
    }
  }

  /// A range without values.
  @unsafe
  private static func close(
    _ high: inout UnsafeMutableBufferPointer<Int16>,
    _ low: inout UnsafeMutableBufferPointer<Int16>, _ indices: Range<Int>
  ) {
    for index in indices {
      unsafe high[index] = -20_000
      unsafe low[index] = 20_000
    }
  }

  private mutating func compare(_ plane: ReducedPlane, border: Int) {
    let (width, height) = (plane.width, plane.height)
    let base = Int16(min(2000, max(40, 3 * noise)))
    let border = min(border, min(width, height) / 2)
    unsafe differences.withUnsafeMutableBufferPointer { (differences) in
      unsafe plane.samples.withUnsafeBufferPointer { (samples) in
        unsafe high.withUnsafeBufferPointer { (high) in
          unsafe low.withUnsafeBufferPointer { (low) in
            for row in 0..<height {
              let line = row * width
              guard row >= border, row < height - border else {
                for column in 0..<width { unsafe differences[line &+ column] = 0 }
                continue
              }
              for column in 0..<border {
                unsafe differences[line &+ column] = 0
                unsafe differences[line &+ width &- 1 &- column] = 0
              }
              for column in border..<max(width - border, border) {
                let index = line &+ column
                let across = unsafe abs(samples[index &+ 1] &- samples[index &- 1])
                let along = unsafe abs(samples[index &+ width] &- samples[index &- width])
                let threshold = base &+ (across &+ along) >> 3
                let value = unsafe samples[index]
                let above = unsafe max(value &- high[index] &- threshold, 0)
                let below = unsafe max(low[index] &- value &- threshold, 0)
                unsafe differences[index] = above &- below
              }
            }
          }
        }
      }
    }
  }

  /// Measures the noise: the difference of a picture from the one before, of the middle of all samples.
  mutating func measureNoise(
    _ plane: ReducedPlane, _ earlier: ReducedPlane, x: Double, y: Double, brightness: Double
  ) {
    let (width, height) = (plane.width, plane.height)
    let wholeX = Int(x.rounded()), wholeY = Int(y.rounded())
    for index in histogram.indices { histogram[index] = 0 }
    let samples = plane.samples.span
    let others = earlier.samples.span
    var count = 0
    for row in stride(from: 2, to: height, by: 5) {
      let otherRow = row - wholeY
      guard otherRow >= 0, otherRow < height else { continue }
      for column in stride(from: row % 3, to: width, by: 3) {
        let otherColumn = column - wholeX
        guard otherColumn >= 0, otherColumn < width else { continue }
        let difference =
          Int(samples[row * width + column]) - Int(others[otherRow * width + otherColumn])
          - Int(brightness)
        histogram[min(abs(difference), histogram.count - 1)] += 1
        count += 1
      }
    }
    guard count > 0 else { return }
    var sum = 0
    var median = 0
    while median < histogram.count - 1 {
      sum += histogram[median]
      if 2 * sum >= count { break }
      median += 1
    }
    // The median of a normal distribution's magnitudes is 0.6745 of its deviation; of two samples.
    let deviation = (Double(median) + 0.5) / 0.6745 / 1.4142
    noise += (deviation - noise) * 0.2
  }
}
