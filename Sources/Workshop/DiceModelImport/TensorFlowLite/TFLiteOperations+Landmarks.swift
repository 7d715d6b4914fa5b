internal import DiceNumerics
internal import DiceWeights

/// MediaPipe's operations on landmarks: parts of maps that follow from where landmarks lie, and the way back.
///
/// Sources: `landmarks_to_transform_matrix.cc`, `transform_tensor_bilinear.cc` and `transform_landmarks.cc` of
/// MediaPipe's TensorFlow Lite operations, in their second versions.
extension TFLiteOperations {
  static let landmarks: [TFLiteOperation] = [
    TFLiteOperation(customCode, "Landmarks2TransformMatrix", "its second version") {
      (lowering, call, _) throws(LoweringFault) in
      [try transformMatrix(&lowering.builder, call)]
    },
    TFLiteOperation(
      customCode, "TransformTensorBilinear",
      "batch 1; its second version"
    ) { (lowering, call, _) throws(LoweringFault) in
      [try transformedMaps(&lowering.builder, call)]
    },
    TFLiteOperation(customCode, "TransformLandmarks", "its second version") {
      (lowering, call, _) throws(LoweringFault) in
      [try transformedLandmarks(&lowering.builder, call)]
    },
  ]

  private static func options(_ call: TFLiteCall) throws(LoweringFault) -> FlexbufferMap {
    do throws(FlatbufferError) { return try FlexbufferMap(call.customOptions) } catch {
      throw .invalid("Its options: \(error)")
    }
  }

  /// A side of what is made, among an operation's options.
  private static func side(_ options: FlexbufferMap, _ name: String) throws(LoweringFault) -> Int {
    guard let number = options.numbers[name], (1...4096).contains(number) else {
      throw .invalid("It has no \(name).")
    }
    return Int(number)
  }

  /// Landmarks, `[1, count, 2 or more]`.
  private static func landmarkShape(_ call: TFLiteCall) throws(LoweringFault) -> [Int] {
    let shape = try call.shape(0)
    guard shape.count == 3 else { throw .unsupported("it is of its first version") }
    guard shape[0] == 1, shape[1] > 0, shape[2] == 2 || shape[2] == 3 else {
      throw .invalid("It has landmarks of the shape \(shape).")
    }
    return shape
  }

  /// Some numbers of a transform, `[1, 4, 4]`, as `[1, 1, count]`.
  private static func elements(
    _ builder: inout GraphBuilder, _ call: TFLiteCall, _ places: [Int]
  ) throws(LoweringFault) -> ComputedValue {
    guard try call.shape(1).reduce(1, *) == 16 else {
      throw .invalid("Its transform has the shape \(try call.shape(1)).")
    }
    let row = try builder.computed(builder.reshaped(call.input(1), to: [1, 1, 16]))
    var parts: [Value] = []
    for place in places {
      parts.append(.computed(try builder.sliced(row, axis: 2, start: place, count: 1)))
    }
    return try builder.computed(builder.concatenated(parts, axis: 2))
  }

  // MARK: The transform

