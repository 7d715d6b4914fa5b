internal import DiceFiles
internal import DiceDrawing

/// A chart of lines, with bars behind them where told, as SVG in the colours of the page.
struct Chart {
  /// How numbers of an axis are written.
  enum Format: Hashable {
    /// As they are.
    case plain
    /// As percent: 0.5 is 50 %.
    case percent
    /// In powers of ten where they are small.
    case scientific
  }

  /// An axis: what it shows, from where to where.
  struct Axis: Hashable {
    var title: String
    var range: ClosedRange<Double>
    var format = Format.plain
    /// Whether each step of the axis is the same factor; the range is then above 0.
    var isLogarithmic = false
    /// Where the marks are; empty for round numbers.
    var ticks: [Double] = []
  }

  /// What a line is drawn in.
  enum Ink: Hashable {
    /// The colour of a value, 1 to 6.
    case value(Int)
    /// The colour of text.
    case main
    /// The colour of side remarks.
    case soft
    /// Of what is good.
    case good
    /// Of what is bad.
    case poor
  }

  /// A point of a line, with what is said of it beside the pointer.
  struct Point: Hashable {
    var x: Double
    var y: Double
    var hint = ""
  }

  /// A line through points, which has gaps at points that are not finite.
  struct Line: Hashable {
    var name: String
    var ink: Ink
    var points: [Point]
    var isDashed = false
    /// Whether points are dots, too.
    var hasDots = false
    var width = 2.0
  }

  /// A bar from the lower edge up.
  struct Bar: Hashable {
    var from: Double
    var to: Double
    /// Its height as a share of the chart's.
    var share: Double
    var label: String
    var hint: String
  }

  var x: Axis
  var y: Axis
  var lines: [Line] = []
  var bars: [Bar] = []
  /// Where a vertical line says something.
  var marks: [(x: Double, label: String)] = []
  /// Whether the line of x = y is shown.
  var hasDiagonal = false

  private static let width = 560.0
  private static let height = 320.0
  private static let plot = (left: 66.0, top: 14.0, right: 538.0, bottom: 274.0)

  /// Adds the chart and its legend.
  ///
  /// - Parameter label: What the chart shows, for readers.
  func write(to markup: inout MarkupWriter, label: String) {
    markup.raw("<svg class=\"chart\" role=\"img\" viewBox=\"0 0 560 320\"")
    markup.attribute("aria-label", label)
    markup.raw(">\n")
    writeAxes(to: &markup)
    for bar in bars { write(bar, to: &markup) }
    if hasDiagonal {
      markup.raw("<path class=\"ideal\" d=\"M")
      markup.numbers(place(x.range.lowerBound), row(y.range.lowerBound))
      markup.raw("L")
      markup.numbers(place(x.range.upperBound), row(y.range.upperBound))
      markup.raw("\"/>\n")
    }
    for mark in marks { write(mark.x, mark.label, to: &markup) }
    for line in lines { write(line, to: &markup) }
    markup.raw("</svg>\n")
    if lines.count > 1 { writeLegend(to: &markup) }
  }

  // MARK: - Places

  private func share(_ value: Double, _ axis: Axis) -> Double {
    let (low, high) = (axis.range.lowerBound, axis.range.upperBound)
    if axis.isLogarithmic {
      guard value > 0 else { return 0 }
      return (Self.log(value) - Self.log(low)) / max(Self.log(high) - Self.log(low), 1e-12)
    }
    return (value - low) / max(high - low, 1e-300)
  }

  private func place(_ value: Double) -> Double {
    Self.plot.left + min(max(share(value, x), 0), 1) * (Self.plot.right - Self.plot.left)
  }

  private func row(_ value: Double) -> Double {
    Self.plot.bottom - min(max(share(value, y), 0), 1) * (Self.plot.bottom - Self.plot.top)
  }

