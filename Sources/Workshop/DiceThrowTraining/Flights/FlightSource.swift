package import DiceTrajectories

extension FlightNetwork {
  /// The network with numbers of five digits, as ``source`` holds them.
  package var rounded: FlightNetwork {
    FlightNetwork(
      bias: Self.rounded(bias), least: least.map(Self.rounded),
      greatest: greatest.map(Self.rounded),
      weights: weights.map(Self.rounded),
      units: units.map {
        Unit(
          bias: Self.rounded($0.bias), weight: Self.rounded($0.weight),
          inputs: $0.inputs.map(Self.rounded))
      })
  }

  /// A number of five digits.
  private static func rounded(_ value: Double) -> Double {
    guard value != 0, value.isFinite else { return value }
    // Division by a power of ten gives the nearest number to the decimal one.
    var (power, size) = (1.0, abs(value))
    while size < 10_000 { (size, power) = (size * 10, power * 10) }
    if power > 1 { return (value * power).rounded() / power }
    while size >= 100_000 { (size, power) = (size / 10, power * 10) }
    return (value / power).rounded() * power
  }

  /// The Swift source file that the library is built with.
  package var source: String {
    func list(_ values: [Double]) -> String {
      var lines = [""]
      for value in values {
        let text = "\(value),"
        if lines[lines.count - 1].count + text.count > 92 { lines.append("") }
        lines[lines.count - 1] += lines[lines.count - 1].isEmpty ? text : " \(text)"
      }
      return "[\n" + lines.map { "      \($0)\n" }.joined() + "    ]"
    }
    let network = rounded
    let units = network.units.map {
      "    Unit(bias: \($0.bias), weight: \($0.weight), inputs: \(list($0.inputs))),\n"
    }
    return """
      // swift-format-ignore-file
      // Made by `dicevision train flights`.

      extension FlightNetwork {
        /// The network that verdicts use.
        ///
        /// Its score is greater than 1 for what is taken for thrown.
        package static let bundled = FlightNetwork(
          bias: \(network.bias),
          least: \(list(network.least)),
          greatest: \(list(network.greatest)),
          weights: \(list(network.weights)),
          units: [

      """ + units.joined() + "  ])\n}\n"
  }
}
