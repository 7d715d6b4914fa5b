import DiceCodecs
import DiceImaging
import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceCommandLine

/// `dicevision import --pose` and what takes its weight files.
@Suite struct PoseImportCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (["--box-scale", "2"], "--box-scale needs --pose."),
    (["--refinement", "dark"], "--refinement needs --pose."),
    (["--samples", "0-1"], "--samples needs --pose."),
    (
      ["--pose", "simcc", "--labels", "names.txt"],
      "--labels is for detectors, and --pose for poses."
    ),
    (
      ["--joints", "coco", "--detector", "yolov8"],
      "--detector is for detectors, and --pose for poses."
    ),
    (["--joints", "nose,nose"], "mpii, lsp, cpm, blazepose, or different names"),
    (["--joints", "nose"], "mpii, lsp, cpm, blazepose, or different names"),
    (["--pose", "openpose"], "heatmaps, simcc, movenet"),
  ])
  func optionsThatDoNotGoTogetherAreRefused(options: [String], sentence: String) {
    expectEqual(
      call.run(["import", "model.onnx", "--output", folder.file("w")] + options), .usage)
    #expect(call.errors.contains(sentence), "\(call.errors)")
  }

  @Test(.enabled(if: Fixtures.models != nil, "shared/models is not there"))
  func aPoseMachineFindsJointsAfterItsImport() throws {
    let model = try #require(Fixtures.models).appending(path: "cpm/cpm_model.tflite").path
    let weights = folder.file("joints.dvweights")
    let options = ["--samples", "0-255", "--box-scale", "1.5", "--refinement", "dark"]
    expectEqual(
      call.run(["import", model, "--pose", "automatic", "--output", weights]), .failure)
    #expect(call.errors.contains("[1, 96, 96, 14]"), "\(call.errors)")
    expectEqual(
      call.run(["import", model, "--joints", "cpm", "--output", weights] + options), .success)
    #expect(call.errors.contains("pose --joints"))
    let file = try WeightFile(bytes: [UInt8](Data(contentsOf: URL(filePath: weights))))
    expectEqual(file.description.profile, [NamedValues("crop scale", [1.5])])
    expectEqual(file.description.outputs[0].head?.parameters, [NamedValues("refinement", [2])])
    let picture = try folder.write(
      PNGEncoder.encode(
        PixelImage(
          width: 64, height: 64, format: .gray, samples: (0..<4096).map { UInt8($0 % 251) })),
      to: "noise.png")
    let pose = ToolCall()
    expectEqual(
      pose.run([
        "pose", "--json", "--joints", weights, "--box", "0,0,64,64", picture,
      ]), .success)
    #expect(pose.output.contains(#""people":[{"box""#), "\(pose.output)")
  }
}
