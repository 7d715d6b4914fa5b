import TestSupport
import Testing

@testable import DiceScenes

struct DieMakeTests {
  /// The makes of the dice of many scenes.
  private func appearances(_ makes: SceneOptions.Makes) -> [DieAppearance] {
    var options = SceneOptions.training
    options.makes = makes
    options.diceCount = 1...6
    return (UInt64(1)...150).flatMap {
      DiceScene.random(seed: $0, options: options).appearances
    }
  }

  private func share(
    _ appearances: [DieAppearance], _ isOne: (DieAppearance) -> Bool
  ) -> Double {
    Double(appearances.count(where: isOne)) / Double(appearances.count)
  }

  @Test func rareMakesAreMoreOftenUnlikeMost() {
    let usual = appearances(.usual)
    let rare = appearances(.rare)
    #expect(usual.count > 200 && rare.count > 200)
    let features: [(String, Double, (DieAppearance) -> Bool)] = [
      ("metal", 2, { $0.material.metallic > 0 }),
      ("two colours", 2, { $0.material.pattern == .twoTone }),
      ("discs", 2, { $0.pips.discRadius > 0 }),
      ("signs", 1.5, { $0.pips.markedValue > 0 }),
      (
        "faint pips", 1.5,
        {
          $0.pips.discRadius == 0
            && SceneBuilder.difference($0.pips.colour, $0.material.base) < 0.27
        }
      ),
    ]
    for (name, factor, isOne) in features {
      let (few, many) = (share(usual, isOne), share(rare, isOne))
      #expect(many > 0.03 && many > few * factor, "\(name): \(few), \(many)")
      #expect(many < 0.6, "\(name): \(many)")
    }
  }

  /// Pips in the colour of the body need a disc that sets them off.
  @Test func inlaidDiscsSetPipsOff() {
    let inlaid = appearances(.rare).filter {
      $0.pips.discRadius > 0 && $0.pips.colour == $0.material.base
    }
    #expect(inlaid.count >= 5)
    for appearance in inlaid {
      #expect(
        SceneBuilder.difference(appearance.pips.discColour, appearance.pips.colour) > 0.12)
      #expect(!appearance.pips.discIsLine)
    }
    #expect(
      !appearances(.usual).contains {
        $0.pips.discRadius > 0 && $0.pips.colour == $0.material.base
      })
  }

  /// The one of such dice has a pip that is often as wide as a third of the face and more, mostly red
  /// on an opaque body and white on a clear one; half of the dice show it.
  @Test func largeOnesAreLargeAndOnTop() {
    let large = appearances(.largeOne)
    #expect(large.count > 200)
    let widths = large.map { $0.pips.radius(ofValue: 1) }
    #expect(widths.allSatisfy { $0 < 0.75 })
    #expect(share(large) { $0.pips.radius(ofValue: 1) > 0.33 } > 0.5)
    #expect(share(large) { $0.pips.oneFactor > 2.1 } > 0.2)
    expectEqual(share(appearances(.usual)) { $0.pips.oneFactor > 2.1 }, 0)

    let opaque = large.filter { $0.material.translucency == 0 }
    let clear = large.filter { $0.material.translucency > 0 }
    #expect(clear.count > large.count / 10)
    func isRed(_ colour: Vector3) -> Bool { colour.x > 3 * max(colour.y, colour.z) }
    func isWhite(_ colour: Vector3) -> Bool { colour.min() > 0.6 }
    #expect(share(opaque) { isRed($0.pips.oneColour) } > 0.5)
    #expect(share(opaque) { isRed($0.pips.fourColour) } > 0.25)
    #expect(share(clear) { isWhite($0.pips.oneColour) } > 0.5)

    var options = SceneOptions.training
    options.makes = .largeOne
    options.diceCount = 1...6
    let values = (UInt64(1)...150).flatMap { seed in
      let scene = DiceScene.random(seed: seed, options: options)
      return scene.dice.map { die in
        let layout = scene.appearances[die.appearance].layout
        return layout.value(onSide: layout.topSide(for: die.rotation))
      }
    }
    let ones = Double(values.count { $0 == 1 }) / Double(values.count)
    #expect(ones > 0.4 && ones < 0.6, "\(ones)")
  }
}
