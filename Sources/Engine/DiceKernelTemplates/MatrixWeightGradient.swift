/// Adds the weight gradient over all rows.
///
/// Input and gradient of a group of rows are brought into the order of the tiles: the input as a plane
/// for each channel and each phase of the stride, the gradient as pairs of pixels. Pixels follow each
/// other over the ends of rows, with zeros in the gradient between them, so that a tap is a distance.
@_alwaysEmitIntoClient @inline(__always)
public func gatherWeightGradient<Unit: TileUnit>(
  _: Unit.Type, _ task: MatrixWeightGradientTask, scratch: Address
) {
  var unit = Unit(rows: 16)
  let floats = scratch
  let buffer = BFloat16Address(floats)
  let sums = floats.advanced(by: 512)
  let gradients = BFloat16Address(floats.advanced(by: 2 * 512))
  let outputs = task.outputBlockCount * channelBlock
  let planes = gradients.advanced(by: task.groupLength * outputs)
  let groupHeight = task.groupHeight
  var start = 0
  while start < task.height {
    let rows = start..<min(task.height, start + groupHeight)
    let length = (rows.count * task.rowLength + 31) / 32 * 32
    packGradient(Unit.self, task, rows: rows, length: length, to: gradients)
    var phase = 0
    while phase < task.stride * task.stride {
      packInput(
        Unit.self, task, rows: rows, phaseRow: phase / task.stride,
        phaseColumn: phase % task.stride,
        length: length,
        to: planes.advanced(by: phase * task.inputPlaneCount * task.planeStep), using: buffer)
      phase += 1
    }
    var tap = 0
    while tap < task.kernelSize * task.kernelSize {
      addProducts(task, tap: tap, length: length, gradients, planes, sums: sums, &unit)
      tap += 1
    }
    start = rows.upperBound
  }
  unit.release()
}

/// `gradients[q / 2][o][q % 2]` of pixel `q = (y - first row) * rowLength + x`; zero behind the row's end.
@_alwaysEmitIntoClient @inline(__always)
func packGradient<Unit: TileUnit>(
  _: Unit.Type, _ task: MatrixWeightGradientTask, rows: Range<Int>, length: Int,
  to gradients: BFloat16Address
) {
  let outputs = task.outputBlockCount * channelBlock
  let zero = SIMD16<Float>(repeating: 0)
  let none = SIMD16<Int32>(repeating: 0)
  var target = gradients
  for row in rows {
    let source = task.outputGradient.advanced(by: row * task.gradientRowStep)
    var column = 0
    while column < task.rowLength {
      var channel = 0
      while channel < outputs {
        if column < task.width {
          let first = source.vector(
            at: column * task.gradientPixelStep + channel, as: SIMD16<Float>.self)
          let second =
            column + 1 < task.width
            ? source.vector(
              at: (column + 1) * task.gradientPixelStep + channel, as: SIMD16<Float>.self) : zero
          target.store(bfloat16Pairs(first, second), at: 2 * channel)
        } else {
          target.store(none, at: 2 * channel)
        }
        channel += 16
      }
      target = target.advanced(by: 2 * outputs)
      column += 2
    }
  }
  var rest = rows.count * task.rowLength
  while rest < length {
    var channel = 0
    while channel < outputs {
      target.store(none, at: 2 * channel)
      channel += 16
    }
    target = target.advanced(by: 2 * outputs)
    rest += 2
  }
}

/// The planes of one phase: `planes[i][(y - first row - least dy) * rowLength + x - least dx]` is channel `i` of
/// input pixel `(y * stride + phaseRow, x * stride + phaseColumn)`.
@_alwaysEmitIntoClient @inline(__always)
func packInput<Unit: TileUnit>(
  _: Unit.Type, _ task: MatrixWeightGradientTask, rows: Range<Int>, phaseRow: Int, phaseColumn: Int,
  length: Int, to planes: BFloat16Address, using buffer: BFloat16Address
) {
  guard let down = task.reach(ofPhase: phaseRow), let across = task.reach(ofPhase: phaseColumn)
  else { return }
  let count = task.width + across.upperBound - across.lowerBound
  let pixelStep = task.stride * task.inputPixelStep
  var row = rows.lowerBound + down.lowerBound
  var target = planes
  while row < rows.upperBound + down.upperBound {
    let source = task.input.advanced(
      by: (row * task.stride + phaseRow) * task.inputRowStep
        + (across.lowerBound * task.stride + phaseColumn) * task.inputPixelStep)
    var channel = 0
    while channel < task.inputPlaneCount {
      var column = 0
      while column < task.rowLength {
        transpose(
          source.advanced(by: column * pixelStep + channel), pixelStep: pixelStep,
          count: count - column, to: target.advanced(by: channel * task.planeStep + column),
          planeStep: task.planeStep, using: buffer)
        column += 32
      }
      channel += 16
    }
    target = target.advanced(by: task.rowLength)
    row += 1
  }
  // Steps read on to their end, further than the last row was written.
  let written =
    (rows.count + down.upperBound - down.lowerBound - 1) * task.rowLength
    + (task.rowLength + 31) / 32 * 32
  let end =
    (down.upperBound - down.lowerBound) * task.rowLength + across.upperBound - across.lowerBound
    + length
  let none = SIMD16<UInt16>(repeating: 0)
  var channel = 0
  while channel < task.inputPlaneCount {
    var place = written
    while place < end {
      planes.store(none, at: channel * task.planeStep + place)
      place += 16
    }
    channel += 1
  }
}

