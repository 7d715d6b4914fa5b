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
}
