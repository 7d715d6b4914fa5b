/// Reads the compressed rows of a picture: decompression, filters, conversion, interlacing.
@unsafe struct PNGRowReader {
  private let header: PNGHeader
  private let layout: PNGLayout
  private let converter: PNGRowConverter
  private let input: UnsafeBufferPointer<UInt8>
  private var stream: ZlibStream

  /// Prepares to read the rows that `input`, a zlib stream, holds.
  init(
    _ file: PNGFile, _ layout: PNGLayout, _ input: UnsafeBufferPointer<UInt8>
  ) throws(PNGError) {
    unsafe header = file.header
    unsafe self.layout = layout
    unsafe converter = PNGRowConverter(file, layout.format)
    unsafe self.input = input
    do throws(InflateError) {
      unsafe stream = try ZlibStream(input, pieceByteCount: layout.longestRow + 1)
    } catch {
      throw .invalidCompression(error)
    }
  }

  /// The samples of the whole picture.
  mutating func readAll() throws(PNGError) -> [UInt8] {
    var samples = unsafe [UInt8](repeating: 0, count: layout.sampleCount)
    for pass in unsafe layout.passes {
      if unsafe converter.copies && !header.isInterlaced {
        try unsafe readDirectly(pass, into: &samples)
      } else {
        try unsafe readAndConvert(pass, into: &samples)
      }
    }
    do throws(InflateError) {
      try unsafe stream.finish(input)
    } catch {
      throw .invalidCompression(error)
    }
    return samples
  }

  /// Rows whose bytes are the samples go straight to their place.
  private mutating func readDirectly(
    _ pass: PNGPass, into samples: inout [UInt8]
  ) throws(PNGError) {
    let count = unsafe PNGLayout.rowByteCount(width: pass.width, header)
    let zeros = [UInt8](repeating: 0, count: count)
    for y in 0..<pass.height {
      let start = y * count
      try unsafe samples.withUnsafeMutableBufferPointer { (samples) throws(PNGError) in
        let row = unsafe UnsafeMutableBufferPointer(rebasing: samples[start..<start + count])
        if y == 0 {
          try unsafe zeros.withUnsafeBufferPointer { (zeros) throws(PNGError) in
            try unsafe readRow(into: row, previous: zeros)
          }
        } else {
          let previous = unsafe UnsafeBufferPointer(rebasing: samples[start - count..<start])
          try unsafe readRow(into: row, previous: previous)
        }
      }
    }
  }

  /// Rows that need conversion, or whose pixels are scattered over the picture.
  private mutating func readAndConvert(
    _ pass: PNGPass, into samples: inout [UInt8]
  ) throws(PNGError) {
    let count = unsafe PNGLayout.rowByteCount(width: pass.width, header)
    let channelCount = unsafe layout.format.channelCount
    let pictureRow = unsafe header.width * channelCount
    var current = [UInt8](repeating: 0, count: count)
    var previous = current
    let scatters = pass.columnStep > 1
    var line = [UInt8](repeating: 0, count: scatters ? pass.width * channelCount : 0)
    for y in 0..<pass.height {
      swap(&current, &previous)
      let start = (pass.firstRow + y * pass.rowStep) * pictureRow
      try unsafe current.withUnsafeMutableBufferPointer { (current) throws(PNGError) in
        try unsafe previous.withUnsafeBufferPointer { (previous) throws(PNGError) in
          try unsafe readRow(into: current, previous: previous)
        }
        let row = UnsafeBufferPointer(current)
        if scatters {
          try unsafe line.withUnsafeMutableBufferPointer { (line) throws(PNGError) in
            try unsafe converter.convert(row, width: pass.width, into: line)
          }
        } else {
          try unsafe samples.withUnsafeMutableBufferPointer { (samples) throws(PNGError) in
            let target = unsafe samples[start..<start + pictureRow]
            try unsafe converter.convert(
              row, width: pass.width, into: UnsafeMutableBufferPointer(rebasing: target))
          }
        }
      }
      if scatters {
        unsafe scatter(line, pass, into: &samples, at: start + pass.firstColumn * channelCount)
      }
    }
  }

  private func scatter(
    _ line: [UInt8], _ pass: PNGPass, into samples: inout [UInt8], at start: Int
  ) {
    let channelCount = unsafe layout.format.channelCount
    let step = pass.columnStep * channelCount
    for x in 0..<pass.width {
      for channel in 0..<channelCount {
        samples[start + x * step + channel] = line[x * channelCount + channel]
      }
    }
  }

  /// Reads the next row of the stream; both buffers have the bytes of one row of the pass.
  private mutating func readRow(
    into row: UnsafeMutableBufferPointer<UInt8>, previous: UnsafeBufferPointer<UInt8>
  ) throws(PNGError) {
    precondition(row.count == previous.count)
    let distance = unsafe header.filterDistance
    var invalidFilter: UInt8?
    do throws(ZlibStream.ShortOutputError) {
      try unsafe stream.withNextPiece(input, count: row.count + 1) { piece in
        guard let filter = unsafe PNGFilter(rawValue: piece[0]) else {
          invalidFilter = unsafe piece[0]
          return
        }
        guard let source = piece.baseAddress, let above = previous.baseAddress,
          let destination = row.baseAddress
        else { return }
        unsafe filter.reverse(
          source + 1, previous: above, into: destination, count: row.count, distance: distance)
      }
    } catch {
      switch error {
      case .broken(let error): throw .invalidCompression(error)
      case .ended: throw unsafe .imageDataTooShort(requiredByteCount: layout.storedByteCount)
      }
    }
    if let invalidFilter { throw .invalidFilter(invalidFilter) }
  }
}
