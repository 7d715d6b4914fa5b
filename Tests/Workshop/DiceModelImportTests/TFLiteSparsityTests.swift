import DiceWeights
import TestSupport
import Testing

@testable import DiceModelImport

/// Constants of which only some numbers are stored.
struct TFLiteSparsityTests {
  private static func dense(_ count: Int) -> Table { Table([0: .byte(0), 1: .integer(count)]) }

  /// A level that lists its places, in integers of 32, 16 or 8 bits.
  private static func sparse(_ begins: [Int], _ places: [Int], kind: Int = 1) -> Table {
    func vector(_ integers: [Int]) -> Table.Field {
      switch kind {
      case 1: .table(Table([0: .integers(integers)]))
      case 2: .table(Table([0: .shorts(integers)]))
      default: .table(Table([0: .bytes(integers.map { UInt8($0) })]))
      }
    }
    return Table([
      0: .byte(1), 2: .byte(kind), 3: vector(begins), 4: .byte(kind), 5: vector(places),
    ])
  }

  private static func sparsity(_ order: [Int], _ blocked: [Int], _ levels: [Table]) -> Table {
    Table([0: .integers(order), 1: .integers(blocked), 2: .tables(levels)])
  }

  /// What an import makes of a sparse constant that is added to nothing.
  private static func numbers(
    _ shape: [Int], _ stored: [Float], _ sparsity: Table
  ) throws -> [Float] {
    var model = TFLiteModel()
    let x = model.input("x", shape)
    let sparse = model.tensor(
      "sparse", shape, data: stored.flatMap(Message.little), sparsity: sparsity)
    let whole = model.tensor("whole", shape)
    let y = model.tensor("y", shape)
    model.operation(124, [sparse], [whole])
    model.operation(0, [x, whole], [y])
    let count = shape.reduce(1, *)
    return try run(
      ModelImporter.importTensorFlowLite(model.bytes(outputs: [y])),
      [[Float](repeating: 0, count: count)])[0]
  }

  @Test(arguments: [1, 2, 3])
  func rowsListTheirColumns(kind: Int) throws {
    let found = try Self.numbers(
      [3, 4], [1, 2, 3, 4],
      Self.sparsity(
        [0, 1], [], [Self.dense(3), Self.sparse([0, 2, 2, 4], [0, 3, 1, 2], kind: kind)]))
    expectEqual(found, [1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 4, 0])
  }

  @Test func columnsMayComeFirst() throws {
    let found = try Self.numbers(
      [2, 3], [1, 2, 3],
      Self.sparsity([1, 0], [], [Self.dense(3), Self.sparse([0, 1, 1, 3], [1, 0, 1])]))
    expectEqual(found, [0, 0, 2, 1, 0, 3])
  }

  @Test func blocksAreWhole() throws {
    // Blocks of 2 x 2 numbers of a matrix of 4 x 4: the upper right one and the lower left one.
    let found = try Self.numbers(
      [4, 4], [1, 2, 3, 4, 5, 6, 7, 8],
      Self.sparsity(
        [0, 1, 2, 3], [0, 1],
        [Self.dense(2), Self.sparse([0, 1, 2], [1, 0]), Self.dense(2), Self.dense(2)]))
    expectEqual(found, [0, 0, 1, 2, 0, 0, 3, 4, 5, 6, 0, 0, 7, 8, 0, 0])
  }

  @Test(arguments: [
    sparsity([0], [], [dense(3)]), sparsity([0, 0], [], [dense(3), dense(4)]),
    sparsity([0, 1], [], [dense(4), dense(4)]),
    sparsity([0, 1], [], [dense(3), sparse([0, 2, 2], [0, 3])]),
    sparsity([0, 1], [], [dense(3), sparse([0, 2, 1, 4], [0, 3, 1, 2])]),
    sparsity([0, 1], [], [dense(3), sparse([0, 2, 2, 4], [0, 4, 1, 2])]),
    sparsity([0, 1], [], [dense(3), sparse([0, 2, 2, 4], [3, 3, 1, 2])]),
    sparsity([0, 1], [], [dense(3), dense(4)]),
    sparsity([0, 1, 2], [1], [dense(3), dense(1), dense(3)]),
    sparsity([0, 1, 2], [7], [dense(3), dense(2), dense(2)]),
  ])
  func brokenLevelsAreErrors(_ sparsity: Table) {
    #expect(throws: ModelImportError.self) { try Self.numbers([3, 4], [1, 2, 3, 4], sparsity) }
  }
}
