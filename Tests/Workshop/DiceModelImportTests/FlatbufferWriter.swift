/// A table of a flatbuffer for small models in tests: its fields by number.
struct Table: Sendable {
  enum Field: Sendable {
    case byte(Int)
    case integer(Int)
    case long(Int)
    case float(Float)
    case text(String)
    case bytes([UInt8])
    case shorts([Int])
    case integers([Int])
    case longs([Int])
    case floats([Float])
    case table(Table)
    case tables([Table])
  }

  var fields: [Int: Field]

  init(_ fields: [Int: Field] = [:]) { self.fields = fields }

  /// A file with this table at its root.
  func file(identifier: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4) + Array(identifier.utf8)
    let place = Self.write(self, &bytes)
    Self.patch(&bytes, 0, place)
    return bytes
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func patch(_ bytes: inout [UInt8], _ place: Int, _ value: Int) {
    bytes.replaceSubrange(place..<place + 4, with: little(value, 4))
  }

  private static func align(_ bytes: inout [UInt8], _ size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  /// Writes a table behind what is there, what it leads to behind it; returns where it begins.
  private static func write(_ table: Table, _ bytes: inout [UInt8]) -> Int {
    align(&bytes, 8)
    let count = (table.fields.keys.max() ?? -1) + 1
    let list = bytes.count
    bytes += [UInt8](repeating: 0, count: 4 + 2 * count)
    align(&bytes, 8)
    let start = bytes.count
    bytes += little(start - list, 4) + [0, 0, 0, 0]
    var offsets: [(place: Int, field: Field)] = []
    for (number, field) in table.fields.sorted(by: { $0.key < $1.key }) {
      align(&bytes, 8)
      bytes.replaceSubrange(
        list + 4 + 2 * number..<list + 6 + 2 * number, with: little(bytes.count - start, 2))
      switch field {
      case .byte(let value): bytes += little(value, 1)
      case .integer(let value): bytes += little(value, 4)
      case .long(let value): bytes += little(value, 8)
      case .float(let value): bytes += Message.little(value)
      default:
        offsets.append((bytes.count, field))
        bytes += [0, 0, 0, 0]
      }
    }
    align(&bytes, 8)
    bytes.replaceSubrange(list..<list + 2, with: little(4 + 2 * count, 2))
    bytes.replaceSubrange(list + 2..<list + 4, with: little(bytes.count - start, 2))
    for (place, field) in offsets {
      let target = write(field, &bytes)
      patch(&bytes, place, target - place)
    }
    return start
  }

  private static func write(_ field: Field, _ bytes: inout [UInt8]) -> Int {
    func list(_ count: Int, _ content: [UInt8]) -> Int {
      // Numbers of eight bytes begin at multiples of eight.
      align(&bytes, 8)
      bytes += [0, 0, 0, 0]
      let place = bytes.count
      bytes += little(count, 4) + content
      return place
    }
    switch field {
    case .table(let table): return write(table, &bytes)
    case .tables(let tables):
      let place = list(tables.count, [UInt8](repeating: 0, count: 4 * tables.count))
      for (index, table) in tables.enumerated() {
        let target = write(table, &bytes)
        patch(&bytes, place + 4 + 4 * index, target - place - 4 - 4 * index)
      }
      return place
    case .text(let text): return list(text.utf8.count, Array(text.utf8) + [0])
    case .bytes(let content): return list(content.count, content)
    case .integers(let integers): return list(integers.count, integers.flatMap { little($0, 4) })
    case .shorts(let integers): return list(integers.count, integers.flatMap { little($0, 2) })
    case .longs(let integers): return list(integers.count, integers.flatMap { little($0, 8) })
    case .floats(let floats): return list(floats.count, floats.flatMap(Message.little))
    case .byte, .integer, .long, .float: preconditionFailure("it stands in the table itself")
    }
  }
}

/// A flexbuffer for tests: a map of names to numbers of four bytes, and lists of such integers.
enum Flexbuffer {
  enum Number {
    case integer(Int)
    case number(Float)
    case list([Int])
  }

  static func map(_ entries: [(name: String, number: Number)]) -> [UInt8] {
    var bytes: [UInt8] = []
    var places: [Int] = []
    for (name, _) in entries {
      places.append(bytes.count)
      bytes += Array(name.utf8) + [0]
    }
    func word(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    // Lists: how many integers, and these.
    var lists: [Int] = []
    for case (_, .list(let list)) in entries {
      bytes += word(list.count)
      lists.append(bytes.count)
      bytes += list.flatMap { word($0) }
    }
    // The names: how many, and how far back each one is.
    bytes += word(entries.count)
    let keys = bytes.count
    for place in places { bytes += word(bytes.count - place) }
    // The map: where its names are, their width, how many numbers, the numbers, their types.
    bytes += word(bytes.count - keys) + word(4) + word(entries.count)
    let start = bytes.count
    for (_, number) in entries {
      switch number {
      case .integer(let integer): bytes += word(integer)
      case .number(let number): bytes += Message.little(number)
      case .list: bytes += word(bytes.count - lists.removeFirst())
      }
    }
    for (_, number) in entries {
      switch number {
      case .integer: bytes.append(1 << 2 | 2)
      case .number: bytes.append(3 << 2 | 2)
      case .list: bytes.append(11 << 2 | 2)
      }
    }
    bytes.append(UInt8(bytes.count - start))
    return bytes + [9 << 2 | 2, 1]
  }
}

/// Small TensorFlow Lite models.
struct TFLiteModel {
  private var tensors: [Table] = []
  private var buffers = [Table()]
  private var codes: [Table] = []
  private var operations: [Table] = []
  private var inputs: [Int] = []

