// Batch normalisation for training, row by row. All buffers hold pixels of `channelCount` floats,
// a multiple of 16, `width` of them in a row without gaps.

/// Adds the sums over one row of values and of squared values: `sums[c] += Σ x[c]`,
/// `squares[c] += Σ x[c]²`.
@_alwaysEmitIntoClient @inline(__always)
public func addMoments<Vector: FloatLanes>(
  _: Vector.Type, _ row: Address, width: Int, channelCount: Int, sums: Address, squares: Address
) {
  var channel = 0
  while channel < channelCount {
    var sum = sums.vector(at: channel, as: Vector.self)
    var square = squares.vector(at: channel, as: Vector.self)
    var offset = channel
    var column = 0
    while column < width {
      let value = row.vector(at: offset, as: Vector.self)
      sum += value
      square += value * value
      offset &+= channelCount
      column &+= 1
    }
    sums.store(sum, at: channel)
    squares.store(square, at: channel)
    channel &+= Vector.scalarCount
  }
}

/// `output[c] = leaky(input[c] * scale[c] + shift[c])` over one row.
@_alwaysEmitIntoClient @inline(__always)
public func normalize<Vector: FloatLanes>(
  _: Vector.Type, _ input: Address, output: Address, width: Int, channelCount: Int,
  scale: Address, shift: Address, slope: Float
) {
  let slopes = Vector(repeating: slope)
  var channel = 0
  while channel < channelCount {
    let scales = scale.vector(at: channel, as: Vector.self)
    let shifts = shift.vector(at: channel, as: Vector.self)
    var offset = channel
    var column = 0
    while column < width {
      let value = input.vector(at: offset, as: Vector.self) * scales + shifts
      output.store(leakyRectified(value, slope: slopes), at: offset)
      offset &+= channelCount
      column &+= 1
    }
    channel &+= Vector.scalarCount
  }
}

/// The gradient before the rectifier, in place, and its sums over one row: `g = gradient[c]`, times
/// `slope` where `activated[c] < 0`; `sums[c] += g`, `products[c] += g * input[c]`.
@_alwaysEmitIntoClient @inline(__always)
public func backpropagateActivation<Vector: FloatLanes>(
  _: Vector.Type, gradient: Address, activated: Address, input: Address, width: Int,
  channelCount: Int, slope: Float, sums: Address, products: Address
) {
  let slopes = Vector(repeating: slope)
  var channel = 0
  while channel < channelCount {
    var sum = sums.vector(at: channel, as: Vector.self)
    var product = products.vector(at: channel, as: Vector.self)
    var offset = channel
    var column = 0
    while column < width {
      let value = scaled(
        gradient.vector(at: offset, as: Vector.self), by: slopes,
        where: negativeLanes(activated.vector(at: offset, as: Vector.self)))
      gradient.store(value, at: offset)
      sum += value
      product += value * input.vector(at: offset, as: Vector.self)
      offset &+= channelCount
      column &+= 1
    }
    sums.store(sum, at: channel)
    products.store(product, at: channel)
    channel &+= Vector.scalarCount
  }
}

/// `gradient[c] = p[c] * gradient[c] + q[c] * input[c] + r[c]` over one row, in place.
@_alwaysEmitIntoClient @inline(__always)
public func combine<Vector: FloatLanes>(
  _: Vector.Type, gradient: Address, input: Address, width: Int, channelCount: Int,
  p: Address, q: Address, r: Address
) {
  var channel = 0
  while channel < channelCount {
    let p = p.vector(at: channel, as: Vector.self)
    let q = q.vector(at: channel, as: Vector.self)
    let r = r.vector(at: channel, as: Vector.self)
    var offset = channel
    var column = 0
    while column < width {
      let value = gradient.vector(at: offset, as: Vector.self) * p
      gradient.store(value + input.vector(at: offset, as: Vector.self) * q + r, at: offset)
      offset &+= channelCount
      column &+= 1
    }
    channel &+= Vector.scalarCount
  }
}
