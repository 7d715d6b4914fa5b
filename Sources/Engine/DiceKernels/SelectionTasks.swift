public import DiceKernelTemplates

/// The places of the greatest numbers along the columns.
///
/// `output[y, k, c]` is the column of the number that is in place `k` when the numbers
/// `input[y, 0..<inputWidth, c]` are sorted, the greatest first, of equal ones the first; NaN is less than
/// all numbers.
@safe public struct RankingTask {
  /// The first pixel of the input and of the output, which do not overlap, and their steps.
  ///
  /// `width` is the output's, at most the input's.
  public var map: MapTask
  /// Columns of the input, at most 2²⁴.
  public var inputWidth: Int
  /// For each channel of the input its place in a pixel.
  public var inputSlots: [Int]
  /// For each channel of the output its place in a pixel.
  public var outputSlots: [Int]

  /// A task of the given parts.
  public init(map: MapTask, inputWidth: Int, inputSlots: [Int], outputSlots: [Int]) {
    self.map = map
    self.inputWidth = inputWidth
    self.inputSlots = inputSlots
    self.outputSlots = outputSlots
  }
}

/// Columns that a second map names.
///
/// `output[y, x, c] = input[y, p, c]`, where `p` is `places[y, x, c]`, or `places[y, x, 0]` where that map
/// has one channel, rounded down and limited to `0..<inputWidth`; 0 where it is NaN.
@safe public struct SelectionTask {
  /// The first pixel of the input and of the output, and their steps; `width` is the output's.
  public var map: MapTask
  /// Columns of the input, at most 2²⁴.
  public var inputWidth: Int
  /// The first pixel of the places.
  public var places: PixelGrid<Address>
  /// For each channel of the places its place in a pixel: one, which stands for whole pixels, or as many
  /// as `slots` has.
  public var placeSlots: [Int]
  /// For each channel of input and output its place in a pixel.
  public var slots: [Int]

  /// A task of the given parts.
  public init(
    map: MapTask, inputWidth: Int, places: PixelGrid<Address>, placeSlots: [Int], slots: [Int]
  ) {
    self.map = map
    self.inputWidth = inputWidth
    self.places = places
    self.placeSlots = placeSlots
    self.slots = slots
  }
}

extension ReferenceKernels {
  /// The places of the greatest numbers, output rows `rows`; the formula stands at `RankingTask`.
  ///
  /// The output holds a heap of the best columns so far, the last of them in rank on top, so that no other
  /// memory is needed.
  public static func rank(_ task: RankingTask, rows: Range<Int>) {
    let map = task.map
    for y in rows {
      for (c, slot) in task.outputSlots.enumerated() {
        let ranks = Ranks(
          numbers: map.input.advanced(by: y * map.inputRowStep + task.inputSlots[c]),
          numberStep: map.inputColumnStep,
          places: map.output.advanced(by: y * map.outputRowStep + slot),
          placeStep: map.outputColumnStep)
        ranks.fill(count: map.width, of: task.inputWidth)
      }
    }
  }

  /// Columns that places name, output rows `rows`; the formula stands at `SelectionTask`.
  public static func select(_ task: SelectionTask, rows: Range<Int>) {
    let map = task.map
    let last = Float(task.inputWidth - 1)
    func column(_ place: Float) -> Int {
      // NaN is not above 0.
      guard place > 0 else { return 0 }
      return Int(place < last ? place : last)
    }
    for y in rows {
      let input = map.input.advanced(by: y * map.inputRowStep)
      var places = task.places.start.advanced(by: y * task.places.rowStep)
      var output = map.output.advanced(by: y * map.outputRowStep)
      for _ in 0..<map.width {
        if task.placeSlots.count == 1 {
          let pixel = input.advanced(
            by: column(places.scalar(at: task.placeSlots[0])) * map.inputColumnStep)
          unsafe output.pointer.update(from: pixel.pointer, count: map.channelCount)
        } else {
          for (c, slot) in task.slots.enumerated() {
            let p = column(places.scalar(at: task.placeSlots[c]))
            output.store(input.scalar(at: p * map.inputColumnStep + slot), at: slot)
          }
        }
        places = places.advanced(by: task.places.columnStep)
        output = output.advanced(by: map.outputColumnStep)
      }
    }
  }
}

/// The places of the greatest of some numbers, as a heap and at last in order.
private struct Ranks {
  let numbers: Address
  let numberStep: Int
  let places: Address
  let placeStep: Int

  /// The number in a column.
  private func number(_ column: Int) -> Float { numbers.scalar(at: column * numberStep) }

  private func column(_ index: Int) -> Int { Int(places.scalar(at: index * placeStep)) }

  private func set(_ index: Int, _ column: Int) {
    places.store(Float(column), at: index * placeStep)
  }

  /// Whether a column comes before another one in rank.
  private func isBefore(_ first: Int, _ second: Int) -> Bool {
    let (a, b) = (number(first), number(second))
    if a > b { return true }
    if a < b { return false }
    // Equal, or one of them NaN.
    if a.isNaN != b.isNaN { return b.isNaN }
    return first < second
  }

  /// Writes the places of the first `count` of `total` columns.
  func fill(count: Int, of total: Int) {
    for index in 0..<count { set(index, index) }
    for index in (0..<count / 2).reversed() { sink(index, column(index), count) }
    // Of equal numbers the earlier one stays.
    for next in count..<total where isBefore(next, column(0)) { sink(0, next, count) }
    for end in (0..<count).dropFirst().reversed() {
      let last = column(end)
      set(end, column(0))
      sink(0, last, end)
    }
  }

  /// Puts a column into a heap of `count` places, whose place `index` is free.
  private func sink(_ index: Int, _ column: Int, _ count: Int) {
    var index = index
    while 2 * index + 1 < count {
      var child = 2 * index + 1
      if child + 1 < count, isBefore(self.column(child), self.column(child + 1)) { child += 1 }
      guard isBefore(column, self.column(child)) else { break }
      set(index, self.column(child))
      index = child
    }
    set(index, column)
  }
}
