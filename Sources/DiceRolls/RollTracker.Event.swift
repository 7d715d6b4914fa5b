public import DiceGeometry

/// A die that a ``RollTracker`` follows.
public struct TrackedDie: Hashable, Sendable, Identifiable {
  /// Names the die for as long as it is followed; never used again by the same tracker.
  public var identifier: UInt64
  /// The box in pixels of the latest frame.
  ///
  /// For a die at rest it is the mean over the frames since it came to rest; for a moving one it is
  /// the latest box.
  public var boundingBox: BoundingBox
  /// What the die shows, from all readings since it came to rest (0.6 s at most); nil while it moves
  /// or its readings disagree.
  public var value: Int?
  /// What the die may show, most likely first.
  ///
  /// The geometric mean of the readings since it came to rest, or the latest reading while it moves.
  /// They sum to 1; empty where no value was read.
  public var values: [ValueProbability]
  /// How likely it is a die at all: the mean confidence of the boxes that ``boundingBox`` comes from.
  public var confidence: Float
  /// Whether the die lies still.
  public var isStill: Bool
  /// Whether the die was thrown, moved or came into view in the latest roll; false for one that lay
  /// there all along.
  public var tookPart: Bool

  /// The same as ``identifier``.
  public var id: UInt64 { identifier }
}

/// The outcome of a roll.
public struct Roll: Hashable, Sendable {
  /// The place of the roll in the order of the stream, from 1.
  public var number: Int
  /// All dice on the table, from left to right: by the centre's x, then y, then identifier.
  public var dice: [TrackedDie]
  /// When the first die of the roll was first seen or began to move.
  public var startTime: Duration
  /// When the last die came to rest, as far as the frames tell.
  public var restTime: Duration
  /// When the roll was reported: the time of the frame.
  public var endTime: Duration

  /// The numbers from left to right.
  public var values: [Int] {
    var result: [Int] = []
    for die in dice {
      if let value = die.value { result.append(value) }
    }
    return result
  }

  /// How many dice there are.
  public var count: Int { dice.count }

  /// The sum of the values; it stops at the bounds of `Int`.
  public var sum: Int {
    var sum = 0
    for value in values {
      let (result, overflow) = sum.addingReportingOverflow(value)
      sum = overflow ? (value < 0 ? .min : .max) : result
    }
    return sum
  }

  /// How long the dice took to come to rest: ``restTime`` minus ``startTime``, and not negative.
  public var settlingDuration: Duration { max(restTime - startTime, .zero) }
}

extension RollTracker {
  /// What happened in a frame.
  ///
  /// The events of one frame come in this order: `cameraMoved`, `dieEntered` (dice from left to
  /// right, here and below), `dieMoved`, `dieLeft`, `rollStarted`, `unsettled`, `rollEnded` or
  /// `resultRevised` or `rollAbandoned`, `cleared`.
  public enum Event: Hashable, Sendable {
    /// The camera has moved by `(x, y)` pixels since the last such event, and by at least
    /// ``Configuration-swift.struct/cameraMoveDistance``.
    case cameraMoved(x: Double, y: Double)
    /// A die has been seen often enough to count, or has come back into view.
    case dieEntered(TrackedDie)
    /// A die that lay still has been displaced.
    case dieMoved(TrackedDie)
    /// A die has not been seen for too long.
    case dieLeft(TrackedDie)
    /// A roll is under way; the time at which it began.
    case rollStarted(at: Duration)
    /// A die lies still, yet its value cannot be told: it leans, or its readings disagree. Once for
    /// each time it comes to rest or loses its value.
    case unsettled(TrackedDie)
    /// All dice lie still and are read: the result, once for each roll.
    case rollEnded(Roll)
    /// A die of the result was nudged and lies still again, reads differently now, or was found only
    /// after the end. Dice that have left keep their last reading.
    case resultRevised(Roll)
    /// Every die of a roll under way has left while other dice lie still: there is no result.
    case rollAbandoned
    /// The last die has left; a roll under way is over without a result.
    case cleared
  }

  /// Where the tracker stands.
  public enum Phase: UInt8, Hashable, Sendable {
    /// No roll has been seen since the start or since the table was cleared.
    case idle
    /// Dice roll.
    case rolling
    /// A roll has ended and its dice are on the table.
    case ended
  }
}
