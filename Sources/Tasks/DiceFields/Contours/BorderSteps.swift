/// The eight ways from a pixel to a neighbour, and what a walk along a border does next.
///
/// Directions count from 0 to the right, against the clock as one sees the picture: 1 up and right,
/// 2 up, and so on to 7, down and right.
enum BorderSteps {
  static let (right, left) = (0, 4)

  /// The next direction, 0...7.
  static let direction: UInt8 = 7
  /// The walk goes round ground on the left: it passes the left edge of the pixel.
  static let passesLeft: UInt8 = 8
  /// It passes the right edge.
  static let passesRight: UInt8 = 16
  /// The next direction is another than the last: the pixel is a corner of the chain.
  static let turns: UInt8 = 32

  /// What comes next, for each neighbourhood of nine bits and each direction of arrival.
  ///
  /// Element `neighborhood * 8 + arrival`. The neighbourhood has the bit `3 * (row + 1) + (column + 1)`
  /// for the pixel at that row and column from the middle. The walk looks at the neighbours against the
  /// clock, from the one after that which it came from, and goes to the first in the foreground.
  static let table: [UInt8] = {
    var table = [UInt8](repeating: 0, count: 512 * 8)
    for neighborhood in 0..<512 {
      for arrival in 0..<8 {
        var step: UInt8 = 0
        for turn in 1...8 {
          let direction = (arrival + 4 + turn) & 7
          if neighborhood >> bit(direction) & 1 == 1 {
            step |= UInt8(direction)
            if direction != arrival { step |= turns }
            break
          }
          if direction == left { step |= passesLeft }
          if direction == right { step |= passesRight }
        }
        table[neighborhood * 8 + arrival] = step
      }
    }
    return table
  }()

  /// How the column and the row change in a direction.
  static func offset(_ direction: Int) -> (column: Int, row: Int) {
    switch direction {
    case 0: (1, 0)
    case 1: (1, -1)
    case 2: (0, -1)
    case 3: (-1, -1)
    case 4: (-1, 0)
    case 5: (-1, 1)
    case 6: (0, 1)
    default: (1, 1)
    }
  }

  /// The neighbour's bit in a neighbourhood.
  static func bit(_ direction: Int) -> Int {
    let (column, row) = offset(direction)
    return 3 * (row + 1) + column + 1
  }
}

/// A step in a direction: what it adds to a place in the picture's bits, and to a point's.
struct BorderMove: Sendable {
  var place = 0
  var point: UInt32 = 0
}
