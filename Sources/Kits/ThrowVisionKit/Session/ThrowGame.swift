public import DiceGeometry

/// A game of throws as a state machine: what happens goes in, what it means comes out.
///
/// It knows no frames; ``ThrowSession`` makes of them what goes in. A value without a clock: the same inputs give
/// the same events, and a game can be saved and goes on where it was. What each phase makes of each input, the
/// guide tells in a table.
public struct ThrowGame: Hashable, Sendable {
  /// Where a game is.
  public enum Phase: String, CaseIterable, Hashable, Sendable {
    /// There is no field yet.
    case searchingField
    /// The camera moves.
    case waitingForStability
    /// Nobody is there.
    case waitingForPlayer
    /// The next throw can come.
    case ready
    /// A bag is in the air, or has just landed.
    case inFlight
    /// All throws are done.
    case finished
  }

  /// What happens.
  public enum Input: Hashable, Sendable {
    /// The field was found, with its corners in pixels.
    case fieldFound(Quadrilateral)
    /// The field is no longer to be seen.
    case fieldLost
    /// The camera stands still now.
    case sceneStable
    /// The camera has moved.
    case sceneMoved
    /// The player is there now.
    case playerEntered(identity: Int)
    /// The player is no longer there.
    case playerLeft(identity: Int)
    /// Something flies.
    case flightSeen(ThrowFlight)
    /// It flies no longer.
    case flightEnded(ThrowFlight, ThrowOutcome)
    /// A new game is wanted. A bag in the air does not count in it.
    case restart
  }

  /// What that means.
  public enum Event: Hashable, Sendable {
    /// The field was found, with its corners in pixels.
    case fieldFound(Quadrilateral)
    /// The field was lost.
    case fieldLost
    /// The scene is stable.
    case sceneStable
    /// The camera has moved.
    case sceneMoved
    /// The player is there.
    case playerEntered(identity: Int)
    /// The player is gone.
    case playerLeft(identity: Int)
    /// The next throw can come.
    case ready(number: Int)
    /// A throw is in flight.
    case throwStarted(number: Int)
    /// A throw has ended.
    case throwEnded(number: Int)
    /// A throw was scored.
    case scored(ThrowResult)
    /// All throws are done.
    case finished(ThrowSummary)
    /// A new game has begun.
    case restarted
  }

  /// What counts.
  public let rules: ThrowRules
  /// Where the game is.
  public private(set) var phase = Phase.searchingField
  /// The throws that were scored, at most ``ThrowRules/throwCount``.
  public private(set) var results: [ThrowResult] = []
  /// The flight that is followed.
  public private(set) var flight: Int?

  private var hasField = false
  private var isStable = false
  private var player: Int?
  /// The flight that was followed when a new game was wanted: it counts no more.
  private var abandonedFlight: Int?

  /// A game that has not begun.
  ///
  /// - Throws: ``ThrowSessionError/valueOutOfRange(name:value:range:)``.
  public init(_ rules: ThrowRules = .standard) throws(ThrowSessionError) {
    try rules.check()
    self.rules = rules
  }

  /// What the game has come to.
  public var summary: ThrowSummary { ThrowSummary(results) }
  /// The number of the next throw, or of that in flight.
  public var throwNumber: Int { min(results.count + 1, rules.throwCount) }
  /// The identity of the player, while one is there.
  public var playerIdentity: Int? { player }

  /// Goes on by what happens.
  ///
  /// - Returns: what it means, in this order.
  @discardableResult
  public mutating func handle(_ input: Input) -> [Event] {
    switch input {
    case .restart: return restart()
    case .fieldFound(let outline): return findField(outline)
    case .fieldLost: return loseField()
    case .sceneStable, .sceneMoved: return become(stable: input == .sceneStable)
    case .playerEntered(let identity): return enter(identity)
    case .playerLeft(let identity): return leave(identity)
    case .flightSeen(let flight): return see(flight)
    case .flightEnded(let flight, let outcome): return end(flight, outcome)
    }
  }

  /// Goes to the phase that the conditions allow, and says what can be said of it.
  private mutating func proceed() -> [Event] {
    if !hasField {
      phase = .searchingField
    } else if !isStable {
      phase = .waitingForStability
    } else if rules.requiresPlayer, player == nil {
      phase = .waitingForPlayer
    } else {
      phase = .ready
      return [.ready(number: throwNumber)]
    }
    return []
  }

