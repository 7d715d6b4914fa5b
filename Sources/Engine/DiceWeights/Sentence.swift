/// A template with its gaps filled in order: `#` stands for a number, `%` for a number of bytes, `@`
/// for a text.
///
/// Interpolations say the same, but each of the hundred sentences would need ten times the code; and
/// inlined into each of them, this would make the module take half as long again to build.
@inline(never)
func sentence(
  _ template: String, _ first: Int = 0, _ second: Int = 0, _ third: Int = 0, _ fourth: Int = 0,
  _ fifth: Int = 0, text: String = "", other: String = ""
) -> String {
  var numbers = [first, second, third, fourth, fifth].makeIterator()
  var texts = [text, other].makeIterator()
  var result: [UInt8] = []
  for byte in template.utf8 {
    switch byte {
    case UInt8(ascii: "#"): result += "\(numbers.next() ?? 0)".utf8
    case UInt8(ascii: "%"):
      let count = numbers.next() ?? 0
      result += "\(count)".utf8
      result += (count == 1 ? " byte" : " bytes").utf8
    case UInt8(ascii: "@"): result += (texts.next() ?? "").utf8
    default: result.append(byte)
    }
  }
  return String(decoding: result, as: UTF8.self)
}
