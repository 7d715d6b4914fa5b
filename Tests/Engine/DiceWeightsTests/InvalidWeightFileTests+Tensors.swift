import DiceWeights

extension InvalidWeightFileTests {
  static let tables: [Case] = [
    Case("W59-tensors", .tensorCount(found: 16385, allowed: 0...16384)),
    Case("W60-storage-0", .unknownStorage(tensor: 1, code: 0)),
    Case("W60-storage-5", .unknownStorage(tensor: 1, code: 5)),
    Case("W61-rank-0", .tensorRank(tensor: 1, found: 0, allowed: 1...4)),
    Case("W61-rank-5", .tensorRank(tensor: 0, found: 5, allowed: 1...4)),
    Case("W62-dimension-0", .tensorDimension(tensor: 0, found: 0, allowed: 1...16_777_216)),
    Case(
      "W62-dimension-16777217",
      .tensorDimension(tensor: 0, found: 16_777_217, allowed: 1...16_777_216)),
    Case(
      "W62-dimension-4294967295",
      .tensorDimension(tensor: 0, found: 4_294_967_295, allowed: 1...16_777_216)),
    Case("W63-bias", .tensorIndex(layer: 0, found: 4_294_967_295, tensorCount: 2)),
    Case("W63-constant", .tensorIndex(layer: 1, found: 0, tensorCount: 0)),
    Case("W63-elementwise", .tensorIndex(layer: 1, found: 7, tensorCount: 2)),
    Case("W63-slopes", .tensorIndex(layer: 0, found: 2, tensorCount: 2)),
    Case("W63-weights", .tensorIndex(layer: 0, found: 2, tensorCount: 2)),
    Case(
      "W64-dense", .tensorTooLarge(tensor: 0, elementCount: 1_099_511_627_776, limit: 268_435_456)),
    Case("W65-broadcast", .tensorShape(layer: 1, tensor: 0, found: [1], required: [2])),
    Case("W65-constant", .tensorShape(layer: 0, tensor: 0, found: [2], required: [1, 1, 2])),
    Case("W65-dense", .tensorShape(layer: 0, tensor: 0, found: [31, 6], required: [32, 6])),
    Case(
      "W65-groups", .tensorShape(layer: 0, tensor: 0, found: [1, 1, 3, 6], required: [1, 1, 1, 6])),
    Case("W65-multipliers", .tensorShape(layer: 0, tensor: 2, found: [6, 2], required: [6, 3])),
    Case("W65-normalization", .tensorShape(layer: 0, tensor: 3, found: [1], required: [2])),
    Case(
      "W65-order", .tensorShape(layer: 0, tensor: 0, found: [1, 1, 6, 3], required: [1, 1, 3, 6])),
    Case("W65-rank", .tensorShape(layer: 0, tensor: 0, found: [18], required: [1, 1, 3, 6])),
    Case(
      "W65-shared", .tensorShape(layer: 1, tensor: 0, found: [1, 1, 3, 6], required: [1, 1, 6, 6])),
    Case("W65-slopes", .tensorShape(layer: 0, tensor: 2, found: [3], required: [6])),
    Case("W65-sum", .tensorShape(layer: 0, tensor: 0, found: [3], required: [3, 3])),
    Case("W65-table", .tensorShape(layer: 0, tensor: 0, found: [255], required: [256])),
    Case("W66-all", .unusedTensor(tensor: 0)),
    Case("W66-gap", .unusedTensor(tensor: 1)),
    Case("W66-tensor", .unusedTensor(tensor: 2)),
  ]

  static let tensors: [Case] = [
    Case("W67-long", .tensorByteCount(tensor: 1, found: 14, required: 12)),
    Case("W67-short", .tensorByteCount(tensor: 1, found: 10, required: 12)),
    Case("W68-descending", .tensorOffset(tensor: 0, found: 448, required: 384)),
    Case("W68-hole", .tensorOffset(tensor: 1, found: 512, required: 448)),
    Case("W68-huge", .tensorOffset(tensor: 1, found: 9_223_372_036_854_776_256, required: 448)),
    Case("W68-overlap", .tensorOffset(tensor: 1, found: 384, required: 448)),
    Case("W68-unaligned", .tensorOffset(tensor: 0, found: 386, required: 384)),
    Case("W69-before-all", .tensorsEnd(found: 420, byteCount: 374)),
    Case("W69-before", .tensorsEnd(found: 460, byteCount: 440)),
    Case("W69-behind", .tensorsEnd(found: 460, byteCount: 461)),
    Case("W69-no-tensors", .tensorsEnd(found: 201, byteCount: 265)),
    Case("W69-within", .tensorsEnd(found: 460, byteCount: 459)),
    Case("W70-between", .gapByteNotZero(offset: 447)),
    Case("W70-gap", .gapByteNotZero(offset: 374)),
    Case("W71-bfloat16-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W71-bfloat16-minus-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W71-bfloat16-nan", .valueNotFinite(tensor: 0, element: 17)),
    Case("W71-float16-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W71-float16-minus-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W71-float16-nan", .valueNotFinite(tensor: 0, element: 17)),
    Case("W71-float32-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W71-float32-minus-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W71-float32-nan", .valueNotFinite(tensor: 0, element: 17)),
    Case("W72-infinite", .quantizationScale(tensor: 0, channel: 3, found: .infinity)),
    Case("W72-large", .quantizationScale(tensor: 0, channel: 3, found: 3e+38)),
    Case("W72-minus-zero", .quantizationScale(tensor: 0, channel: 3, found: -0.0)),
    Case("W72-nan", .quantizationScale(tensor: 0, channel: 3, found: .nan)),
    Case("W72-negative", .quantizationScale(tensor: 0, channel: 3, found: -1)),
    Case("W73-int8", .quantizedValue(tensor: 0, element: 7)),
  ]
}
