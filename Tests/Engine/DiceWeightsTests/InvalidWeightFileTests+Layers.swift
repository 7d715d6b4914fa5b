import DiceWeights

extension InvalidWeightFileTests {
  static let records: [Case] = [
    Case("W33-layers", .layerCount(found: 4097, allowed: 1...4096)),
    Case("W33-no-layers", .layerCount(found: 0, allowed: 1...4096)),
    Case("W34-kind-0", .unknownLayerKind(layer: 1, code: 0)),
    Case("W34-kind-19", .unknownLayerKind(layer: 1, code: 19)),
    Case("W34-kind-65535", .unknownLayerKind(layer: 1, code: 65535)),
    Case("W35-long", .layerRecordLength(layer: 1, found: 6, required: 5)),
    Case("W35-short", .layerRecordLength(layer: 1, found: 4, required: 5)),
    Case("W36-activation", .unknownActivation(layer: 1, code: 24)),
    Case("W36-convolution", .unknownActivation(layer: 0, code: 255)),
    Case("W37-axes", .unknownLayerOption(layer: 0, .axes, code: 8)),
    Case("W37-axis", .unknownLayerOption(layer: 0, .axis, code: 3)),
    Case("W37-concatenation", .unknownLayerOption(layer: 0, .axis, code: 3)),
    Case("W37-coordinates", .unknownLayerOption(layer: 0, .coordinates, code: 3)),
    Case("W37-extent", .unknownLayerOption(layer: 0, .extent, code: 2)),
    Case("W37-interpolation", .unknownLayerOption(layer: 0, .interpolation, code: 5)),
    Case("W37-operation", .unknownLayerOption(layer: 0, .operation, code: 7)),
    Case("W37-padding", .unknownLayerOption(layer: 0, .paddingMode, code: 3)),
    Case("W37-pooling", .unknownLayerOption(layer: 0, .poolingKind, code: 3)),
    Case("W37-reduction", .unknownLayerOption(layer: 0, .reductionKind, code: 4)),
    Case("W37-slice", .unknownLayerOption(layer: 0, .axis, code: 255)),
    Case("W37-transposition", .unknownLayerOption(layer: 0, .transposition, code: 4)),
    Case("W38-far", .inputIndex(layer: 0, found: 2_147_483_647, inputCount: 1)),
    Case("W38-input", .inputIndex(layer: 0, found: 1, inputCount: 1)),
    Case("W39-far", .sourceNotEarlier(layer: 1, source: 2_147_483_647)),
    Case("W39-itself", .sourceNotEarlier(layer: 1, source: 1)),
  ]

