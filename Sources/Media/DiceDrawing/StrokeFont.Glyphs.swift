extension StrokeFont {
  /// The path of a character, for those that have one.
  ///
  /// The first number is the width of the path. The pen moves with `M x y`, draws straight lines
  /// with `L x y`, quarters of an ellipse that start horizontally (`H x y`) or vertically (`V x
  /// y`), a parabola with `Q controlX controlY x y`, and a dot with `D x y`. y points downwards:
  /// capitals and digits stand between 0 and 28, small letters between 9 and 28, and reach down to
  /// 36.
  static func path(of character: Unicode.Scalar) -> StaticString? {
    switch character {
    case "0"..."9": digit(character)
    case "A"..."Z": capital(character)
    case "a"..."z": smallLetter(character)
    default: sign(character)
    }
  }

  /// What stands for a character that has no path: an empty box.
  static let missing: StaticString = "14 M0 0 L14 0 L14 28 L0 28 L0 0"

  private static func digit(_ character: Unicode.Scalar) -> StaticString? {
    switch character {
    case "0": "17 M8.5 0 H17 10 L17 18 V8.5 28 H0 18 L0 10 V8.5 0"
    case "1": "9 M0 6.5 L9 0 L9 28"
    case "2": "16 M0 8 V8 0 H16 8 Q16 12 12 16 L0.5 28 L16.5 28"
    case "3": "16 M0.5 5 Q2.5 0 8 0 H15 6.5 V8 13 L5.5 13 M8 13 H16 20.5 V8 28 Q2 28 0 22.5"
    case "4": "18 M13 28 L13 0 L0 20.5 L18 20.5"
    case "5": "16 M14.5 0 L3 0 L1.5 12.5 Q4 10 8 10 H16 19 V8 28 Q2 28 0 23"
    case "6": "16.5 M13 0 Q0 5 0 19 V8.25 28 H16.5 19 V8.25 10 H0 19"
    case "7": "16 M0 0 L16 0 L5.5 28"
    case "8": "17 M8.5 0 H15.5 6.5 V8.5 13 H1.5 6.5 V8.5 0 M8.5 13 H17 20.5 V8.5 28 H0 20.5 V8.5 13"
    case "9": "16.5 M3.5 28 Q16.5 23 16.5 9 V8.25 0 H0 9 V8.25 18 H16.5 9"
    default: nil
    }
  }

  private static func capital(_ character: Unicode.Scalar) -> StaticString? {
    switch character {
    case "A": "20 M0 28 L10 0 L20 28 M3.4 18.5 L16.6 18.5"
    case "B": "16 M0 13 L9 13 H16 20.5 V9 28 L0 28 L0 0 L8.5 0 H15 6.5 V8.5 13"
    case "C": "18.5 M18.5 6 Q16 0 10.5 0 H0 14 V10.5 28 Q16 28 18.5 22"
    case "D": "18 M0 0 L6 0 H18 14 V6 28 L0 28 L0 0"
    case "E": "14 M14 0 L0 0 L0 28 L14 28 M0 13.5 L12 13.5"
    case "F": "14 M14 0 L0 0 L0 28 M0 13.5 L12 13.5"
    case "G": "19 M18.5 6 Q16 0 10.5 0 H0 14 V10.5 28 H19 19 L19 15.5 L11 15.5"
    case "H": "18 M0 0 L0 28 M18 0 L18 28 M0 13.5 L18 13.5"
    case "I": "0 M0 0 L0 28"
    case "J": "12 M12 0 L12 20.5 V6 28 Q1.5 28 0 23"
    case "K": "17 M0 0 L0 28 M16.5 0 L0 17 M6 11 L17.5 28"
    case "L": "13 M0 0 L0 28 L13 28"
    case "M": "22 M0 28 L0 0 L11 19 L22 0 L22 28"
    case "N": "18 M0 28 L0 0 L18 28 L18 0"
    case "O": "21 M10.5 0 H21 14 V10.5 28 H0 14 V10.5 0"
    case "P": "16 M0 28 L0 0 L8.5 0 H16 8 V8.5 16 L0 16"
    case "Q": "21 M10.5 0 H21 14 V10.5 28 H0 14 V10.5 0 M13.5 20.5 L21 30.5"
    case "R": "17 M0 28 L0 0 L8.5 0 H16 7.5 V8.5 15 L0 15 M8.5 15 L17 28"
    case "S": "16 M15 5 Q13 0 8 0 H1 6.5 Q1 11.5 8 13.5 Q16 15.5 16 21 V8 28 Q2 28 0 22.5"
    case "T": "18 M0 0 L18 0 M9 0 L9 28"
    case "U": "18 M0 0 L0 18.5 V9 28 H18 18.5 L18 0"
    case "V": "20 M0 0 L10 28 L20 0"
    case "W": "28 M0 0 L7 28 L14 2 L21 28 L28 0"
    case "X": "18 M0 0 L18 28 M18 0 L0 28"
    case "Y": "18 M0 0 L9 14.5 L18 0 M9 14.5 L9 28"
    case "Z": "16 M0.5 0 L16 0 L0 28 L16.5 28"
    default: nil
    }
  }

  private static func smallLetter(_ character: Unicode.Scalar) -> StaticString? {
    switch character {
    case "a": "14 M1.5 12 Q3.5 9 7.5 9 H14 15 L14 28 M14 18 L6.5 18 H0 23 V6.5 28 Q11.5 28 14 23"
    case "b": "15 M0 0 L0 28 M0 18.5 V7.5 9 H15 18.5 V7.5 28 H0 18.5"
    case "c": "14 M14 13 Q12 9 7.5 9 H0 18.5 V7.5 28 Q12 28 14 24"
    case "d": "15 M15 0 L15 28 M15 18.5 V7.5 9 H0 18.5 V7.5 28 H15 18.5"
    case "e": "15 M0 18.5 L15 18.5 V7.5 9 H0 18.5 V7.5 28 Q12 28 14.5 24"
    case "f": "10 M10 0 L9.5 0 H4 6 L4 28 M0 9 L9.5 9"
    case "g": "15 M15 9 L15 28.5 V7.5 36 Q3 36 1 33 M15 18.5 V7.5 9 H0 18.5 V7.5 28 H15 18.5"
    case "h": "14 M0 0 L0 28 M0 17 V7.5 9 H14 16 L14 28"
    case "i": "0 M0 9 L0 28 D0 1"
    case "j": "3 M3 9 L3 31 V-1 36 L-2 36 D3 1"
    case "k": "13 M0 0 L0 28 M12.5 9 L0 20.5 M5 16 L13.5 28"
    case "l": "4 M0 0 L0 23.5 V4.5 28"
    case "m": "24 M0 9 L0 28 M0 16 V6.5 9 H12 15 L12 28 M12 16 V18.5 9 H24 15 L24 28"
    case "n": "14 M0 9 L0 28 M0 17 V7.5 9 H14 16 L14 28"
    case "o": "16 M8 9 H16 18.5 V8 28 H0 18.5 V8 9"
    case "p": "15 M0 9 L0 36 M0 18.5 V7.5 9 H15 18.5 V7.5 28 H0 18.5"
    case "q": "15 M15 9 L15 36 M15 18.5 V7.5 9 H0 18.5 V7.5 28 H15 18.5"
    case "r": "9 M0 9 L0 28 M0 17 V8 9 L9 9"
    case "s": "13 M12.5 12.5 Q11 9 6.5 9 H1 13.5 Q1 17 6.5 18.3 Q13 19.8 13 23.5 V6.5 28 Q2 28 0 24"
    case "t": "10 M4 2 L4 22 V10 28 M0 9 L10 9"
    case "u": "14 M0 9 L0 21 V6.5 28 H14 20 M14 9 L14 28"
    case "v": "14 M0 9 L7 28 L14 9"
    case "w": "22 M0 9 L5.5 28 L11 11 L16.5 28 L22 9"
    case "x": "14 M0 9 L14 28 M14 9 L0 28"
    case "y": "14 M0 9 L7.2 27.5 M14 9 L6.5 31 Q4.8 36 0 36"
    case "z": "13 M0.5 9 L13 9 L0 28 L13.5 28"
    default: nil
    }
  }

  private static func sign(_ character: Unicode.Scalar) -> StaticString? {
    switch character {
    case " ", "\u{A0}": "3"
    case "!": "0 M0 0 L0 19 D0 27.5"
    case "\"": "7 M0 0 L0 8 M7 0 L7 8"
    case "#": "19 M7 0 L4 28 M15 0 L12 28 M1 9 L19 9 M0 19 L18 19"
    case "$":
      """
      16 M15 5 Q13 0 8 0 H1 6.5 Q1 11.5 8 13.5 Q16 15.5 16 21 V8 28 Q2 28 0 22.5 \
      M8 -4 L8 32
      """
    case "%":
      """
      26 M6 0 H12 6.5 V6 13 H0 6.5 V6 0 M20 15 H26 21.5 V20 28 H14 21.5 V20 15 \
      M21 0 L5 28
      """
    case "&":
      """
      19.5 M19.5 28 L4.5 9.5 Q2.5 7 2.5 5 V8 0 H13.5 5 Q13.5 9 7 12.5 Q0 16.5 0 21 V7.5 28 \
      Q15.5 28 18.5 15
      """
    case "'": "0 M0 0 L0 8"
    case "(": "6 M6 -3 Q0 5 0 14 Q0 23 6 31"
    case ")": "6 M0 -3 Q6 5 6 14 Q6 23 0 31"
    case "*": "12 M6 0 L6 14 M0 3.5 L12 10.5 M12 3.5 L0 10.5"
    case "+": "16 M8 8 L8 24 M0 16 L16 16"
    case ",": "2.5 M2.5 27 L0.5 33"
    case "-": "10 M0 17 L10 17"
    case ".": "0 D0 27.5"
    case "/": "13 M13 -2 L0 31"
    case ":": "0 D0 12 D0 27.5"
    case ";": "2.5 D2 12 M2.5 27 L0.5 33"
    case "<": "15 M15 8.5 L0 16 L15 23.5"
    case "=": "16 M0 12.5 L16 12.5 M0 20.5 L16 20.5"
    case ">": "15 M0 8.5 L15 16 L0 23.5"
    case "?": "14 M0 7 V7 0 H14 6.5 Q14 10.5 10.5 13 Q7 15.5 7 19.5 D7 27.5"
    case "@":
      """
      28 M20 15.5 V14 9 H8 15.5 V14 22 H20 15.5 M20 9 L20 18 V24 22.5 H28 14 V14 -1 H0 15 V14 31 \
      Q19 31 23 28.5
      """
    case "[": "7 M7 -3 L0 -3 L0 31 L7 31"
    case "\\": "13 M0 -2 L13 31"
    case "]": "7 M0 -3 L7 -3 L7 31 L0 31"
    case "^": "14 M0 10 L7 0 L14 10"
    case "_": "16 M0 33 L16 33"
    case "`": "6 M0 -1 L6 5"
    case "{": "9 M9 -3 H4 3 L4 9 V0 14 H4 19 L4 25 V9 31"
    case "|": "0 M0 -4 L0 33"
    case "}": "9 M0 -3 H5 3 L5 9 V9 14 H5 19 L5 25 V0 31"
    case "~": "18 M0 18.5 Q1 13.5 5 13.5 Q7.5 13.5 9 16 Q10.5 18.5 13 18.5 Q17 18.5 18 13.5"
    case "\u{D7}": "13 M0 9.5 L13 22.5 M13 9.5 L0 22.5"
    case "\u{B0}": "9 M4.5 0 H9 4.5 V4.5 9 H0 4.5 V4.5 0"
    case "\u{B7}": "0 D0 16"
    case "\u{2013}": "16 M0 17 L16 17"
    case "\u{2026}": "18 D0 27.5 D9 27.5 D18 27.5"
    default: nil
    }
  }
}
