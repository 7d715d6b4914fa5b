import DiceFiles
import Foundation
import Testing
import TestSupport

@testable import DiceCommandLine
@testable import dicevision_workshop

struct TrainingRecipeTests {
  private let recipe = TrainingRecipe(
    photos: "photos", output: "out", sets: ["byler-d6", "mine", "roboflow-dice-topface"])

  /// Every step is a call that the tool takes, and reads only what is there or an earlier step made.
  @Test func everyStepIsACall() throws {
    let steps = recipe.steps
    let weights = steps.filter { $0.arguments.first == "train" }
    #expect(Set(recipe.weights).isSubset(of: weights.map(\.product)))
    var products: Set<String> = []
    for step in steps {
      let command = try #require(
        Program.workshop.commands.first { step.arguments.starts(with: $0.description.words) })
      let parsed = try ArgumentParser.parse(
        Array(step.arguments.dropFirst(command.description.words.count)),
        for: command.description)
      if command.description.name == TrainCommand.name {
        let plan = try TrainCommand.plan(parsed)
        for source in plan.sources {
          #expect(source.annotations.hasPrefix("photos/") || products.contains(source.annotations))
        }
        for path in [plan.initialWeights, plan.detector] {
          if let path { #expect(products.contains(path)) }
        }
        expectEqual(plan.output, step.product)
      }
      #expect(step.product.hasPrefix("out/") && products.insert(step.product).inserted)
    }
    for path in recipe.weights { #expect(products.contains(path)) }
    // Nothing is drawn or tightened for nobody.
    let read = weights.flatMap(\.arguments).joined(separator: " ")
    for product in products.subtracting(weights.map(\.product)) {
      #expect(read.contains(product), "\(product)")
    }
  }

  @Test func effortScalesSamplesAndScenes() throws {
    func numbers(_ recipe: TrainingRecipe) -> [String: Double] {
      var numbers: [String: Double] = [:]
      for step in recipe.steps {
        guard let place = step.arguments.firstIndex(where: { $0 == "--samples" || $0 == "--count" })
        else { continue }
        numbers[step.product] = Double(step.arguments[place + 1])
      }
      return numbers
    }
    var small = recipe
    small.effort = 0.01
    let (full, hundredths) = (numbers(recipe), numbers(small))
    // All steps but those that tighten boxes.
    expectEqual(full.count, recipe.steps.count { $0.arguments[0] != "relabel" })
    expectEqual(full.keys, hundredths.keys)
    for (product, count) in full {
      let scaled = try #require(hundredths[product])
      #expect(count >= 1 && abs(scaled - count / 100) <= 0.5, "\(product)")
    }
    small.effort = 1e-9
    #expect(numbers(small).values.allSatisfy { $0 == 1 })
  }

  @Test func unknownSetsTeachAsTheyAreAndKnownOnesAreTightened() throws {
    let relabelled = recipe.steps.filter { $0.arguments[0] == "relabel" }
    expectEqual(relabelled.map(\.product), ["out/byler-d6-faces.json"])
    let last = try #require(recipe.steps.last)
    #expect(last.arguments.contains("photos/mine/annotations.json:images=photos/mine"))
    // Boxes around whole dice teach little of where a face ends, tightened ones more.
    func share(of boxes: String, in arguments: [String]) throws -> Double {
      let source = try #require(arguments.first { $0.hasPrefix(boxes + ":") })
      #expect(source.hasSuffix(":images=photos/byler-d6"))
      let part = try #require(source.split(separator: ":").first { $0.hasPrefix("boxes=") })
      return try #require(Double(part.dropFirst("boxes=".count)))
    }
    let first = try #require(recipe.steps.first { $0.arguments[0] == "train" })
    let whole = try share(of: "photos/byler-d6/annotations.json", in: first.arguments)
    let tightened = try share(of: "out/byler-d6-faces.json", in: last.arguments)
    #expect(0 < whole && whole < tightened && tightened < 1)
  }

  @Test func refusesWhatDoesNotGoTogether() throws {
    let folder = try TemporaryFolder()
    for (arguments, message) in [
      (["--recipe", folder.path, "--samples", "5", "--output", "x"], "--samples does not go"),
      (["--recipe", folder.path, "a.json", "--output", "x"], "finds its sets itself"),
      (["--recipe", folder.path], "--output"),
      (["--effort", "2", "--output", "x", "a.json"], "--effort is for --recipe"),
      (["--without", "x", "--output", "x", "a.json"], "--without is for --recipe"),
      (["--detector", "x", "--output", "x", "a.json"], "--detector is for --network second-stage"),
    ] {
      let call = ToolCall()
      expectEqual(call.run(["train", "dice"] + arguments), .usage)
      #expect(call.errors.contains(message), "\(arguments)")
    }
    let call = ToolCall()
    expectEqual(
      call.run(["train", "dice", "--recipe", folder.path, "--output", folder.file("o")]), .failure
    )
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
      "train", "dice", "--recipe", folder.file("photos"), "--effort", "0.00002", "--output",
      folder.file("out"),
    ]
    let call = ToolCall()
    expectEqual(call.run(arguments), .success, "\(call.errors)")
    for name in ["standard", "fast", "second-stage"] {
      #expect(FileSystem.exists(at: folder.file("out/\(name).dvweights")))
    }
    let again = ToolCall()
    expectEqual(again.run(arguments), .success)
    let count = TrainingRecipe(
      photos: folder.file("photos"), output: folder.file("out"), sets: ["mine"]
    ).steps.count
    #expect(again.errors.contains("step \(count) of \(count)"))
    // It says that it is there, and makes no call.
    #expect(!again.errors.contains(": dicevision "))

    // A rendering that was interrupted is finished, and nothing else is done.
    let annotations = folder.file("out/scenes/annotations.json")
    let whole = try FileSystem.readFile(at: annotations, byteLimit: 1 << 20)
    try folder.write("[]", to: "out/scenes/annotations.json")
    let rest = ToolCall()
    expectEqual(rest.run(arguments), .success, "\(rest.errors)")
    expectEqual(rest.errors.split(separator: "\n").count { $0.contains(": dicevision ") }, 1)
    try expectEqual(FileSystem.readFile(at: annotations, byteLimit: 1 << 20), whole)
  }
}