  private mutating func restart() -> [Event] {
    results = []
    abandonedFlight = flight ?? abandonedFlight
    flight = nil
    return [.restarted] + proceed()
  }

  private mutating func findField(_ outline: Quadrilateral) -> [Event] {
    guard !hasField else { return [] }
    hasField = true
    guard phase == .searchingField else { return [] }
    return [.fieldFound(outline)] + proceed()
  }

  private mutating func loseField() -> [Event] {
    guard hasField, phase != .inFlight, phase != .finished else { return [] }
    hasField = false
    _ = proceed()
    return [.fieldLost]
  }

  private mutating func become(stable: Bool) -> [Event] {
    guard isStable != stable else { return [] }
    isStable = stable
    switch phase {
    case .searchingField, .finished: return []
    case .inFlight: return stable ? [] : [.sceneMoved]
    default: return [stable ? .sceneStable : .sceneMoved] + proceed()
    }
  }

  private mutating func enter(_ identity: Int) -> [Event] {
    player = identity
    if phase == .finished { return [] }
    guard phase == .waitingForPlayer else { return [.playerEntered(identity: identity)] }
    return [.playerEntered(identity: identity)] + proceed()
  }

  private mutating func leave(_ identity: Int) -> [Event] {
    guard player == identity else { return [] }
    player = nil
    if phase == .finished { return [] }
    if phase == .ready, rules.requiresPlayer { phase = .waitingForPlayer }
    return [.playerLeft(identity: identity)]
  }

  private mutating func see(_ seen: ThrowFlight) -> [Event] {
    guard phase == .ready, seen.identity != abandonedFlight, rules.counts(seen) else { return [] }
    phase = .inFlight
    flight = seen.identity
    return [.throwStarted(number: throwNumber)]
  }

  private mutating func end(_ ended: ThrowFlight, _ outcome: ThrowOutcome) -> [Event] {
    var events: [Event] = []
    switch phase {
    case .ready:
      events = see(ended)
      guard phase == .inFlight else { return [] }
    case .inFlight:
      guard ended.identity == flight else { return [] }
    default: return []
    }
    let number = throwNumber
    flight = nil
    let result = ThrowResult(
      number: number, points: rules.points(for: outcome), outcome: outcome, path: ended.points)
    results.append(result)
    events += [.throwEnded(number: number), .scored(result)]
    if results.count == rules.throwCount {
      phase = .finished
      return events + [.finished(summary)]
    }
    return events + proceed()
  }
}

#if !hasFeature(Embedded)
  extension ThrowGame: Codable {
    private enum CodingKeys: String, CodingKey {
      case rules, phase, results, flight, hasField, isStable, player, abandonedFlight
    }

    /// Reads a saved game.
    ///
    /// - Throws: what the decoder throws, and an error for a game that cannot have been played.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      try self.init(try container.decode(ThrowRules.self, forKey: .rules))
      phase = try container.decode(Phase.self, forKey: .phase)
      results = try container.decode([ThrowResult].self, forKey: .results)
      flight = try container.decodeIfPresent(Int.self, forKey: .flight)
      hasField = try container.decode(Bool.self, forKey: .hasField)
      isStable = try container.decode(Bool.self, forKey: .isStable)
      player = try container.decodeIfPresent(Int.self, forKey: .player)
      abandonedFlight = try container.decodeIfPresent(Int.self, forKey: .abandonedFlight)
      let isPlayable =
        results.count <= rules.throwCount
        && (phase == .finished) == (results.count == rules.throwCount)
        && (phase == .inFlight) == (flight != nil)
        && (hasField || phase == .searchingField || phase == .finished)
        && results.enumerated().allSatisfy {
          $1.number == $0 + 1 && $1.path.count <= ThrowResult.pathLimit
            && $1.points == rules.points(for: $1.outcome)
        }
      guard isPlayable else {
        throw DecodingError.dataCorruptedError(
          forKey: .phase, in: container, debugDescription: "No game comes to this.")
      }
    }
  }
  extension ThrowGame.Phase: Codable {}
  extension ThrowGame.Input: Codable {}
  extension ThrowGame.Event: Codable {}
#endif