  /// From places in a part of maps to places in the maps: the part is a box around some landmarks, turned as two others lie.
  private static func transformMatrix(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let shape = try landmarkShape(call)
    let options = try options(call)
    let sides = [try side(options, "output_width"), try side(options, "output_height")]
    let subset = options.lists["subset_idxs"] ?? []
    let ends = ["left_rotation_idx", "right_rotation_idx"].map { options.numbers[$0] ?? -1 }
    let target = options.numbers["target_rotation_radians"] ?? 0
    let scales = ["scale_x", "scale_y"].map { Float(options.numbers[$0] ?? 0) }
    guard !subset.isEmpty, subset.count <= 4096, target.magnitude < 1000,
      subset.allSatisfy({ (0..<shape[1]).contains($0) }),
      ends.allSatisfy({ (0..<Double(shape[1])).contains($0) }),
      scales.allSatisfy({ $0 > 0 && $0.isFinite })
    else { throw .invalid("Its options do not go with \(shape[1]) landmarks.") }

    let points = try builder.computed(call.input(0))
    func coordinate(
      _ axis: Int, of places: [Int], _ builder: inout GraphBuilder
    ) throws(LoweringFault) -> Value {
      let column = try builder.sliced(points, axis: 2, start: axis, count: 1)
      return .computed(try builder.gathered(column, axis: 1, indices: places))
    }
    func sum(
      _ first: Value, _ second: Value, minus: Bool = false, _ builder: inout GraphBuilder
    ) throws(LoweringFault) -> Value {
      try builder.combined(minus ? .subtraction : .addition, first, second)
    }
    func scaled(
      _ value: Value, by factor: Float, _ builder: inout GraphBuilder
    ) throws(LoweringFault) -> Value {
      try builder.applied([.linear(scale: factor, offset: 0)], to: value)
    }

    // The cosine and the sine of the angle from the two landmarks to the wanted one.
    var steps: [Value] = []
    for axis in 0..<2 {
      steps.append(
        try sum(
          coordinate(axis, of: [Int(ends[1])], &builder),
          coordinate(axis, of: [Int(ends[0])], &builder), minus: true, &builder))
    }
    let squares = try sum(
      builder.product(steps[0], steps[0]), builder.product(steps[1], steps[1]), &builder)
    let length = try builder.applied(
      [.squareRoot, .clamp(lower: 1e-30, upper: .greatestFiniteMagnitude)], to: squares)
    let (x, y) = (
      try builder.combined(.division, steps[0], length),
      try builder.combined(.division, steps[1], length)
    )
    let turns = target / (2 * .pi)
    let (sine, cosine) = sineAndCosine(turns: turns - turns.rounded())
    let (st, ct) = (Float(sine), Float(cosine))
    let c = try sum(scaled(x, by: ct, &builder), scaled(y, by: st, &builder), &builder)
    let s = try sum(
      scaled(x, by: st, &builder), scaled(y, by: ct, &builder), minus: true, &builder)

    // The box around the turned landmarks.
    let (xs, ys) = (
      try coordinate(0, of: subset, &builder), try coordinate(1, of: subset, &builder)
    )
    let turned = [
      try sum(builder.product(xs, c), builder.product(ys, s), minus: true, &builder),
      try sum(builder.product(xs, s), builder.product(ys, c), &builder),
    ]
    var middles: [Value] = []
    var factors: [Value] = []
    for axis in 0..<2 {
      let greatest = try builder.summarized(turned[axis], .maximum, axes: [1])
      let least = try builder.summarized(turned[axis], .minimum, axes: [1])
      middles.append(try scaled(sum(greatest, least, &builder), by: 0.5, &builder))
      factors.append(
        try scaled(
          sum(greatest, least, minus: true, &builder), by: scales[axis] / Float(sides[axis]),
          &builder))
    }
    let rows = [
      [try builder.product(c, factors[0]), try builder.product(s, factors[1])],
      [
        try scaled(builder.product(s, factors[0]), by: -1, &builder),
        try builder.product(c, factors[1]),
      ],
    ]
    let centres = [
      try sum(builder.product(c, middles[0]), builder.product(s, middles[1]), &builder),
      try sum(
        builder.product(c, middles[1]), builder.product(s, middles[0]), minus: true, &builder),
    ]
    var numbers: [Value] = []
    func known(_ number: Float) -> Value {
      .constant(ConstantTensor(shape: [1, 1, 1], floats: [number]))
    }
    for axis in 0..<2 {
      let shift = try sum(
        scaled(rows[axis][0], by: Float(sides[0]) / 2, &builder),
        scaled(rows[axis][1], by: Float(sides[1]) / 2, &builder), &builder)
      numbers += [
        rows[axis][0], rows[axis][1], known(0),
        try sum(centres[axis], shift, minus: true, &builder),
      ]
    }
    numbers += [0, 0, 1, 0, 0, 0, 0, 1].map { known($0) }
    return try builder.reshaped(builder.concatenated(numbers, axis: 2), to: [1, 4, 4])
  }

  // MARK: Its uses

  /// A part of maps, between whose places numbers are interpolated; 0 beyond the maps.
  private static func transformedMaps(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.mapShape(0)
    guard shape[0] == 1 else { throw .unsupported("it has a batch") }
    let options = try options(call)
    let (height, width) = (try side(options, "output_height"), try side(options, "output_width"))
    let count = height * width
    guard count <= 1 << 20 else {
      throw .unsupported("it samples \(count) places")
    }
    // The middle of each place: columns, rows and 1, each a row of the matrix.
    var weights = [Float](repeating: 1, count: 3 * count)
    for place in 0..<count {
      weights[place] = Float(place % width) + 0.5
      weights[count + place] = Float(place / width) + 0.5
    }
    var places: [Value] = []
    for row in 0..<2 {
      let numbers = try elements(&builder, call, [4 * row, 4 * row + 1, 4 * row + 3])
      let sums = try builder.dense(
        numbers, weights: weights, bias: [Float](repeating: -0.5, count: count),
        outputCount: count)
      places.append(try builder.reshaped(.computed(sums), to: [1, count]))
    }
    let maps = try builder.reshaped(call.input(0), to: [1, shape[1] * shape[2], shape[3]])
    let found = try builder.sampled(
      maps, height: shape[1], width: shape[2], columns: places[0], rows: places[1],
      isBounded: true)
    return try builder.reshaped(found, to: [1, height, width, shape[3]])
  }

  /// Landmarks of a part of maps as those of the maps.
  private static func transformedLandmarks(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let shape = try landmarkShape(call)
    let points = try builder.computed(call.input(0))
    var columns: [Value] = []
    for axis in 0..<shape[2] {
      columns.append(.computed(try builder.sliced(points, axis: 2, start: axis, count: 1)))
    }
    var results: [Value] = []
    for row in 0..<2 {
      let numbers = try elements(&builder, call, [4 * row, 4 * row + 1, 4 * row + 3])
      var sum: Value = .computed(try builder.sliced(numbers, axis: 2, start: 2, count: 1))
      for column in 0..<2 {
        let factor = try builder.sliced(numbers, axis: 2, start: column, count: 1)
        sum = try builder.combined(
          .addition, sum, builder.product(columns[column], .computed(factor)))
      }
      results.append(sum)
    }
    if shape[2] == 3 { results.append(columns[2]) }
    return try builder.concatenated(results, axis: 2)
  }
}
