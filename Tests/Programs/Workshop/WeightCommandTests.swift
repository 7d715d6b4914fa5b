import Foundation
import DiceFiles
import DiceWeights
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct WeightCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  @Test func theBundledWeightsAreShown() throws {
    expectEqual(call.run("inspect"), .success)
    #expect(call.output.contains("multiply-adds"))
    #expect(call.errors.isEmpty)
  }

  @Test func aFileIsShownAsTheBundledWeightsAre() throws {
    let bytes = try bundledWeights().bytes
    let path = try folder.write(bytes, to: "w.dvweights")
    expectEqual(call.run("inspect", path), .success)
    let bundled = ToolCall()
    expectEqual(bundled.run("inspect"), .success)
    expectEqual(call.output, bundled.output)
  }

  @Test func theJSONSaysWhatTheFileSays() throws {
    let file = try bundledWeights()
    expectEqual(call.run("inspect", "--format", "json"), .success)
    let value = try JSONReader.parse([UInt8](call.output.utf8))
    expectEqual(value["name"]?.string, file.description.name)
    expectEqual(value["checksum"]?.string, NumberText.hexadecimal(file.checksum))
    expectEqual(value["byteCount"]?.integer, file.bytes.count)
    expectEqual(value["task"]?.string, "dice detection")
    let head = try #require(file.description.outputs[0].head)
    let shown = try #require(value["outputs"]?.array?.first?["head"])
    expectEqual(value["outputs"]?.array?.count, file.description.outputs.count)
    expectEqual(shown["labels"]?.array?.compactMap { $0.string }, head.labels)
    expectEqual(value["layers"]?.array?.count, file.description.layers.count)
    expectEqual(value["parameterCount"]?.integer, Int(file.parameterCount))
    let input = try #require(value["inputs"]?.array?.first)
    expectEqual(input["shape"]?["width"]?.integer, file.description.inputs[0].shape.width)
    expectEqual(input["image"]?["channelOrder"]?.string, "rgb")
    // The threshold as people write it, not its nearest Float.
    let list = shown["parameters"]?["confidence threshold"]?.array
    let confidence = try #require(list?.first?.number)
    expectEqual([Float(confidence)], head.parameters.values(named: "confidence threshold"))
    #expect("\(confidence)".count < 8)
  }

  @Test func brokenFilesAreRefusedWithTheRule() throws {
    var bytes = try bundledWeights().bytes
    bytes[bytes.count - 1] ^= 1
    let damaged = try folder.write(bytes, to: "damaged.dvweights")
    let text = try folder.write("no weights", to: "text.dvweights")
    for path in [damaged, text, folder.file("missing.dvweights"), folder.path] {
      for command in [
        ["inspect", path], ["bundle", path, "--output", folder.file("out.swift")],
        ["export", path, "--output", folder.file("out.swift")],
      ] {
        let call = ToolCall()
        expectEqual(call.run(command), .failure)
        #expect(call.errors.contains(path))
        #expect(call.output.isEmpty)
      }
      let detect = ToolCall()
      let image = try folder.writePicture("a.png")
      expectEqual(detect.run("detect", "--weights", path, image), .failure)
      #expect(detect.errors.contains(path))
    }
    #expect(!FileSystem.exists(at: folder.file("out.swift")))
  }

  @Test func bundlingWritesASourceFile() throws {
    let bytes = try bundledWeights().bytes
    let path = try folder.write(bytes, to: "w.dvweights")
    expectEqual(call.run("bundle", path, "--output", folder.file("Weights.swift")), .success)
    let text = try folder.text("Weights.swift")
    #expect(text.contains("StaticString"))
    #expect(text.utf8.count > bytes.count * 4 / 3)
    #expect(call.errors.contains("Weights.swift"))
  }

  /// Thresholds are chosen after the training; nothing else changes with them.
  @Test func bundlingCanReplaceTheRecommendedThresholds() throws {
    let source = try bundledWeights(.secondStage)
    let path = try folder.write(source.bytes, to: "w.dvweights")
    let output = folder.file("SecondStage.swift")
    expectEqual(
      call.run(
        "bundle", path, "--as", "second-stage", "--confidence", "0.5", "--iou", "0.25", "--output",
        output), .success)
    let text = try folder.text("SecondStage.swift")
    #expect(text.contains("let secondStageWeights: StaticString"))
    let base64 = text.split(separator: "\"\"\"")[1].filter { $0 != "\n" }
    let bytes = try #require(Data(base64Encoded: String(base64)))
    let file = try WeightFile(bytes: [UInt8](bytes))
    for output in file.description.outputs {
      expectEqual(output.head?.parameters.values(named: "confidence threshold"), [0.5])
      expectEqual(output.head?.parameters.values(named: "overlap threshold"), [0.25])
    }
    expectEqual(file.description.layers, source.description.layers)
    #expect(!file.description.profile.isEmpty)
    expectEqual(file.description.provenance, source.description.provenance)
    for tensor in source.tensors.indices {
      expectEqual(file.floats(of: tensor), source.floats(of: tensor))
    }
    expectEqual(file.bytes.count, source.bytes.count)
  }

  /// Ranges of activations alone do not stand for the numbers that the pipeline works with.
  @Test func bundlingAddsTheNumbersOfThePipelineToRangesOfActivations() throws {
    let source = try bundledWeights(.secondStage)
    var description = source.description
    let ranges = description.profile.filter { $0.name.hasPrefix("activations.") }
    #expect(!ranges.isEmpty && ranges.count < description.profile.count)
    description.profile = ranges
    let path = try folder.write(source.with(description: description).bytes, to: "w.dvweights")
    let output = folder.file("SecondStage.swift")
    expectEqual(call.run("bundle", path, "--as", "second-stage", "--output", output), .success)
    let base64 = try folder.text("SecondStage.swift").split(separator: "\"\"\"")[1]
    let bytes = try #require(Data(base64Encoded: String(base64.filter { $0 != "\n" })))
    let profile = try WeightFile(bytes: [UInt8](bytes)).description.profile
    expectEqual(profile.filter { $0.name.hasPrefix("activations.") }, ranges)
    #expect(Set(profile.map(\.name)).isSuperset(of: source.description.profile.map(\.name)))
  }

  @Test func quantizingAddsTheRangesOfValuesAndNothingElse() throws {
    let picture = Fixtures.path("scenes/scene-15.jpg")
    let outputs = [folder.file("detector.dvweights"), folder.file("second.dvweights")]
    expectEqual(
      call.run(
        "quantize", "fast", picture, "--second-stage", "second-stage", "--output", outputs[0],
        "--second-stage-output", outputs[1]), .success)
    for (path, source) in zip(outputs, try [bundledWeights(.fast), bundledWeights(.secondStage)]) {
      let file = try WeightFile(bytes: FileSystem.readFile(at: path, byteLimit: 1 << 24))
      let (old, new) = (source.description, file.description)
      #expect(new.layers == old.layers && new.provenance == old.provenance)
      let count = new.inputs.count + new.layers.count
      for name in ["activations.least", "activations.greatest"] {
        let values = try #require(new.profile.first { $0.name == name }?.values)
        expectEqual(values.count, count)
        expectEqual(new.profile.count { $0.name == name }, 1)
      }
      // Pictures have 0 to 1; rectifiers leave a tenth of what is below 0.
      #expect(new.profile.first { $0.name == "activations.greatest" }?.values[0] ?? 0 > 0.9)
      expectEqual(new.profile.first { $0.name == "activations.least" }?.values[0], 0)
      func others(_ values: [NamedValues]) -> [NamedValues] {
        values.filter { !$0.name.hasPrefix("activations.") }
      }
      expectEqual(others(new.profile), others(old.profile))
      for tensor in source.tensors.indices {
        expectEqual(file.floats(of: tensor), source.floats(of: tensor))
      }
    }
    let detect = ToolCall()
    expectEqual(
      detect.run(
        "detect", picture, "--precision", "int8", "--weights", outputs[0], "--second-stage",
        outputs[1]), .success)
    #expect(detect.output.contains("6 1, sum 7"))
  }

  @Test func quantizingSaysWhatIsWrong() throws {
    let output = folder.file("out.dvweights")
    let missing = ToolCall()
    expectEqual(
      missing.run("quantize", "fast", folder.file("no.jpg"), "--output", output), .failure)
    #expect(missing.errors.contains("no.jpg"))
    let empty = ToolCall()
    expectEqual(
      empty.run(
        "quantize", "fast", try folder.writePicture("a.png"), "--second-stage", "second-stage",
        "--output", output, "--second-stage-output", folder.file("second.dvweights")), .failure)
    #expect(empty.errors.contains("no picture shows a die"))
    expectEqual(ToolCall().run("quantize", "fast", "--output", output), .usage)
    expectEqual(
      ToolCall().run("quantize", "digits", folder.file("no.jpg"), "--output", output), .failure)
  }

  @Test func aSecondStageGoesWhereSecondStagesGo() throws {
    let path = try folder.write(try bundledWeights(.secondStage).bytes, to: "w.dvweights")
    let output = folder.file("Weights.swift")
    for (weights, constant) in [
      ("second-stage", "secondStageWeights"), (path, "secondStageWeights"),
      ("fast", "fastWeights"), ("digits", "digitWeights"), ("standard", "standardWeights"),
      ("any-dice", "anyDiceWeights"), ("any-dice-second-stage", "anyDiceSecondStageWeights"),
      ("any-dice-numerals", "anyDiceNumeralWeights"), ("any-dice-faces", "anyDiceFaceWeights"),
    ] {
      expectEqual(call.run("bundle", weights, "--output", output), .success)
      #expect(try folder.text("Weights.swift").contains("let \(constant): StaticString"))
    }
    for weights in ["second-stage", path] {
      expectEqual(call.run("bundle", weights, "--as", "standard", "--output", output), .failure)
      #expect(call.errors.contains("--as second-stage"))
    }
  }

  @Test func theFileThatIsWrongIsBlamed() throws {
    let picture = try folder.writePicture("a.png")
    let detector = try folder.write(try bundledWeights(.fast).bytes, to: "fast.dvweights")
    let digits = try folder.write(try bundledWeights(.digits).bytes, to: "digits.dvweights")
    for (arguments, subject) in [
      (["--second-stage", detector], detector), (["--second-stage", digits], digits),
      (["--weights", digits], digits), (["--weights", digits, "--second-stage", detector], digits),
      (["--weights", detector, "--second-stage", digits], digits),
    ] {
      let call = ToolCall()
      expectEqual(call.run(["detect", "--input", "64", picture] + arguments), .failure)
      #expect(call.errors.hasPrefix("dicevision: \(subject): "), "\(call.errors)")
    }
    expectEqual(call.run("detect", "--weights", "second-stage", picture), .usage)
    #expect(
      call.errors.contains(
        "--weights must be standard, fast, any-dice or a file, not \"second-stage\". Did you "
          + "mean --second-stage bundled?"))
  }

  /// Rounded once to bytes, weights stay as they are however often they are bundled.
  @Test func bundlingCanKeepWeightsInBytes() throws {
    // The library's own are kept in bytes; these lie between them, and are kept in float16.
    let fast = try bundledWeights(.fast)
    let tensors = fast.tensors.indices.map { index in
      fast.floats(of: index).enumerated().map { $1 * (1 + Float($0 % 7) / 100) }
    }
    let source = try WeightFile(
      bytes: WeightFile.encode(
        description: fast.description, tensors: tensors, storage: .float16))
    func bundled(_ path: String, _ options: [String]) throws -> WeightFile {
      let output = folder.file("Standard.swift")
      expectEqual(ToolCall().run(["bundle", path, "--output", output] + options), .success)
      let base64 = try folder.text("Standard.swift").split(separator: "\"\"\"")[1]
      let bytes = try #require(Data(base64Encoded: String(base64.filter { $0 != "\n" })))
      return try WeightFile(bytes: [UInt8](bytes))
    }
    let file = try bundled(
      folder.write(source.bytes, to: "w.dvweights"), ["--storage", "int8"])
    #expect(file.bytes.count < source.bytes.count * 3 / 5)
    for (index, tensor) in file.tensors.enumerated() {
      expectEqual(tensor.storage, (tensor.shape.count > 1 ? .int8 : .float32))
      let (found, wanted) = (file.floats(of: index), source.floats(of: index))
      let greatest = wanted.lazy.map(abs).max() ?? 0
      #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= greatest / 253 })
    }
    let again = try bundled(
      folder.write(file.bytes, to: "bytes.dvweights"),
      ["--confidence", "0.75", "--provenance", "licence=MIT"])
    expectEqual(
      again.description.outputs[0].head?.parameters.values(named: "confidence threshold"), [0.75])
    expectEqual(
      again.description.provenance,
      [ProvenanceEntry(key: "licence", value: "MIT")] + file.description.provenance)
    for index in file.tensors.indices {
      expectEqual(again.tensors[index].storage, file.tensors[index].storage)
      expectEqual(again.floats(of: index), file.floats(of: index))
    }
  }

  @Test func bundlingNeedsAFileAndADestination() {
    expectEqual(call.run("bundle", "w.dvweights"), .usage)
    #expect(call.errors.contains("bundle needs --output."))
    expectEqual(call.run("bundle", "--output", "x.swift"), .usage)
    #expect(call.errors.contains("bundle needs WEIGHTS."))
    expectEqual(call.run("inspect", "a", "b"), .usage)
  }

  @Test func exportingWritesAModel() throws {
    let bytes = try bundledWeights().bytes
    let path = try folder.write(bytes, to: "w.dvweights")
    let output = folder.file("w.onnx")
    expectEqual(call.run("export", path, "--format", "onnx", "--output", output), .success)
    let model = try FileSystem.readFile(at: output, byteLimit: 1 << 28)
    #expect(call.errors.contains("w.onnx") && call.errors.contains(" bytes"))
    // The versions, then the producer's name.
    expectEqual(model.prefix(4), [0x08, 9, 0x12, 13])
    #expect(model.count > 4 * Int(try bundledWeights().parameterCount))
    let bundled = ToolCall()
    expectEqual(bundled.run("export", "--output", output), .success)
    try expectEqual(FileSystem.readFile(at: output, byteLimit: 1 << 28), model)
    for options in [["--input", "96x64"], ["--flexible"]] {
      let other = ToolCall()
      expectEqual(other.run(["export", path, "--output", output] + options), .success)
      #expect(try FileSystem.readFile(at: output, byteLimit: 1 << 28) != model)
    }
  }

  @Test func exportingNeedsAFileAndADestination() {
    expectEqual(call.run("export", "w.dvweights"), .usage)
    #expect(call.errors.contains("export needs --output."))
    expectEqual(call.run("export", "a", "b", "--output", "x.onnx"), .usage)
    #expect(call.errors.contains("export takes one argument"))
    let both = ["export", "w", "--output", "x.onnx", "--input", "64", "--flexible"]
    expectEqual(call.run(both), .usage)
    #expect(call.errors.contains("--flexible and --input exclude each other."))
    expectEqual(call.run("export", "w", "--output", "x", "--input", "65"), .usage)
    expectEqual(call.run("export", "w", "--output", "x", "--format", "tflite"), .usage)
  }

  @Test func resultsDoNotDependOnTheNumberOfThreads() throws {
    var paths: [String] = []
    for index in 0..<7 {
      paths.append(try folder.writePicture("\(index).png", width: 40 + 8 * index, height: 48))
    }
    paths.insert(folder.file("missing.png"), at: 3)
    var outputs: [String] = []
    for count in [1, 2, 5] {
      let call = ToolCall()
      call.processorCount = count
      let status = call.run(
        ["detect", "--input", "64", "--confidence", "0", "--format", "json"] + paths)
      expectEqual(status, .failure)
      expectEqual(call.errors.split(separator: "\n").count, 1)
      expectEqual(call.outputLines.count, 7)
      outputs.append(call.output)
    }
    #expect(outputs[1] == outputs[0] && outputs[2] == outputs[0])
    for (line, path) in zip(outputs[0].split(separator: "\n"), paths.filter { $0 != paths[3] }) {
      #expect(line.hasPrefix("{\"image\":\"\(path)\""))
    }
  }

  /// The library's own detector, on a picture without dice.
  @Test func theBundledWeightsDetect() throws {
    let path = try folder.writePicture("a.png", width: 64, height: 48)
    let status = call.run(
      "detect", "--threads", "1", "--input", "64", "--format", "json", "--timings", path)
    expectEqual(status, .success)
    let value = try JSONReader.parse([UInt8](call.output.utf8))
    expectEqual(value["width"]?.integer, 64)
    expectEqual(value["height"]?.integer, 48)
    #expect(value["dice"]?.array != nil)
    let parts = value["milliseconds"]?.object?.members.map { $0.key }
    expectEqual(
      parts, ["file", "image", "preparation", "network", "boxes", "secondStage", "suppression"])
  }
}
