/// Words of other detectors' tools, and of earlier versions, with what they are here.
package enum ForeignWord {
  private static let commands = [
    "predict": "detect", "infer": "detect", "inference": "detect", "val": "evaluate dice",
    "validate": "evaluate dice", "test": "evaluate dice", "fit": "train dice",
    "finetune": "train dice",
    "refine": "relabel", "info": "inspect",
  ]

  /// For each option those that may be meant: the first that a command has is.
  private static let options = [
    "model": ["weights", "from"], "checkpoint": ["weights"], "weight": ["weights"],
    "conf": ["confidence"], "conf-thres": ["confidence"], "threshold": ["confidence"],
    "iou-thres": ["iou"], "nms": ["iou"], "imgsz": ["input"], "img": ["input"],
    "img-size": ["input"], "size": ["input"], "lr": ["learning-rate"], "lr0": ["learning-rate"],
    "batch-size": ["batch"], "workers": ["threads"], "jobs": ["threads"],
    "save": ["annotate", "output"], "save-dir": ["annotate", "output"],
    "project": ["annotate", "output"], "out": ["output", "annotate"],
    "output": ["annotate"], "half": ["precision"], "overwrite": ["force"], "exist-ok": ["force"],
    "reader": ["second-stage"], "zoom": ["tiling"], "vid-stride": ["every"],
    "pretrained": ["from"],
  ]

  /// Options that are plain arguments here.
  private static let arguments: Set = ["source", "data", "input", "path", "file", "image", "video"]

  /// The command that a word stands for; nil where it is none that is known.
  package static func command(for word: String) -> String? {
    if let command = commands[word] { return command }
    return ["train", "evaluate"].lazy.filter { word.hasPrefix("\($0)-") }.map {
      "\($0) \(word.dropFirst($0.count + 1))"
    }.first
  }

  /// What an option stands for in a command; nil where it is none that is known.
  package static func option(for written: String, in command: CommandDescription) -> String? {
    let name = String(written.drop { $0 == "-" })
    let known = Dictionary(
      command.options.map { ($0.name, $0.spelling) }, uniquingKeysWith: { first, _ in first })
    if let option = options[name]?.lazy.compactMap({ known[$0] }).first { return option }
    guard arguments.contains(name), let argument = command.argument else { return nil }
    return "\(argument.name), which stands without an option"
  }
}
