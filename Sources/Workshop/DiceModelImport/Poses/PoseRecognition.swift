internal import DiceDetectorHeads
internal import DicePoses
internal import DiceWeights

/// Which outputs of a model say where the joints of a person are.
struct PoseRecognition {
  /// An output with what it says.
  struct Part {
    var output: Int
    var kind: PoseHeadKind
    /// Where a head wants its axes.
    var places: Places
    var parameters: [NamedValues] = []
  }

  /// What a family needs.
  struct Finding {
    var kind: PoseKind
    /// The names of the joints.
    var joints: [String]
    /// The first one has the names.
    var parts: [Part]
  }

  let model: ImportedModel
  /// The names that the caller gives; none for the usual ones.
  let joints: [String]
  let refinement: HeatmapHead.Refinement

  /// The first family that the outputs suit.
  var finding: Finding? {
    let kinds: [PoseKind] = [.movenet, .posenet, .simcc, .blazepose, .yolo, .heatmaps]
    for kind in kinds {
      if let finding = finding(of: kind) { return finding }
    }
    return nil
  }

  /// The outputs of a family; nil where some are missing.
  func finding(of kind: PoseKind) -> Finding? {
    for names in orders(of: kind) {
      if let parts = parts(of: kind, names.count) {
        return Finding(kind: kind, joints: named(names, parts), parts: parts)
      }
    }
    return nil
  }

  /// The shapes that a family needs.
  static func requirement(of kind: PoseKind) -> String {
    switch kind {
    case .heatmaps: "[joints, rows, columns] or [rows, columns, joints]"
    case .simcc: "[joints, n * width] and [joints, n * height]"
    case .movenet: "[17, 3]"
    case .posenet: "[joints, rows, columns] and [2 * joints, rows, columns]"
    case .blazepose: "[5 * 33] or [5 * 39]"
    case .yolo: "[5 + 3 * joints, boxes]"
    }
  }

  /// The orders of joints that come into question.
  private func orders(of kind: PoseKind) -> [[String]] {
    if !joints.isEmpty { return [joints] }
    return kind.joints.map { [$0] } ?? [JointOrder.coco.names, JointOrder.mpii.names]
  }

  /// The names with those of points that come after the joints.
  private func named(_ names: [String], _ parts: [Part]) -> [String] {
    guard parts[0].kind == .points else { return names }
    let numbers = Int(parts[0].parameters.values(named: "numbers")?.first ?? 3)
    let count = model.outputs[parts[0].output].valueShape.elementCount / numbers
    return names + (names.count..<max(names.count, count)).map { "point \($0)" }
  }

  private func parts(of kind: PoseKind, _ count: Int) -> [Part]? {
    switch kind {
    case .heatmaps:
      guard let maps = maps(count).last else { return nil }
      let refinement = NamedValues("refinement", [Float(refinement.rawValue)])
      return [
        Part(output: maps.output, kind: .heatmaps, places: maps.places, parameters: [refinement])
      ]
    case .posenet:
      for heatmaps in maps(count) {
        for offsets in maps(2 * count) where offsets.size == heatmaps.size {
          return [
            Part(output: heatmaps.output, kind: .heatmaps, places: heatmaps.places),
            Part(output: offsets.output, kind: .offsets, places: offsets.places),
          ]
        }
      }
      return nil
    case .simcc: return bins(count)
    case .movenet: return count == 17 ? points(count: [count], numbers: 3) : nil
    case .blazepose: return points(count: [count, 39], numbers: 5)
    case .yolo: return rows(channels: 5 + 3 * count)
    }
  }

  /// The last axes of an output, those before them being of extent 1.
  private func axes(_ output: Int, _ count: Int) -> (first: Int, extents: [Int])? {
    let shape = model.outputs[output].shape
    let first = shape.count - count
    guard first >= 0, shape.prefix(first).allSatisfy({ $0 == 1 }) else { return nil }
    return (first, Array(shape[first...]))
  }

  /// The outputs with a map for each of so many channels.
  private func maps(_ channels: Int) -> [(output: Int, places: Places, size: [Int])] {
    model.outputs.indices.compactMap { (output) in
      guard let (first, extents) = axes(output, 3), extents.allSatisfy({ $0 > 1 }) else {
        return nil
      }
      if extents[0] == channels {
        return (
          output, Places(rows: [first + 1], columns: [first + 2], channels: [first]),
          [extents[1], extents[2]]
        )
      }
      guard extents[2] == channels else { return nil }
      return (
        output, Places(rows: [first], columns: [first + 1], channels: [first + 2]),
        [extents[0], extents[1]]
      )
    }
  }

  /// Two outputs of columns and rows whose numbers are as the input's width and height.
  private func bins(_ count: Int) -> [Part]? {
    guard let input = model.description.inputs.first?.shape else { return nil }
    let lists = model.outputs.indices.compactMap { (output) -> (Part, Int)? in
      guard let (first, extents) = axes(output, 2), extents[0] == count, extents[1] > 1 else {
        return nil
      }
      let places = Places(rows: [first], columns: [first + 1], channels: [])
      return (Part(output: output, kind: .columns, places: places), extents[1])
    }
    guard lists.count == 2 else { return nil }
    for (x, y) in [(0, 1), (1, 0)]
    where lists[x].1 * input.height == lists[y].1 * input.width && lists[x].1 >= input.width {
      var rows = lists[y].0
      rows.kind = .rows
      return [lists[x].0, rows]
    }
    return nil
  }

  /// An output with so many numbers for each of so many points.
  private func points(count: [Int], numbers: Int) -> [Part]? {
    func large(_ output: Int) -> [Int] {
      model.outputs[output].shape.indices.filter { model.outputs[output].shape[$0] > 1 }
    }
    let output = model.outputs.indices.first { (output) in
      let extents = large(output).map { model.outputs[output].shape[$0] }
      return count.contains { extents == [$0, numbers] || extents == [$0 * numbers] }
    }
    guard let output else { return nil }
    let axes = large(output)
    let places = Places(rows: Array(axes.dropLast()), columns: [], channels: [axes[axes.count - 1]])
    let parameters =
      numbers == 3
      ? [NamedValues("rows first", [1]), NamedValues("unit", [1])]
      : [
        NamedValues("numbers", [Float(numbers)]), NamedValues("score", [3]),
        NamedValues("activation", [1]),
      ]
    return [Part(output: output, kind: .points, places: places, parameters: parameters)]
  }

  /// An output with so many numbers for each of many boxes.
  private func rows(channels: Int) -> [Part]? {
    for output in model.outputs.indices {
      guard let (first, extents) = axes(output, 2), extents[0] == channels else { continue }
      let places = Places(rows: [first + 1], columns: [], channels: [first])
      // Ultralytics' exports to TensorFlow Lite have shares of the picture's sides.
      let unit: Float = model.report.format.hasPrefix("TensorFlow Lite") ? 1 : 0
      return [
        Part(
          output: output, kind: .personRows, places: places,
          parameters: [NamedValues("unit", [unit])])
      ]
    }
    return nil
  }
}