/// Adds what one tap gathers over a group.
@_alwaysEmitIntoClient @inline(__always)
func addProducts<Unit: TileUnit>(
  _ task: MatrixWeightGradientTask, tap: Int, length: Int, _ gradients: BFloat16Address,
  _ planes: BFloat16Address, sums: Address, _ unit: inout Unit
) {
  let (phaseRow, down) = task.phaseAndDistance(tap / task.kernelSize)
  let (phaseColumn, across) = task.phaseAndDistance(tap % task.kernelSize)
  guard let leastDown = task.reach(ofPhase: phaseRow)?.lowerBound,
    let leastAcross = task.reach(ofPhase: phaseColumn)?.lowerBound
  else { return }
  let shift = (down - leastDown) * task.rowLength + across - leastAcross
  let plane = planes.advanced(
    by: (phaseRow * task.stride + phaseColumn) * task.inputPlaneCount * task.planeStep + shift)
  let outputs = task.outputBlockCount * channelBlock
  let planeStride = task.planeStep * 2
  let gradientStride = outputs * 4
  let tapCount = task.kernelSize * task.kernelSize
  var channel = 0
  while channel < task.inputPlaneCount {
    let isPairOfInputs = channel + 16 < task.inputPlaneCount
    let first = unsafe UnsafeRawPointer(plane.advanced(by: channel * task.planeStep).pointer)
    let second = unsafe first + (isPairOfInputs ? 16 * task.planeStep * 2 : 0)
    var block = 0
    while block < task.outputBlockCount {
      let isPairOfBlocks = block + 1 < task.outputBlockCount
      let right = unsafe UnsafeRawPointer(gradients.pointer) + block * 64
      unit.clearSums()
      var step = 0
      while step < length {
        let place = unsafe right + step * outputs * 2
        unsafe unit.load(.firstRight, place, stride: gradientStride)
        unsafe unit.load(.firstLeft, first + step * 2, stride: planeStride)
        unit.addProduct(to: .firstFirst)
        if isPairOfInputs {
          unsafe unit.load(.secondLeft, second + step * 2, stride: planeStride)
          unit.addProduct(to: .secondFirst)
        }
        if isPairOfBlocks {
          unsafe unit.load(.secondRight, place + 64, stride: gradientStride)
          unit.addProduct(to: .firstSecond)
          if isPairOfInputs { unit.addProduct(to: .secondSecond) }
        }
        step += 32
      }
      unsafe unit.store(.firstFirst, UnsafeMutableRawPointer(sums.pointer), stride: 64)
      add(sums, task, tap, tapCount, channel, block)
      if isPairOfBlocks {
        unsafe unit.store(.firstSecond, UnsafeMutableRawPointer(sums.pointer), stride: 64)
        add(sums, task, tap, tapCount, channel, block + 1)
      }
      if isPairOfInputs {
        unsafe unit.store(.secondFirst, UnsafeMutableRawPointer(sums.pointer), stride: 64)
        add(sums, task, tap, tapCount, channel + 16, block)
        if isPairOfBlocks {
          unsafe unit.store(.secondSecond, UnsafeMutableRawPointer(sums.pointer), stride: 64)
          add(sums, task, tap, tapCount, channel + 16, block + 1)
        }
      }
      block += 2
    }
    channel += 32
  }
}

/// Adds a tile of sums to the gradient of those input channels that there are.
@_alwaysEmitIntoClient @inline(__always)
func add(
  _ sums: Address, _ task: MatrixWeightGradientTask, _ tap: Int, _ tapCount: Int, _ channel: Int,
  _ block: Int
) {
  let target = task.weightGradient.advanced(
    by: ((block * tapCount + tap) * task.inputChannelCount + channel) * channelBlock)
  var row = 0
  while row < min(16, task.inputChannelCount - channel) {
    target.store(
      target.vector(at: row * 16, as: SIMD16<Float>.self)
        + sums.vector(at: row * 16, as: SIMD16<Float>.self), at: row * 16)
    row += 1
  }
}
