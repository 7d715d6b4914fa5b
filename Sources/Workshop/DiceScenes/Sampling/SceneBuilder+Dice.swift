internal import DiceNumerics

extension SceneBuilder {
  /// Where a die or another thing stands: the square that it covers.
  struct Footprint {
    var center: Vector2
    var turn: Turn
    var half: Float
  }

  mutating func layDice() {
    guard wantedCount > 0, !appearances.isEmpty else { return }
    let cutsBorder = isVaried && random.chance(0.25)
    let margin: Float = cutsBorder ? -0.03 : isVaried ? 0.05 : 0.12
    let mode =
      isVaried
      ? random.index(weights: [0.5, 0.25, 0.17, 0.08]) : random.index(weights: [0.6, 0.4])
    let touching: Float = isVaried ? random.element(of: [0, 0, 0.25, 0.6]) : 0.1
    let mixedSizes = isVaried && random.chance(0.2)
    let baseSize: Float = 1
    let heart = pixel(margin: 0.25)
    let spread = random.number(0.1, 0.25)
    let rowTurn = random.unit()
    let staysOutside = random.chance(0.06)
    var taken: [Footprint] = []
    var sizes: [Float] = []
    for _ in appearances {
      sizes.append(mixedSizes ? baseSize * random.logarithmic(0.6, 1.5) : baseSize)
    }
    for number in 0..<wantedCount {
      let appearance = random.integer(0...(appearances.count - 1))
      let size = sizes[appearance]
      let turns = mode == 3 ? rowTurn + random.normal() * 0.01 : random.unit()
      var footprint = Footprint(center: .zero, turn: Turn(turns: turns), half: size * 0.5)
      var yaw = turns
      var isPlaced = false
      for attempt in 0..<40 where !isPlaced {
        var spot: Vector2?
        if let partner = partner(taken, touching, attempt) {
          if random.chance(0.4) {
            yaw = random.chance(0.5) ? partner.1 : partner.1 + 0.125
            footprint.turn = Turn(turns: yaw)
          }
          spot = beside(partner.0, footprint)
        } else {
          var place = pixel(margin: margin)
          if mode == 1 {
            let room = Float(max(viewWidth, viewHeight))
            place = heart + Vector2(random.normal(), random.normal()) * (spread * room)
          } else if mode == 3 {
            let columns = max(Int(Float(wantedCount).squareRoot().rounded(.up)), 1)
            let cellSize = Vector2(Float(viewWidth), Float(viewHeight)) * (0.8 / Float(columns))
            place =
              Vector2(Float(viewWidth), Float(viewHeight)) * 0.1
              + Vector2(
                (Float(number % columns) + 0.5) * cellSize.x,
                (Float(number / columns) + 0.5) * cellSize.y)
            place += Vector2(random.normal(), random.normal()) * (cellSize.x * 0.08)
          }
          spot = ground(atPixel: place, height: size * 0.5).map { Vector2($0.x, $0.y) }
          if let tray, !staysOutside { spot = tray.center + insideOf(tray) }
        }
        guard let center = spot else { continue }
        footprint.center = center
        guard fits(footprint, taken), isShown(center, size, margin) else { continue }
        isPlaced = true
      }
      guard isPlaced else { continue }
      taken.append(footprint)
      yaws.append(yaw)
      // The first draw is that of usual dice: their scenes stay those of their seeds.
      let value =
        odds.values.isEmpty ? random.integer(1...6) : random.index(weights: odds.values) + 1
      let layout = appearances[appearance].layout
      dice.append(
        Die(
          appearance: appearance,
          center: Vector3(footprint.center.x, footprint.center.y, size * 0.5),
          rotation: Rotation.yaw(turns: yaw).after(layout.rotation(showing: value)), size: size,
          seed: UInt32(truncatingIfNeeded: random.next())))
    }
    footprints = taken
    if isVaried && random.chance(0.05) { stackDice() }
  }

