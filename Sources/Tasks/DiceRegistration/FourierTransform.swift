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

  /// - Precondition: both sides are powers of two, at least 4.
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
  private var cosines: [Float] = []
  private var sines: [Float] = []
  private var exchanges: [(Int, Int)] = []

  /// - Precondition: `count` is a power of two, at least 2.
  init(count: Int) {
    precondition(count >= 2 && count & (count - 1) == 0, "a power of two")
    self.count = count
    for index in 0..<count / 2 {
      let (sine, cosine) = sineAndCosine(turns: -Double(index) / Double(count))
      cosines.append(Float(cosine))
      sines.append(Float(sine))
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
    for (first, second) in exchanges {
      real.swapAt(start + first, start + second)
      imaginary.swapAt(start + first, start + second)
    }
    var half = 1
    while half < count {
      let step = count / (2 * half)
      for offset in 0..<half {
        let cosine = cosines[offset * step]
        let sine = sines[offset * step]
        var upper = start + offset
        while upper < start + count {
          let lower = upper + half
          let productReal = real[lower] * cosine - imaginary[lower] * sine
          let productImaginary = real[lower] * sine + imaginary[lower] * cosine
          real[lower] = real[upper] - productReal
          imaginary[lower] = imaginary[upper] - productImaginary
          real[upper] += productReal
          imaginary[upper] += productImaginary
          upper += 2 * half
        }
      }
      half *= 2
    }
  }
}
