import DiceFiles

/// JSON texts; what is read is written, both ways, and read again.
enum Target {
  static func run(_ bytes: [UInt8]) {
    do throws(JSONError) {
      let value = try JSONReader.parse(bytes)
      for layout in [JSONWriter.Layout.compact, .pretty] {
        let again = try? JSONReader.parse(JSONWriter.write(value, layout: layout))
        require(again == value, "what is written is read back")
      }
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func seeds() -> [[UInt8]] {
    let texts = [
      "null", "[true,false,-0,0.5e-3,1E400,123456789012345678901234567890]", "{\"a\":{\"b\":[]}}",
      #"["\u00e9\ud83c\udfb2\n\"\\\/","é🎲"]"#, "[[[[[[[[1]]]]]]]]", "\u{FEFF}{ } ", "[1,2\n,3]",
    ]
    return texts.map { Array($0.utf8) }
      + fixtures("Fixtures/annotations", suffix: ".json", byteLimit: 4096)
  }
}
