import DiceEvaluation
import DiceGeometry

/// YOLO's files: the first byte says whether the others are lines of boxes, a list of class names, or
/// a `data.yaml`.
enum Target {
  static func run(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch first % 3 {
    case 0: readBoxes(rest)
    case 1:
      do throws(AnnotationError) {
        let names = try YOLOAnnotations.classNames(rest, limit: 20)
        require(!names.isEmpty && names.count <= 20 && !names.contains(""), "names")
      } catch {
        require(error.description.hasSuffix("."), "an error is a sentence")
      }
    default:
      do throws(YAMLError) {
        let names = try YAMLReader.dataset(rest, labelLimit: 20).names
        require(!names.isEmpty && names.count <= 20 && !names.contains(""), "names")
      } catch {
        require(error.description.hasSuffix("."), "an error is a sentence")
        require(error.line >= 1, "lines count from 1")
      }
    }
  }

  private static func readBoxes(_ bytes: [UInt8]) {
    var rules = AnnotationRules(AnnotationLimits(objectCount: 100))
    do throws(AnnotationError) {
      let objects = try YOLOAnnotations.objects(
        bytes, names: ["1", "2", "x"], width: 640, height: 480,
        AnnotationError.Place(imageIndex: 0, fileName: "a.jpg"), &rules)
      require(objects.count <= 100, "few objects")
      for object in objects {
        require(object.boundingBox.isProper && !object.boundingBox.isEmpty, "a proper box")
      }
      let image = AnnotatedImage(fileName: "a.jpg", objects: objects, width: 640, height: 480)
      do throws(AnnotationError) {
        _ = try AnnotationFile.files(for: [image], as: .yolo)
      } catch {
        if case .outsidePicture = error { return }
        fatalError("broken promise: what was read can be written: \(error)")
      }
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func seeds() -> [[UInt8]] {
    [
      "00 0.5 0.5 0.1 0.1\n1 .25 1e-1 0.5 1\r\n", "02 0.1 0.1 0.2 0.1 0.2 0.3 0.1 0.4\n",
      "1one\ntwo\r\n\nthree\n", "2train: ../train/images # a\nnc: 2\nnames: ['a', \"b\"]\n",
      "2---\nnames:\n  0: a\n  1: 'b''c'\nother: |\n  x\n", "2names: {0: a,\n 1: b}\nval: [a, b]",
      "2path: x\nnames:\n- a\n- \"\\\\\"\ntest:\n",
    ].map { Array($0.utf8) }
  }
}
