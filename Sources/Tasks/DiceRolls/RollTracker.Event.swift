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
    /// A die lies still, yet its value cannot be told: it leans, and its readings are sure of different values.
    /// Once for each time it comes to rest.
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