  /// Adds a tensor of a type, with its numbers where it is a constant.
  ///
  /// - Parameters:
  ///   - scales: What its integers stand for, with zero points along an axis.
  ///   - sparsity: Where its numbers stand.
  mutating func tensor(
    _ name: String, _ shape: [Int], type: Int = 0, data: [UInt8]? = nil,
    scales: [Float] = [], zeros: [Int] = [], axis: Int = 0, signature: [Int] = [],
    sparsity: Table? = nil
  ) -> Int {
    var table = Table([0: .integers(shape), 1: .byte(type), 2: .integer(0), 3: .text(name)])
    if let data {
      table.fields[2] = .integer(buffers.count)
      buffers.append(Table([0: .bytes(data)]))
    }
    if !scales.isEmpty {
      table.fields[4] = .table(
        Table([2: .floats(scales), 3: .longs(zeros), 6: .integer(axis)]))
    }
    if let sparsity { table.fields[6] = .table(sparsity) }
    if !signature.isEmpty { table.fields[7] = .integers(signature) }
    tensors.append(table)
    return tensors.count - 1
  }

  mutating func input(
    _ name: String, _ shape: [Int], type: Int = 0, scales: [Float] = [], zeros: [Int] = [],
    signature: [Int] = []
  ) -> Int {
    inputs.append(
      tensor(name, shape, type: type, scales: scales, zeros: zeros, signature: signature))
    return tensors.count - 1
  }

  /// A tensor that keeps its numbers from one run to the next.
  mutating func variable(_ name: String, _ shape: [Int]) -> Int {
    let number = tensor(name, shape)
    tensors[number].fields[5] = .byte(1)
    return number
  }

  mutating func floats(_ shape: [Int], _ numbers: [Float]) -> Int {
    tensor("constant \(tensors.count)", shape, data: numbers.flatMap(Message.little))
  }

  mutating func integers(_ numbers: [Int]) -> Int {
    let data = numbers.flatMap { (number) in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return tensor("constant \(tensors.count)", [numbers.count], type: 2, data: data)
  }

  /// Adds an operation with its options; a custom one by its name.
  mutating func operation(
    _ code: Int, _ inputs: [Int], _ outputs: [Int], _ options: Table? = nil, custom: String? = nil,
    customOptions: [UInt8] = []
  ) {
    var own = Table([0: .byte(min(code, 127)), 3: .integer(code)])
    if let custom { own.fields[1] = .text(custom) }
    codes.append(own)
    var table = Table([
      0: .integer(codes.count - 1), 1: .integers(inputs), 2: .integers(outputs),
    ])
    if let options {
      table.fields[3] = .byte(1)
      table.fields[4] = .table(options)
    }
    if !customOptions.isEmpty { table.fields[5] = .bytes(customOptions) }
    operations.append(table)
  }

  /// The file; other graphs stand behind the first one.
  func bytes(
    outputs: [Int], others: [(model: TFLiteModel, outputs: [Int])] = []
  ) -> [UInt8] {
    var graphs = [graph(outputs)]
    var (codes, buffers) = (self.codes, self.buffers)
    for (model, outputs) in others {
      graphs.append(model.graph(outputs, codes: codes.count, buffers: buffers.count - 1))
      codes += model.codes
      buffers += model.buffers.dropFirst()
    }
    return Table([
      0: .integer(3), 1: .tables(codes), 2: .tables(graphs), 3: .text("test"),
      4: .tables(buffers),
    ]).file(identifier: "TFL3")
  }

  /// The graph whose codes and buffers stand behind others.
  private func graph(_ outputs: [Int], codes: Int = 0, buffers: Int = 0) -> Table {
    func moved(_ table: Table, _ field: Int, by count: Int) -> Table {
      var table = table
      if case .integer(let number)? = table.fields[field], field == 0 || number > 0 {
        table.fields[field] = .integer(number + count)
      }
      return table
    }
    return Table([
      0: .tables(tensors.map { moved($0, 2, by: buffers) }), 1: .integers(inputs),
      2: .integers(outputs), 3: .tables(operations.map { moved($0, 0, by: codes) }),
    ])
  }
}
