import DiceEvaluation
import DiceFiles
import DiceGeometry

/// Annotation files in Create ML's, COCO's and Pascal VOC's formats; what is read is written in every
/// format and read again.
enum Target {
  static func run(_ bytes: [UInt8]) {
    do throws(AnnotationError) {
      let images = try AnnotationFile.parse(bytes)
      for object in images.flatMap({ $0.objects }) {
        require(object.boundingBox.isProper && !object.boundingBox.isEmpty, "a proper box")
        require(!object.label.isEmpty, "a label")
      }
      if bytes.first == UInt8(ascii: "[") {
        do throws(AnnotationError) {
          let again = try AnnotationFile.parse(AnnotationFile.encode(images))
          require(again == images, "what is written is read back")
        } catch {
          fatalError("broken promise: what was read can be written: \(error)")
        }
      }
      for format in AnnotationFormat.allCases { checkRoundTrip(of: images, as: format) }
      _ = try? AnnotationFile.groundTruth(of: images, classNames: DieLabel.values)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  /// Writes pictures, whose sizes are made up, and reads them back.
  static func checkRoundTrip(of images: [AnnotatedImage], as format: AnnotationFormat) {
    var images = images
    for index in images.indices {
      images[index].width = images[index].width ?? 1000
      images[index].height = images[index].height ?? 800
    }
    let files: [EncodedAnnotations]
    do throws(AnnotationError) {
      files = try AnnotationFile.files(for: images, as: format)
    } catch {
      switch error {
      case .unwritableText, .sameFile, .outsidePicture: return
      // Where a size is lost beside a large place.
      case .sizeNotPositive, .coordinateOutOfRange: return
      default: fatalError("broken promise: what was read can be written: \(error)")
      }
    }
    do throws(AnnotationError) {
      switch format {
      case .createML, .coco: check(try AnnotationFile.parse(files[0].bytes), images)
      case .pascalVOC:
        for (file, image) in zip(files, images) {
          check(try AnnotationFile.parse(file.bytes), [image])
        }
      case .yolo: try checkYOLO(files, images)
      }
    } catch {
      // A box of next to no size is lost in the sum of its corners.
      if case .sizeNotPositive = error { return }
      fatalError("broken promise: what is written can be read: \(error)")
    }
  }

  private static func checkYOLO(
    _ files: [EncodedAnnotations], _ images: [AnnotatedImage]
  ) throws(AnnotationError) {
    guard let dataset = try? YAMLReader.dataset(files[0].bytes, labelLimit: 10_006) else {
      fatalError("broken promise: class names can be read")
    }
    var rules = AnnotationRules(AnnotationLimits())
    for (index, image) in images.enumerated() {
      var again = image
      again.objects = try YOLOAnnotations.objects(
        files[index + 1].bytes, names: dataset.names, width: image.width ?? 1,
        height: image.height ?? 1, AnnotationError.Place(imageIndex: index), &rules)
      check([again], [image])
    }
  }

  private static func check(_ found: [AnnotatedImage], _ wanted: [AnnotatedImage]) {
    require(found.map(\.fileName) == wanted.map(\.fileName), "names are kept")
    for (one, other) in zip(found, wanted) {
      require(one.objects.map(\.label) == other.objects.map(\.label), "labels are kept")
      for (a, b) in zip(one.objects, other.objects) {
        // Numbers go up to a million.
        require(
          abs(a.boundingBox.minX - b.boundingBox.minX) < 1e-8
            && abs(a.boundingBox.maxY - b.boundingBox.maxY) < 1e-8, "boxes are kept")
      }
    }
  }

  static func seeds() -> [[UInt8]] {
    let texts = [
      #"{"images":[{"id":7,"file_name":"a.jpg","width":640,"height":480}],"categories":"#
        + #"[{"id":3,"name":"dice-5"}],"annotations":[{"image_id":7,"category_id":3,"#
        + #""bbox":[1,2.5,3,4],"iscrowd":1}]}"#,
      "<?xml version=\"1.0\"?><annotation><filename>a &amp; b.jpg</filename><size><width>64</width>"
        + "<height>48</height></size><object><name>5</name><bndbox><xmin>1</xmin><ymin>2</ymin>"
        + "<xmax>3.5</xmax><ymax>4</ymax></bndbox></object></annotation>",
      "<annotation a='1'><!-- - --><filename><![CDATA[<a>]]></filename><object/></annotation>",
    ]
    return texts.map { Array($0.utf8) }
      + fixtures("Fixtures/annotations", suffix: ".json", byteLimit: 4096)
  }
}
