import DiceThrowFilms
import DiceGeometry
import DicePoses
import TestSupport
import Testing

/// A repeatable source of chance.
struct Counter: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return z ^ (z >> 31)
  }
}

@Suite struct FigureTests {
  private static func length(_ vector: SIMD3<Double>) -> Double {
    (vector * vector).sum().squareRoot()
  }

  private static func isNear(
    _ one: SIMD3<Double>, _ other: SIMD3<Double>
  ) -> Bool { length(one - other) < 1e-9 }

  @Test func anUprightFigureStandsOnTheGround() {
    let figure = ArticulatedFigure()
    let skeleton = figure.skeleton(Posture())
    #expect(Self.isNear(skeleton[.leftAnkle], SIMD3(0, 0.10, 0.08)))
    #expect(Self.isNear(skeleton[.rightAnkle], SIMD3(0, -0.10, 0.08)))
    #expect(Self.isNear(skeleton[.root], SIMD3(0, 0, 0.94)))
    #expect(Self.isNear(skeleton[.head], SIMD3(0, 0, 1.69)))
    #expect(Self.isNear(skeleton[.leftWrist], SIMD3(0, 0.18, 0.88)))
    #expect(skeleton[.nose].x > 0.08)
  }

  @Test func limbsMoveAsTheirAnglesSay() {
    let figure = ArticulatedFigure()
    let forwards = figure.skeleton(Posture([.rightArmRaise: 90]))
    #expect(Self.isNear(forwards[.rightWrist], SIMD3(0.56, -0.18, 1.44)))
    let outwards = figure.skeleton(Posture([.leftArmSpread: 90]))
    #expect(Self.isNear(outwards[.leftWrist], SIMD3(0, 0.74, 1.44)))
    let bent = figure.skeleton(Posture([.rightElbow: 90]))
    #expect(Self.isNear(bent[.rightWrist], SIMD3(0.26, -0.18, 1.14)))
    // A thigh that is level, its shin hanging.
    let knee = figure.skeleton(Posture([.leftLegRaise: 90, .leftKnee: 90]))
    #expect(Self.isNear(knee[.leftAnkle] - knee[.leftHip], SIMD3(0.44, 0, -0.42)))
    let turned = figure.skeleton(Posture([.turn: 90, .rightArmRaise: 90]))
    #expect(Self.isNear(turned[.rightWrist], SIMD3(0.18, 0.56, 1.44)))
    let bow = figure.skeleton(Posture([.pitch: 90]))
    #expect(Self.isNear(bow[.neck] - bow[.root], SIMD3(0.5, 0, 0)))
    let tilted = figure.skeleton(Posture([.tilt: 90]))
    #expect(Self.isNear(tilted[.neck] - tilted[.root], SIMD3(0, 0.5, 0)))
  }

  @Test func limbsAreRigidInEveryMotion() {
    var random = Counter(state: 1)
    let limbs: [(Joint, Joint, KeyPath<ArticulatedFigure, Double>)] = [
      (.leftShoulder, .leftElbow, \.upperArm), (.rightElbow, .rightWrist, \.forearm),
      (.leftHip, .leftKnee, \.thigh), (.rightKnee, .rightAnkle, \.shin), (.root, .neck, \.trunk),
    ]
    for action in FigureAction.allCases {
      for _ in 0..<20 {
        let film = FigureFilm(action, using: &random)
        for frame in stride(from: 0, to: film.frameCount, by: 5) {
          let skeleton = film.skeleton(frame: frame)
          for (one, other, part) in limbs {
            let error = Self.length(skeleton[one] - skeleton[other]) - film.figure[keyPath: part]
            #expect(error.magnitude < 1e-9)
          }
        }
      }
    }
  }

  @Test func aCameraInFrontSeesTheLeftHandOnTheRight() throws {
    let skeleton = ArticulatedFigure().skeleton(Posture([.leftArmSpread: 60]))
    let front = FigureCamera(azimuth: 0).pose(of: skeleton)
    #expect(try #require(front[.leftWrist]).location.x > 320)
    #expect(try #require(front[.head]).location.y < 240)
    let back = FigureCamera(azimuth: 180).pose(of: skeleton)
    #expect(try #require(back[.leftWrist]).location.x < 320)
    // 0.1 m before the middle, 5 m away, 800 pixels: 16 pixels.
    let place = try #require(FigureCamera(azimuth: 0).project(SIMD3(0, 0.1, 0.9)))
    #expect((place.x - 336).magnitude < 1e-9 && (place.y - 240).magnitude < 1e-9)
    expectEqual(FigureCamera(azimuth: 0).project(SIMD3(6, 0, 1)), nil)
  }

  @Test func motionsPassTheirKeysSmoothly() {
    let keys = [0.0, 0.5, 0.8, 2].map {
      FigureMotion.Key($0, Posture([.pitch: 30 * $0 * (2 - $0)]))
    }
    let motion = FigureMotion(keys)
    for key in keys {
      let error = motion.posture(at: key.time)[.pitch] - key.posture[.pitch]
      #expect(error.magnitude < 1e-9)
    }
    expectEqual(motion.posture(at: -1), keys[0].posture)
    expectEqual(motion.posture(at: 9), keys[3].posture)
    var last = motion.posture(at: 0)[.pitch]
    for step in 1...200 {
      let now = motion.posture(at: Double(step) / 100)[.pitch]
      #expect((now - last).magnitude < 1.2)
      last = now
    }
  }

  @Test func mirrorsSwapTheHands() {
    let posture = Posture([.rightArmRaise: 70, .turn: 20, .leftKnee: 10])
    let (one, other) = (
      ArticulatedFigure().skeleton(posture), ArticulatedFigure().skeleton(posture.mirrored)
    )
    for joint in Joint.allCases {
      #expect(Self.isNear(one[joint] * SIMD3(1, -1, 1), other[joint.mirrored]), "\(joint)")
    }
    expectEqual(posture.mirrored.mirrored, posture)
  }

  /// What tells the throws apart: the height of the hand that moves, at the release.
  @Test func handsAreWhereTheirThrowsNeedThem() throws {
    var random = Counter(state: 5)
    for action in [FigureAction.overhand, .underhand, .underleg] {
      var rightCount = 0
      for _ in 0..<200 {
        let film = FigureFilm(action, using: &random)
        let release = try #require(film.motion.release)
        #expect(release > 0 && release < film.motion.duration)
        let hand = try #require(film.motion.hand)
        let now = film.figure.skeleton(film.motion.posture(at: release))
        let height = now[hand].z
        let knee = max(now[.leftKnee].z, now[.rightKnee].z)
        let isRight =
          switch action {
          case .overhand: height > now[.neck].z - 0.1
          case .underhand: height < now[.neck].z && height > 0.4
          default: height < knee + 0.15 && knee > now[.root].z - 0.3
          }
        if isRight { rightCount += 1 }
      }
      #expect(rightCount >= 160, "\(action): \(rightCount) of 200")
    }
  }

  @Test func filmsFollowFromTheirChance() {
    var (one, other) = (Counter(state: 3), Counter(state: 3))
    let film = FigureFilm(.underleg, using: &one)
    expectEqual(film, FigureFilm(.underleg, using: &other))
    let sequence = film.sequence(id: "a")
    #expect(sequence.label == "underleg" && sequence.poses.count == film.frameCount)
    #expect(sequence.poses.allSatisfy { $0.joints.count == 20 })
  }
}