  /// The logarithm to base 2, to some 1e-9: enough for a picture.
  static func log(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 0 }
    var result = Double(value.exponent)
    var rest = value.significand
    var bit = 0.5
    for _ in 0..<30 {
      rest *= rest
      if rest >= 2 {
        rest /= 2
        result += bit
      }
      bit /= 2
    }
    return result
  }

  // MARK: - Parts

  private func writeAxes(to markup: inout MarkupWriter) {
    for tick in ticks(y) {
      let row = row(tick)
      line(&markup, "grid-line", Self.plot.left, row, Self.plot.right, row)
      text(
        &markup, Self.text(tick, y.format), x: Self.plot.left - 8, y: row + 4, anchor: "end")
    }
    for tick in ticks(x) {
      let place = place(tick)
      line(&markup, "axis", place, Self.plot.bottom, place, Self.plot.bottom + 4)
      text(
        &markup, Self.text(tick, x.format), x: place, y: Self.plot.bottom + 18, anchor: "middle")
    }
    line(&markup, "axis", Self.plot.left, Self.plot.bottom, Self.plot.right, Self.plot.bottom)
    text(
      &markup, x.title, x: (Self.plot.left + Self.plot.right) / 2, y: Self.height - 8,
      anchor: "middle")
    markup.raw("<text transform=\"translate(13 144) rotate(-90)\" text-anchor=\"middle\">")
    markup.text(y.title)
    markup.raw("</text>\n")
  }

  private func write(_ bar: Bar, to markup: inout MarkupWriter) {
    let left = place(bar.from) + 1
    let right = max(left + 1, place(bar.to) - 1)
    let height = (Self.plot.bottom - Self.plot.top) * min(max(bar.share, 0), 1)
    markup.raw("<g><title>")
    markup.text(bar.hint)
    markup.raw("</title><rect class=\"bar\"")
    markup.attribute("x", left)
    markup.attribute("y", Self.plot.bottom - height)
    markup.attribute("width", right - left)
    markup.attribute("height", height)
    markup.raw("/>")
    if !bar.label.isEmpty {
      text(
        &markup, bar.label, x: (left + right) / 2, y: Self.plot.bottom - height - 4,
        anchor: "middle")
    }
    markup.raw("</g>\n")
  }

  private func write(_ mark: Double, _ label: String, to markup: inout MarkupWriter) {
    guard mark.isFinite else { return }
    let place = place(mark)
    line(&markup, "mark", place, Self.plot.top, place, Self.plot.bottom)
    let isRight = place > (Self.plot.left + Self.plot.right) / 2
    text(
      &markup, label, x: place + (isRight ? -5 : 5), y: Self.plot.top + 10,
      anchor: isRight ? "end" : "start")
  }

  private func write(_ line: Line, to markup: inout MarkupWriter) {
    markup.raw("<path fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\"")
    stroke(line.ink, to: &markup)
    markup.attribute("stroke-width", line.width)
    if line.isDashed { markup.raw(" stroke-dasharray=\"6 5\"") }
    markup.raw(" d=\"")
    var isDrawing = false
    for point in line.points {
      guard point.x.isFinite, point.y.isFinite else {
        isDrawing = false
        continue
      }
      if isDrawing { markup.raw("L") } else { markup.raw("M") }
      markup.numbers(place(point.x), row(point.y))
      isDrawing = true
    }
    markup.raw("\"/>\n")
    for point in line.points where point.x.isFinite && point.y.isFinite {
      if line.hasDots {
        markup.raw("<circle r=\"3.5\"")
        markup.attribute("cx", place(point.x))
        markup.attribute("cy", row(point.y))
        markup.raw(" style=\"fill:")
        color(line.ink, to: &markup)
        markup.raw("\"/>")
      }
      if point.hint.isEmpty { continue }
      markup.raw("<circle class=\"hit\" r=\"7\"")
      markup.attribute("cx", place(point.x))
      markup.attribute("cy", row(point.y))
      markup.raw("><title>")
      markup.text(point.hint)
      markup.raw("</title></circle>\n")
    }
  }

  private func writeLegend(to markup: inout MarkupWriter) {
    markup.raw("<ul class=\"legend\">")
    for line in lines {
      markup.raw("<li><i style=\"background:")
      color(line.ink, to: &markup)
      markup.raw("\"></i>")
      markup.text(line.name)
      markup.raw("</li>")
    }
    markup.raw("</ul>\n")
  }

  private func stroke(_ ink: Ink, to markup: inout MarkupWriter) {
    markup.raw(" style=\"stroke:")
    color(ink, to: &markup)
    markup.raw("\"")
  }

  private func color(_ ink: Ink, to markup: inout MarkupWriter) {
    switch ink {
    case .value(let value):
      markup.raw("var(--v")
      markup.number(Double(min(max(value, 1), 6)))
      markup.raw(")")
    case .main: markup.raw("var(--ink)")
    case .soft: markup.raw("var(--soft)")
    case .good: markup.raw("var(--good)")
    case .poor: markup.raw("var(--poor)")
    }
  }

  private func line(
    _ markup: inout MarkupWriter, _ name: String, _ x1: Double, _ y1: Double, _ x2: Double,
    _ y2: Double
  ) {
    markup.raw("<path")
    markup.attribute("class", name)
    markup.raw(" d=\"M")
    markup.numbers(x1, y1)
    markup.raw("L")
    markup.numbers(x2, y2)
    markup.raw("\"/>\n")
  }

  private func text(
    _ markup: inout MarkupWriter, _ text: String, x: Double, y: Double, anchor: String
  ) {
    markup.raw("<text")
    markup.attribute("x", x)
    markup.attribute("y", y)
    markup.attribute("text-anchor", anchor)
    markup.raw(">")
    markup.text(text)
    markup.raw("</text>\n")
  }

  // MARK: - Numbers

  private func ticks(_ axis: Axis) -> [Double] {
    axis.ticks.isEmpty ? Self.roundTicks(axis.range) : axis.ticks
  }

  /// Four to nine round numbers in a range: multiples of 1, 2 or 5 times a power of ten.
  static func roundTicks(_ range: ClosedRange<Double>) -> [Double] {
    let extent = range.upperBound - range.lowerBound
    guard extent > 0, extent.isFinite else { return [range.lowerBound] }
    var step = 1.0
    while step > extent / 4 { step /= 10 }
    while step * 10 <= extent / 4 { step *= 10 }
    if extent / (5 * step) >= 4 { step *= 5 } else if extent / (2 * step) >= 4 { step *= 2 }
    var ticks: [Double] = []
    var index = (range.lowerBound / step - 1e-9).rounded(.up)
    while index * step <= range.upperBound + 1e-9 * extent, ticks.count < 50 {
      ticks.append(index * step)
      index += 1
    }
    return ticks
  }

  /// A range from 0 to a round number that is not below any of the values; to 1 for none.
  static func rangeFromZero(_ values: [Double]) -> ClosedRange<Double> {
    let greatest = values.filter { $0.isFinite }.max() ?? 0
    guard greatest > 0 else { return 0...1 }
    var unit = 1.0
    while unit > greatest { unit /= 10 }
    while unit * 10 <= greatest { unit *= 10 }
    for factor in [1.0, 1.5, 2, 3, 4, 5, 6, 8, 10] where unit * factor >= greatest {
      return 0...unit * factor
    }
    return 0...greatest
  }

  static func text(_ value: Double, _ format: Format) -> String {
    switch format {
    case .percent:
      let percent = NumberText.rounded(value * 100, decimals: 2)
      return "\(NumberText.short(percent)) %"
    case .plain:
      if value.magnitude >= 1e4 {
        return value.magnitude >= 1e6
          ? "\(NumberText.short(NumberText.rounded(value / 1e6, decimals: 2)))M"
          : "\(NumberText.short(NumberText.rounded(value / 1e3, decimals: 2)))k"
      }
      return NumberText.short(NumberText.rounded(value, decimals: 4))
    case .scientific:
      if value == 0 { return "0" }
      var exponent = 0
      var mantissa = value.magnitude
      while mantissa < 0.9995, exponent > -20 {
        mantissa *= 10
        exponent -= 1
      }
      let text = NumberText.short(NumberText.rounded(mantissa, decimals: 2))
      return exponent == 0 ? text : "\(text)e\(exponent)"
    }
  }
}
