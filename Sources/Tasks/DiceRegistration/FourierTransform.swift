internal import DiceNumerics

/// The discrete Fourier transform of a real plane, radix 2, and its inverse.
///
///     F(v, u) = Σ_y Σ_x f(y, x) · e^(−2πi (u x / W + v y / H))
///
/// Only `u` in 0...W/2 is kept; the rest follows by symmetry. The spectrum lies column by column:
/// the value for `(v, u)` is at `u · H + v`.
struct PlaneTransform: Sendable {
  let width: Int
  let height: Int
  private let rows: LineTransform
  private let columns: LineTransform
  private var lineReal: [Float]
  private var lineImaginary: [Float]

  /// - Precondition: both sides are powers of two, at least 8.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    rows = LineTransform(count: width)
    columns = LineTransform(count: height)
    lineReal = [Float](repeating: 0, count: width)
    lineImaginary = lineReal
  }

  /// How many values a spectrum has.
  var spectrumCount: Int { (width / 2 + 1) * height }

  /// The spectrum of a plane of `height` rows of `width` values.
  mutating func forward(_ plane: [Float], into spectrum: inout PlaneSpectrum) {
    for row in stride(from: 0, to: height, by: 2) {
      // Two real rows are one complex line.
      for x in 0..<width {
        lineReal[x] = plane[row * width + x]
        lineImaginary[x] = plane[(row + 1) * width + x]
      }
      rows.transform(&lineReal, &lineImaginary, from: 0)
      for u in 0...width / 2 {
        let mirrored = (width - u) & (width - 1)
        let place = u * height + row
        spectrum.real[place] = (lineReal[u] + lineReal[mirrored]) / 2
        spectrum.imaginary[place] = (lineImaginary[u] - lineImaginary[mirrored]) / 2
        spectrum.real[place + 1] = (lineImaginary[u] + lineImaginary[mirrored]) / 2
        spectrum.imaginary[place + 1] = (lineReal[mirrored] - lineReal[u]) / 2
      }
    }
    for u in 0...width / 2 {
      columns.transform(&spectrum.real, &spectrum.imaginary, from: u * height)
    }
  }

  /// The plane of a spectrum, times `width * height`.
  ///
  /// The spectrum is used up.
  mutating func inverse(_ spectrum: inout PlaneSpectrum, into plane: inout [Float]) {
    // The inverse is the forward transform with real and imaginary parts exchanged.
    for u in 0...width / 2 {
      columns.transform(&spectrum.imaginary, &spectrum.real, from: u * height)
    }
    for row in stride(from: 0, to: height, by: 2) {
      for u in 0...width / 2 {
        let place = u * height + row
        let mirrored = (width - u) & (width - 1)
        let real = spectrum.real[place]
        let imaginary = spectrum.imaginary[place]
        let nextReal = spectrum.real[place + 1]
        let nextImaginary = spectrum.imaginary[place + 1]
        lineReal[mirrored] = real + nextImaginary
        lineImaginary[mirrored] = nextReal - imaginary
        lineReal[u] = real - nextImaginary
        lineImaginary[u] = nextReal + imaginary
      }
      rows.transform(&lineImaginary, &lineReal, from: 0)
      for x in 0..<width {
        plane[row * width + x] = lineReal[x]
        plane[(row + 1) * width + x] = lineImaginary[x]
      }
    }
  }
}

/// The spectrum of a plane, as ``PlaneTransform`` lays it out.
struct PlaneSpectrum: Sendable {
  var real: [Float]
  var imaginary: [Float]

  init(count: Int) {
    real = [Float](repeating: 0, count: count)
    imaginary = real
  }
}

/// The discrete Fourier transform of a line of complex numbers, in place, radix 2.
struct LineTransform: Sendable {
  let count: Int
  /// The factors of each step, four at a time from the third step on.
  private var cosines: [SIMD4<Float>] = []
  private var sines: [SIMD4<Float>] = []
  private var exchanges: [(Int, Int)] = []