  /// Puts a die or two on top of others.
  private mutating func stackDice() {
    let standing = dice.count
    guard standing > 0 else { return }
    var used: Set<Int> = []
    for _ in 0..<random.integer(1...2) {
      let index = random.integer(0...(standing - 1))
      guard used.insert(index).inserted, dice.count < options.diceCount.upperBound else { continue }
      let lower = dice[index]
      let layout = appearances[lower.appearance].layout
      let shift = Vector2(random.number(-0.2, 0.2), random.number(-0.2, 0.2)) * lower.size
      dice.append(
        Die(
          appearance: lower.appearance,
          center: lower.center + Vector3(shift.x, shift.y, lower.size),
          rotation: Rotation.yaw(turns: random.unit()).after(
            layout.rotation(showing: random.integer(1...6))),
          size: lower.size, seed: UInt32(truncatingIfNeeded: random.next())))
    }
  }

  /// A place inside a tray's walls, relative to its centre.
  private mutating func insideOf(_ tray: Tray) -> Vector2 {
    var radius: Float = 0
    for wall in tray.walls { radius = max(radius, wall.z) }
    return Vector2(random.number(-1, 1), random.number(-1, 1)) * radius
  }

  private mutating func partner(_ taken: [Footprint], _ touching: Float, _ attempt: Int) -> (
    Footprint, Float
  )? {
    guard !taken.isEmpty, attempt < 20, random.chance(touching) else { return nil }
    let index = random.integer(0...(taken.count - 1))
    return (taken[index], yaws[index])
  }

  /// The centre at which a die touches another one, in a random direction.
  private mutating func beside(_ partner: Footprint, _ own: Footprint) -> Vector2 {
    let angle = random.unit()
    let direction = Vector2(cosineOfTurns(angle), sineOfTurns(angle))
    var near: Float = 0
    var far = (partner.half + own.half) * 1.5
    var moved = own
    for _ in 0..<14 {
      let middle = (near + far) * 0.5
      moved.center = partner.center + direction * middle
      if SceneBuilder.gap(partner, moved) > 0.004 { far = middle } else { near = middle }
    }
    return partner.center + direction * (far + random.unit() * random.unit() * 0.08)
  }

  /// The widest gap between two squares along one of their sides' directions; negative if they meet.
  static func gap(_ a: Footprint, _ b: Footprint) -> Float {
    func gap(_ own: Footprint, _ other: Footprint) -> Float {
      let v = absolute(own.turn.inward(other.center - own.center))
      let c = abs(own.turn.cosine * other.turn.cosine + own.turn.sine * other.turn.sine)
      let s = abs(own.turn.cosine * other.turn.sine - own.turn.sine * other.turn.cosine)
      return max(v.x, v.y) - own.half - other.half * (c + s)
    }
    return max(gap(a, b), gap(b, a))
  }

  func fits(_ footprint: Footprint, _ taken: [Footprint]) -> Bool {
    for other in taken where SceneBuilder.gap(footprint, other) < 0.003 { return false }
    if let tray {
      let edge = tray.beyond(Vector3(footprint.center.x, footprint.center.y, 0))
      // Nothing stands in a wall; what is outside stays well outside.
      if edge < 0 {
        return edge < -footprint.half * 1.45
      }
      return edge > tray.thickness + tray.height * tray.lean + footprint.half * 1.5
    }
    return true
  }

  private func isShown(_ center: Vector2, _ size: Float, _ margin: Float) -> Bool {
    guard let pixel = view.project(Vector3(center.x, center.y, size * 0.5)) else { return false }
    let away = length(Vector3(center.x, center.y, size * 0.5) - camera.position)
    guard size * view.focal / max(away, 0.1) >= 5 else { return false }
    let x = pixel.x / Float(viewWidth)
    let y = pixel.y / Float(viewHeight)
    var border = max(min(margin, 0.05), -0.03)
    // Ordinary pictures show whole dice.
    if !isVaried {
      border = size * view.focal / max(away, 0.1) / Float(max(viewWidth, viewHeight))
    }
    return x > border && y > border && x < 1 - border && y < 1 - border
  }
}
