import DiceFiles
import Foundation
import Testing
import TestSupport

@testable import dicevision

struct TrainingRecipeTests {
  private let recipe = TrainingRecipe(
    photos: "photos", output: "out", sets: ["byler-d6", "mine", "roboflow-dice-topface"])

  /// Every step is a call that the tool takes, and reads only what is there or an earlier step made.
  @Test func everyStepIsACall() throws {
    let steps = recipe.steps
    #expect(steps.count == 13)
    var products: Set<String> = []
    for step in steps {
      let command = try #require(
        Tool.commands.first { $0.description.name == step.arguments.first })
      let parsed = try ArgumentParser.parse(
        Array(step.arguments.dropFirst()), for: command.description)
      if command.description.name == TrainCommand.name {
        let plan = try TrainCommand.plan(parsed)
        for source in plan.sources {
          #expect(source.annotations.hasPrefix("photos/") || products.contains(source.annotations))
        }
        for path in [plan.initialWeights, plan.detector] {
          if let path { #expect(products.contains(path)) }
        }
        #expect(plan.output == step.product)
      }
      #expect(step.product.hasPrefix("out/") && products.insert(step.product).inserted)
    }
    for path in recipe.weights { #expect(products.contains(path)) }
  }

  @Test func effortScalesSamplesAndScenes() {
    var small = recipe
    small.effort = 0.01
    let numbers = small.steps.compactMap { step in
      step.arguments.firstIndex { $0 == "--samples" || $0 == "--count" }.map {
        step.arguments[$0 + 1]
      }
    }
    #expect(
      numbers == [
        "44", "5", "5", "13", "11", "14", "27", "12", "640", "9000", "3200", "60000",
      ])
  }

  @Test func unknownSetsTeachAsTheyAreAndKnownOnesAreTightened() throws {
    let refined = recipe.steps.filter { $0.arguments[0] == "refine" }
    #expect(refined.map(\.product) == ["out/byler-d6-faces.json"])
    let last = try #require(recipe.steps.last)
    #expect(last.arguments.contains("photos/mine/annotations.json:images=photos/mine"))
    #expect(
      last.arguments.contains(
        "out/byler-d6-faces.json:weight=1.6:boxes=0.5:images=photos/byler-d6"))
  }

  @Test func refusesWhatDoesNotGoTogether() throws {
    let folder = try TemporaryFolder()
    for (arguments, message) in [
      (["--recipe", folder.path, "--samples", "5", "--output", "x"], "--samples does not go"),
      (["--recipe", folder.path, "a.json", "--output", "x"], "finds its sets itself"),
      (["--recipe", folder.path], "--output"),
      (["--effort", "2", "--output", "x", "a.json"], "--effort is for --recipe"),
      (["--without", "x", "--output", "x", "a.json"], "--without is for --recipe"),
      (["--detector", "x", "--output", "x", "a.json"], "--detector is for --network reader"),
    ] {
      let call = ToolCall()
      #expect(call.run(["train"] + arguments) == .usage)
      #expect(call.errors.contains(message), "\(arguments)")
    }
    let call = ToolCall()
    #expect(call.run(["train", "--recipe", folder.path, "--output", folder.file("o")]) == .failure)
    #expect(call.errors.contains("No folder in it holds an annotations.json."))
  }

  /// The whole recipe on one picture, and again: nothing is left to do.
  @Test func makesAllWeightsAndGoesOnWhereItWas() throws {
    let folder = try TemporaryFolder()
    let set = folder.file("photos/mine")
    try FileSystem.createFolder(at: set)
    try FileManager.default.copyItem(
      atPath: Fixtures.path("scenes/scene-15.jpg"), toPath: set + "/roll.jpg")
    try Data(
      """
      [{"image": "roll.jpg", "annotations": [{"label": "6",
        "coordinates": {"x": 50, "y": 50, "width": 30, "height": 30}}]}]
      """.utf8
    ).write(to: URL(fileURLWithPath: set + "/annotations.json"))
    let arguments = [
      "train", "--recipe", folder.file("photos"), "--effort", "0.00002", "--output",
      folder.file("out"),
    ]
    let call = ToolCall()
    #expect(call.run(arguments) == .success, "\(call.errors)")
    for name in ["standard", "fast", "reader"] {
      #expect(FileSystem.exists(at: folder.file("out/\(name).dvweights")))
    }
    let again = ToolCall()
    #expect(again.run(arguments) == .success)
    #expect(again.errors.contains("step 12 of 12"))
    #expect(!again.errors.contains("step 12 of 12: dicevision train"))
  }
}