  /// - Precondition: `count` is a power of two, at least 8.
  init(count: Int) {
    precondition(count >= 8 && count & (count - 1) == 0, "a power of two")
    self.count = count
    var half = 4
    while half < count {
      for first in stride(from: 0, to: half, by: 4) {
        var factors = (cosine: SIMD4<Float>(), sine: SIMD4<Float>())
        for lane in 0..<4 {
          let turns = -Double(first + lane) / Double(2 * half)
          let (sine, cosine) = sineAndCosine(turns: turns)
          factors.cosine[lane] = Float(cosine)
          factors.sine[lane] = Float(sine)
        }
        cosines.append(factors.cosine)
        sines.append(factors.sine)
      }
      half *= 2
    }
    let bits = count.trailingZeroBitCount
    for index in 0..<count {
      var reversed = 0
      for bit in 0..<bits where index >> bit & 1 == 1 { reversed |= 1 << (bits - 1 - bit) }
      if reversed > index { exchanges.append((index, reversed)) }
    }
  }

  /// Transforms the `count` numbers from `start` on: `X_k = Σ_n x_n · e^(−2πi k n / count)`.
  func transform(_ real: inout [Float], _ imaginary: inout [Float], from start: Int) {
    precondition(start >= 0 && start + count <= min(real.count, imaginary.count))
    unsafe real.withUnsafeMutableBufferPointer { (real) in
      unsafe imaginary.withUnsafeMutableBufferPointer { (imaginary) in
        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
        unsafe transform(real + start, imaginary + start)
      }
    }
  }

  private func transform(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
  ) {
    for (first, second) in exchanges {
      unsafe swap(&real[first], &real[second])
      unsafe swap(&imaginary[first], &imaginary[second])
    }
    // Two steps at once: factors of 1 and −i.
    for index in stride(from: 0, to: count, by: 4) {
      let (real, imaginary) = unsafe (real + index, imaginary + index)
      unsafe Self.transformFour(real, imaginary)
    }
    var half = 4
    var place = 0
    while half < count {
      for offset in stride(from: 0, to: half, by: 4) {
        let cosine = cosines[place]
        let sine = sines[place]
        place += 1
        for upper in stride(from: offset, to: count, by: 2 * half) {
          let lower = upper + half
          let (lowerReal, lowerImaginary) = unsafe (
            Self.load(real + lower), Self.load(imaginary + lower)
          )
          let (upperReal, upperImaginary) = unsafe (
            Self.load(real + upper), Self.load(imaginary + upper)
          )
          let productReal = lowerReal * cosine - lowerImaginary * sine
          let productImaginary = lowerReal * sine + lowerImaginary * cosine
          unsafe Self.store(upperReal - productReal, real + lower)
          unsafe Self.store(upperImaginary - productImaginary, imaginary + lower)
          unsafe Self.store(upperReal + productReal, real + upper)
          unsafe Self.store(upperImaginary + productImaginary, imaginary + upper)
        }
      }
      half *= 2
    }
  }

  /// The transform of four numbers in exchanged order.
  @inline(__always)
  private static func transformFour(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
  ) {
    let (r, i) = unsafe (load(real), load(imaginary))
    let sum = (real: r.evenHalf + r.oddHalf, imaginary: i.evenHalf + i.oddHalf)
    let difference = (real: r.evenHalf - r.oddHalf, imaginary: i.evenHalf - i.oddHalf)
    unsafe store(
      SIMD4(
        sum.real[0] + sum.real[1], difference.real[0] + difference.imaginary[1],
        sum.real[0] - sum.real[1], difference.real[0] - difference.imaginary[1]), real)
    unsafe store(
      SIMD4(
        sum.imaginary[0] + sum.imaginary[1], difference.imaginary[0] - difference.real[1],
        sum.imaginary[0] - sum.imaginary[1], difference.imaginary[0] + difference.real[1]),
      imaginary)
  }

  @inline(__always)
  private static func load(_ source: UnsafeMutablePointer<Float>) -> SIMD4<Float> {
    unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD4<Float>.self)
  }

  @inline(__always)
  private static func store(_ vector: SIMD4<Float>, _ target: UnsafeMutablePointer<Float>) {
    unsafe UnsafeMutableRawPointer(target).storeBytes(of: vector, as: SIMD4<Float>.self)
  }
}