  static let operands: [Case] = [
    Case("W40-kernel-0", .kernelSize(layer: 0, found: 0, allowed: 1...64)),
    Case("W40-kernel-65", .kernelSize(layer: 0, found: 65, allowed: 1...64)),
    Case("W40-pooling-1025", .kernelSize(layer: 0, found: 1025, allowed: 1...1024)),
    Case("W40-transposed", .kernelSize(layer: 0, found: 65, allowed: 1...64)),
    Case("W41-stride-0", .stride(layer: 0, found: 0, allowed: 1...64)),
    Case("W41-stride-65", .stride(layer: 0, found: 65, allowed: 1...64)),
    Case("W42-dilation-0", .dilation(layer: 0, found: 0, allowed: 1...64)),
    Case("W42-dilation-65", .dilation(layer: 0, found: 65, allowed: 1...64)),
    Case("W42-pooling", .dilation(layer: 0, found: 2, allowed: 1...1)),
    Case("W43-channels", .padding(layer: 0, found: 4097, allowed: 0...4096)),
    Case("W43-convolution", .padding(layer: 0, found: 1, allowed: 0...0)),
    Case("W43-edge", .padding(layer: 0, found: 4097, allowed: 0...4096)),
    Case("W43-mirrored-channels", .padding(layer: 0, found: 2, allowed: 0...1)),
    Case("W43-mirrored", .padding(layer: 0, found: 4, allowed: 0...3)),
    Case("W43-pooling", .padding(layer: 0, found: 3, allowed: 0...2)),
    Case("W44-columns", .extraPositions(layer: 0, found: 1, stride: 1)),
    Case("W44-rows", .extraPositions(layer: 0, found: 2, stride: 2)),
    Case("W45-convolution", .channelMismatch(layer: 0, found: 3, required: 4)),
    Case("W45-transposed", .channelMismatch(layer: 0, found: 3, required: 2)),
    Case("W46-inputs", .groups(layer: 0, found: 2, inputChannels: 3, outputChannels: 6)),
    Case("W46-many", .groups(layer: 0, found: 6, inputChannels: 3, outputChannels: 6)),
    Case("W46-no-channels", .groups(layer: 0, found: 1, inputChannels: 3, outputChannels: 0)),
    Case("W46-none", .groups(layer: 0, found: 0, inputChannels: 3, outputChannels: 6)),
    Case("W46-outputs", .groups(layer: 0, found: 3, inputChannels: 3, outputChannels: 7)),
    Case("W47-clamp", .layerNumber(layer: 0, found: 0.5)),
    Case("W47-convolution", .layerNumber(layer: 0, found: .infinity)),
    Case("W47-elementwise", .layerNumber(layer: 0, found: 0)),
    Case("W47-elu", .layerNumber(layer: 0, found: -.infinity)),
    Case("W47-epsilon-nan", .layerNumber(layer: 0, found: .nan)),
    Case("W47-epsilon-zero", .layerNumber(layer: 0, found: 0)),
    Case("W47-hard-sigmoid", .layerNumber(layer: 0, found: .infinity)),
    Case("W47-infinite-clamp", .layerNumber(layer: 0, found: .infinity)),
    Case("W47-linear", .layerNumber(layer: 0, found: .nan)),
    Case("W47-logarithm", .layerNumber(layer: 0, found: 0)),
    Case("W47-padding", .layerNumber(layer: 0, found: .nan)),
    Case("W47-power", .layerNumber(layer: 0, found: -1)),
    Case("W47-slope", .layerNumber(layer: 0, found: .nan)),
    Case("W48-index", .reductionAxes(layer: 0, found: 2)),
    Case("W48-none", .reductionAxes(layer: 0, found: 0)),
    Case(
      "W49-concatenation",
      .shapeMismatch(
        layer: 1, found: TensorShape(height: 4, width: 2, channels: 2),
        required: TensorShape(height: 4, width: 4, channels: 2))),
    Case(
      "W49-elementwise",
      .shapeMismatch(
        layer: 1, found: TensorShape(height: 4, width: 4, channels: 2),
        required: TensorShape(height: 4, width: 2, channels: 2))),
    Case(
      "W49-places-channels",
      .shapeMismatch(
        layer: 1, found: TensorShape(height: 4, width: 4, channels: 4),
        required: TensorShape(height: 4, width: 4, channels: 2))),
    Case(
      "W49-places-rows",
      .shapeMismatch(
        layer: 1, found: TensorShape(height: 2, width: 4, channels: 2),
        required: TensorShape(height: 4, width: 4, channels: 2))),
    Case(
      "W49-product",
      .shapeMismatch(
        layer: 0, found: TensorShape(height: 4, width: 4, channels: 2),
        required: TensorShape(height: 4, width: 4, channels: 2))),
    Case(
      "W49-product-rows",
      .shapeMismatch(
        layer: 1, found: TensorShape(height: 2, width: 4, channels: 2),
        required: TensorShape(height: 4, width: 4, channels: 2))),
    Case("W50-many", .concatenationCount(layer: 0, found: 65, allowed: 2...64)),
    Case("W50-one", .concatenationCount(layer: 0, found: 1, allowed: 2...64)),
    Case("W51-count", .sliceOutOfRange(layer: 0, start: 1, count: 4, step: 1, extent: 4)),
    Case("W51-empty", .sliceOutOfRange(layer: 0, start: 0, count: 0, step: 1, extent: 4)),
    Case(
      "W51-far",
      .sliceOutOfRange(
        layer: 0, start: 4_294_967_295, count: 4_294_967_295, step: 4_294_967_295, extent: 4)),
    Case(
      "W51-long-step", .sliceOutOfRange(layer: 0, start: 0, count: 1, step: 1_048_577, extent: 4)),
    Case("W51-no-step", .sliceOutOfRange(layer: 0, start: 0, count: 1, step: 0, extent: 4)),
    Case("W51-start", .sliceOutOfRange(layer: 0, start: 4, count: 1, step: 1, extent: 4)),
    Case("W51-step", .sliceOutOfRange(layer: 0, start: 0, count: 3, step: 2, extent: 4)),
    Case("W52-factor-0", .resizingFactor(layer: 0, found: 0, allowed: 1...64)),
    Case("W52-factor-65", .resizingFactor(layer: 0, found: 65, allowed: 1...64)),
    Case("W53-axes", .rearrangementRank(layer: 0, found: 9, allowed: 1...8)),
    Case("W53-no-axes", .rearrangementRank(layer: 0, found: 0, allowed: 1...8)),
    Case("W54-far", .permutation(layer: 0)),
    Case("W54-twice", .permutation(layer: 0)),
    Case("W55-dimensions", .rearrangedCount(layer: 0, required: 32)),
    Case("W55-huge", .rearrangedCount(layer: 0, required: 32)),
    Case("W55-output", .rearrangedCount(layer: 0, required: 32)),
    Case("W55-zero", .rearrangedCount(layer: 0, required: 32)),
    Case("W56-dense", .emptyOutput(layer: 0, shape: TensorShape(height: 1, width: 1, channels: 0))),
    Case(
      "W56-resizing", .emptyOutput(layer: 0, shape: TensorShape(height: 0, width: 1, channels: 2))),
    Case(
      "W56-transposed", .emptyOutput(layer: 0, shape: TensorShape(height: 0, width: 2, channels: 6))
    ),
    Case(
      "W56-window", .emptyOutput(layer: 0, shape: TensorShape(height: 0, width: 4, channels: 2))),
    Case(
      "W57-channels",
      .outputTooLarge(layer: 0, shape: TensorShape(height: 1, width: 1, channels: 2_097_152))),
    Case(
      "W57-constant",
      .outputTooLarge(
        layer: 1,
        shape: TensorShape(height: 4_294_967_295, width: 4_294_967_295, channels: 4_294_967_295))),
    Case(
      "W57-rows",
      .outputTooLarge(
        layer: 0, shape: TensorShape(height: 4_294_967_295, width: 4_294_967_295, channels: 2))),
    Case(
      "W57-values",
      .outputTooLarge(layer: 0, shape: TensorShape(height: 32768, width: 32768, channels: 1))),
    Case("W58-last", .unusedLayer(layer: 1)),
    Case("W58-layer", .unusedLayer(layer: 0)),
  ]
}
