/// A tensor as the description states it.
struct StatedTensor {
  var storage: WeightStorage
  var shape: [Int]
  var offset: UInt64 = 0
  var byteCount: UInt64 = 0
}

/// The sections of a description.
///
/// What the bytes must be is checked on the way; what they mean is checked afterwards, by
/// ``NetworkDescription/validated()``.
///
/// Source: `Docs/WeightFormat.md`, sections 4 and 6, which have the same order.
extension FieldCoder {
  mutating func description(
    _ network: inout NetworkDescription, _ tensors: inout [StatedTensor]
  ) throws(WeightFileError) {
    var result = network
    var table = tensors
    try section("NAME") { (coder) throws(WeightFileError) in
      try coder.text(&result.name, .name)
    }
    try section("TASK") { (coder) throws(WeightFileError) in
      try coder.text(&result.task, .task)
    }
    try section("INPT") { (coder) throws(WeightFileError) in try coder.inputs(&result.inputs) }
    try section("LAYR") { (coder) throws(WeightFileError) in try coder.layers(&result.layers) }
    try section("OUTP") { (coder) throws(WeightFileError) in try coder.outputs(&result.outputs) }
    try section("PROF") { (coder) throws(WeightFileError) in
      try coder.namedValues(
        &result.profile, count: WeightFileError.profileCount,
        name: { (index) in .profileName(index) })
    }
    try section("TENS") { (coder) throws(WeightFileError) in try coder.tensors(&table) }
    try section("PROV") { (coder) throws(WeightFileError) in
      try coder.provenance(&result.provenance)
    }
    network = result
    tensors = table
  }

  private mutating func inputs(_ inputs: inout [NetworkInput]) throws(WeightFileError) {
    try list(
      &inputs,
      blank: NetworkInput(name: "", shape: TensorShape(height: 0, width: 0, channels: 0)),
      allowed: WeightFormat.inputCounts, otherwise: WeightFileError.inputCount
    ) { (coder, input, index) throws(WeightFileError) in
      try coder.text(&input.name, .inputName(index))
      try coder.shape(&input.shape)
      // 1 for an input of any size, 2 for a picture, added up.
      var code: UInt8 = (input.isResizable ? 1 : 0) | (input.imageRules == nil ? 0 : 2)
      try coder.byte(&code)
      guard code < 4 else { throw .unknownInputContent(input: index, code: code) }
      input.isResizable = code & 1 != 0
      if code & 2 != 0 {
        var rules = input.imageRules ?? ImageRules(scales: SIMD3(repeating: 1))
        try coder.imageRules(&rules, index)
        input.content = .image(rules)
      }
    }
  }

  private mutating func imageRules(
    _ rules: inout ImageRules, _ index: Int
  ) throws(WeightFileError) {
    try option(&rules.channelOrder) { (code) in
      .unknownChannelOrder(input: index, code: code)
    }
    try option(&rules.cropAndScale) { (code) in
      .unknownCropAndScale(input: index, code: code)
    }
    try byte(&rules.paddingValue)
    for channel in 0..<rules.channelOrder.channelCount { try float(&rules.scales[channel]) }
    for channel in 0..<rules.channelOrder.channelCount { try float(&rules.biases[channel]) }
  }

  private mutating func layers(_ layers: inout [Layer]) throws(WeightFileError) {
    try list(
      &layers, blank: .softmax(Layer.Softmax(input: .input(0))),
      allowed: WeightFormat.layerCounts, otherwise: WeightFileError.layerCount
    ) { (coder, layer, index) throws(WeightFileError) in try coder.layer(&layer, index) }
  }

  private mutating func outputs(_ outputs: inout [NetworkOutput]) throws(WeightFileError) {
    try list(
      &outputs, blank: NetworkOutput(name: "", layer: 0),
      allowed: WeightFormat.outputCounts, otherwise: WeightFileError.outputCount
    ) { (coder, output, index) throws(WeightFileError) in
      try coder.text(&output.name, .outputName(index))
      try coder.uint32(&output.layer)
      // A kind without letters stands for no head.
      var head = output.head ?? NetworkHead(kind: "")
      let kind = WeightFileError.TextField.headKind(output: index)
      try coder.text(&head.kind, kind, 0...TextRule.byteCounts(kind).upperBound)
      if !head.kind.isEmpty {
        try coder.fields(of: &head, index)
        output.head = head
      }
    }
  }

  private mutating func fields(
    of head: inout NetworkHead, _ output: Int
  ) throws(WeightFileError) {
    try list(
      &head.labels, blank: "",
      allowed: WeightFormat.labelCounts,
      otherwise: { (found, allowed) in .labelCount(output: output, found: found, allowed: allowed) }
    ) { (coder, label, index) throws(WeightFileError) in
      try coder.text(&label, .label(output: output, index: index))
    }
    try namedValues(
      &head.parameters,
      count: { (found, allowed) in
        .headParameterCount(output: output, found: found, allowed: allowed)
      },
      name: { (index) in .headParameter(output: output, index: index) })
  }

  private mutating func namedValues(
    _ lists: inout [NamedValues], count: (Int, ClosedRange<Int>) -> WeightFileError,
    name: (Int) -> WeightFileError.TextField
  ) throws(WeightFileError) {
    try list(
      &lists, blank: NamedValues("", []),
      allowed: WeightFormat.namedValueCounts, otherwise: count
    ) { (coder, values, index) throws(WeightFileError) in
      try coder.text(&values.name, name(index))
      try coder.list(
        &values.values, blank: 0,
        allowed: WeightFormat.valueCounts,
        otherwise: { (found, allowed) in .numberCount(name(index), found: found, allowed: allowed) }
      ) { (coder, value, _) throws(WeightFileError) in try coder.float(&value) }
    }
  }

  private mutating func tensors(_ tensors: inout [StatedTensor]) throws(WeightFileError) {
    try list(
      &tensors, blank: StatedTensor(storage: .float32, shape: []),
      allowed: WeightFormat.tensorCounts, otherwise: WeightFileError.tensorCount
    ) { (coder, tensor, index) throws(WeightFileError) in
      try coder.option(&tensor.storage) { (code) in
        .unknownStorage(tensor: index, code: code)
      }
      var rank = tensor.shape.count
      try coder.uint8(&rank)
      try WeightFileError.check(rank, in: WeightFormat.tensorRanks) { (found, allowed) in
        .tensorRank(tensor: index, found: found, allowed: allowed)
      }
      for axis in 0..<rank {
        if axis == tensor.shape.count { tensor.shape.append(0) }
        try coder.uint32(&tensor.shape[axis])
        try WeightFileError.check(tensor.shape[axis], in: WeightFormat.tensorDimensions) {
          (found, allowed) in .tensorDimension(tensor: index, found: found, allowed: allowed)
        }
      }
      try coder.integer(&tensor.offset, 8)
      try coder.integer(&tensor.byteCount, 8)
    }
  }

  private mutating func provenance(
    _ entries: inout [ProvenanceEntry]
  ) throws(WeightFileError) {
    try list(
      &entries, blank: ProvenanceEntry(key: "", value: ""),
      allowed: WeightFormat.provenanceCounts, otherwise: WeightFileError.provenanceCount
    ) { (coder, entry, index) throws(WeightFileError) in
      try coder.text(&entry.key, .provenanceKey(index))
      try coder.text(&entry.value, .provenanceValue(index))
    }
  }
}
