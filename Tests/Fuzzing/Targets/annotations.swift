import DiceFiles
import DiceAnnotations

/// Annotation files; what is read is written and read again.
enum Target {
  static func run(_ bytes: [UInt8]) {
    do throws(AnnotationError) {
      let images = try AnnotationFile.parse(bytes)
      for object in images.flatMap({ $0.objects }) {
        require(object.boundingBox.isProper && !object.boundingBox.isEmpty, "a proper box")
        require(!object.label.isEmpty, "a label")
      }
      do throws(AnnotationError) {
        let again = try AnnotationFile.parse(AnnotationFile.encode(images))
        require(again == images, "what is written is read back")
      } catch {
        fatalError("broken promise: what was read can be written: \(error)")
      }
      _ = try? AnnotationFile.groundTruth(of: images, classNames: ["1", "2", "3", "4", "5", "6"])
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func seeds() -> [[UInt8]] {
    fixtures("Fixtures/annotations", suffix: ".json", byteLimit: 4096)
  }
}
