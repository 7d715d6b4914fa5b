import DiceKernels
import TestSupport
import Testing

/// Values with gaps: pixels of 32 floats whose channels stand in some of them.
private struct Gapped {
  let height: Int
  let width: Int
  let slots: [Int]
  /// `[H, W, C]`.
  let values: [Float]
  let memory: Guarded

  static let step = 32
  var rowStep: Int { width * Self.step + 3 }

  init(_ height: Int, _ width: Int, slots: [Int], _ values: [Float]) {
    (self.height, self.width, self.slots, self.values) = (height, width, slots, values)
    let rowStep = width * Self.step + 3
    var floats = [Float](repeating: 0, count: height * rowStep)
    for (index, value) in values.enumerated() {
      let pixel = index / slots.count
      floats[pixel / width * rowStep + pixel % width * Self.step + slots[index % slots.count]] =
        value
    }
    memory = Guarded(floats)
  }

  subscript(y: Int, x: Int, c: Int) -> Float { values[(y * width + x) * slots.count + c] }

  func map(to output: Guarded, width outputWidth: Int) -> MapTask {
    MapTask(
      input: memory.address, inputColumnStep: Self.step, inputRowStep: rowStep,
      output: output.address, outputColumnStep: Self.step,
      outputRowStep: outputWidth * Self.step + 3, width: outputWidth, channelCount: Self.step)
  }
}

@Suite struct SelectionTests {
  private static let slots = [0, 1, 2, 16, 17, 18, 19]

  /// Numbers of which many are equal, some infinite, some NaN, some -0.
  private func numbers(_ count: Int, _ generator: inout SeededGenerator) -> [Float] {
    (0..<count).map { (_) in
      switch Int.random(in: 0...9, using: &generator) {
      case 0: .nan
      case 1: .infinity
      case 2: -.infinity
      case 3: -0.0
      default: Float(Int.random(in: -4...4, using: &generator))
      }
    }
  }

  @Test func aRankingIsAStableSort() {
    var generator = SeededGenerator(seed: 31)
    var checked = 0
    for (width, counts) in [
      (1, [1]), (2, [1, 2]), (7, [1, 3, 6, 7]), (64, [1, 31, 64]), (301, [16, 300, 301]),
    ] {
      for count in counts {
        let input = Gapped(
          2, width, slots: Self.slots, numbers(2 * width * Self.slots.count, &generator))
        let output = Guarded(count: 2 * (count * Gapped.step + 3))
        let outputSlots = Self.slots.map { (slot) in slot + 1 }
        let task = RankingTask(
          map: input.map(to: output, width: count), inputWidth: width, inputSlots: Self.slots,
          outputSlots: outputSlots)
        for row in 0..<2 { ReferenceKernels.rank(task, rows: row..<row + 1) }
        let found = output.values
        for y in 0..<2 {
          for c in Self.slots.indices {
            let order = (0..<width).sorted { (first, second) in
              let (a, b) = (input[y, first, c], input[y, second, c])
              if a.isNaN || b.isNaN { return a.isNaN == b.isNaN ? first < second : b.isNaN }
              return a == b ? first < second : a > b
            }
            for k in 0..<count {
              let place = y * (count * Gapped.step + 3) + k * Gapped.step + outputSlots[c]
              expectEqual(found[place], Float(order[k]), "\(width) \(count) \(y) \(c) \(k)")
              checked += 1
            }
          }
        }
        // Nothing else is written.
        let isWritten = found.indices.map { (index) in
          outputSlots.contains(index % (count * Gapped.step + 3) % Gapped.step)
            && index % (count * Gapped.step + 3) < count * Gapped.step
        }
        #expect(zip(found, isWritten).allSatisfy { $1 || $0.bitPattern == Guarded.untouched })
        #expect(output.bits.prefix(Guarded.margin).allSatisfy { $0 == Guarded.untouched })
        #expect(output.bits.suffix(Guarded.margin).allSatisfy { $0 == Guarded.untouched })
      }
    }
    #expect(checked > 5000)
  }

  @Test(arguments: [true, false])
  func aSelectionTakesTheColumnsThatPlacesName(hasOneChannel: Bool) {
    var generator = SeededGenerator(seed: 32)
    var checked = 0
    for (width, count) in [(1, 3), (5, 1), (40, 77)] {
      let input = Gapped(
        3, width, slots: Self.slots, generator.floats(3 * width * Self.slots.count, -1...1))
      let placeSlots = hasOneChannel ? [3] : Self.slots.map { (slot) in slot + 4 }
      var numbers = generator.floats(3 * count * placeSlots.count, -2...Float(width) + 2)
      for (index, number) in [
        Float.nan, .infinity, -.infinity, 1e30, -0.0, Float(width) - 0.01, Float(width - 1),
      ].enumerated() where index < numbers.count { numbers[index] = number }
      let places = Gapped(3, count, slots: placeSlots, numbers)
      let output = Guarded(count: 3 * (count * Gapped.step + 3))
      let task = SelectionTask(
        map: input.map(to: output, width: count), inputWidth: width,
        places: PixelGrid(
          places.memory.address, columnStep: Gapped.step, rowStep: places.rowStep),
        placeSlots: placeSlots, slots: Self.slots)
      for row in 0..<3 { ReferenceKernels.select(task, rows: row..<row + 1) }
      let found = output.values
      for y in 0..<3 {
        for x in 0..<count {
          for (c, slot) in Self.slots.enumerated() {
            let place = places[y, x, hasOneChannel ? 0 : c]
            let column =
              place.isNaN ? 0 : Int(min(max(Double(place).rounded(.down), 0), Double(width - 1)))
            let index = y * (count * Gapped.step + 3) + x * Gapped.step + slot
            expectEqual(found[index], input[y, column, c], "\(width) \(y) \(x) \(c) \(place)")
            checked += 1
          }
        }
      }
      #expect(output.bits.prefix(Guarded.margin).allSatisfy { $0 == Guarded.untouched })
      #expect(output.bits.suffix(Guarded.margin).allSatisfy { $0 == Guarded.untouched })
    }
    #expect(checked > 1500)
  }
}
