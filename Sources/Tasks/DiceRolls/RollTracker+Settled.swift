extension RollTracker {
  /// Whether a picture that does not change has nothing more to tell: every die was seen in the latest
  /// frame, lies still, and is read or known not to be readable or outside the field; and nothing was seen that may become a
  /// die.
  ///
  /// Until then every look counts: one that is taken to be repeated makes a miss, a false box or a wrong
  /// reading last.
  ///
  /// - Complexity: O(dice).
  package var isSettled: Bool {
    for track in tracks {
      switch track.stage {
      case .dormant: continue
      case .tentative: return false
      case .confirmed:
        guard track.missedFrames == 0, track.isStill, !track.isDisplaced,
          track.decided >= 0 || track.isOverdue || track.isOutside
        else { return false }
      }
    }
    return true
  }
}
