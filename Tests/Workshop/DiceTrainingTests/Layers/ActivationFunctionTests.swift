import DiceWeights
import Foundation
import Testing

@testable import DiceTraining

struct ActivationFunctionTests {
  /// Each function with its definition and the numbers at which it has no derivative.
  static let functions: [(Layer.Activation, @Sendable (Double) -> Double, [Double])] = [
    (.identity, { $0 }, []),
    (.leakyReLU(slope: 0.2), { $0 < 0 ? 0.2 * $0 : $0 }, [0]), (.relu, { max($0, 0) }, [0]),
    (.relu6, { min(max($0, 0), 6) }, [0, 6]), (.sigmoid, { 1 / (1 + exp(-$0)) }, []),
    (.hardSigmoid(scale: 0.25, offset: 0.4), { min(max(0.25 * $0 + 0.4, 0), 1) }, [-1.6, 2.4]),
    (.silu, { $0 / (1 + exp(-$0)) }, []),
    (.hardSwish, { $0 * min(max($0 + 3, 0), 6) / 6 }, [-3, 3]),
    (.tanh, { Foundation.tanh($0) }, []),
    (.elu(alpha: 0.7), { $0 < 0 ? 0.7 * (exp($0) - 1) : $0 }, [0]),
    (
      .gelu, { 0.5 * $0 * (1 + Foundation.tanh(0.79788456 * ($0 + 0.044715 * $0 * $0 * $0))) }, []
    ),
    (.softplus, { log(1 + exp($0)) }, []), (.linear(scale: -2, offset: 3), { -2 * $0 + 3 }, []),
    (.exponential, { exp($0) }, []), (.logarithm(lower: 0.5), { log(max($0, 0.5)) }, [0.5]),
    (.squareRoot, { max($0, 0).squareRoot() }, [0]), (.reciprocal, { 1 / $0 }, [0]),
    (.absolute, { abs($0) }, [0]), (.power(exponent: 1.7), { pow(max($0, 0), 1.7) }, [0]),
  ]

  private static let arguments: [Float] = stride(from: Float(-7), through: 7, by: 0.0625).map {
    $0 + 0.01
  }

  @Test func valuesAndDerivativesAreThoseOfTheDefinitions() {
    var count = 0
    for (activation, definition, kinks) in Self.functions {
      let function = ActivationFunction(function: activation)
      #expect(ActivationFunction.isSupported(activation))
      for start in stride(from: 0, to: Self.arguments.count - 7, by: 8) {
        let x = Channels(Self.arguments[start..<start + 8])
        let (value, derivative) = (function.value(x), function.derivative(x))
        for lane in 0..<8 {
          let at = Double(x[lane])
          let expected = definition(at)
          #expect(
            abs(Double(value[lane]) - expected) < 1e-5 * max(1, abs(expected)),
            "\(activation) at \(at)")
          guard !kinks.contains(where: { abs($0 - at) < 2e-3 }) else { continue }
          let slope = (definition(at + 1e-4) - definition(at - 1e-4)) / 2e-4
          #expect(
            abs(Double(derivative[lane]) - slope) < 2e-4 * max(1, abs(slope)),
            "\(activation) at \(at)")
          count += 1
        }
      }
    }
    #expect(count > 4000)
  }

  @Test func farArgumentsStayFinite() {
    let x = Channels(-1e30, -500, -88, -20, 20, 88, 500, 1e30)
    for (activation, _, _) in Self.functions {
      switch activation {
      case .sigmoid, .tanh, .hardSigmoid, .relu6, .elu:
        let function = ActivationFunction(function: activation)
        let values = (function.value(x), function.derivative(x))
        for lane in 0..<8 { #expect(values.0[lane].isFinite || lane > 3) }
        for lane in 0..<8 { #expect(values.1[lane].isFinite, "\(activation)") }
      default: continue
      }
    }
  }

  @Test func gradientsAgreeWithDifferences() {
    for activation in [Layer.Activation.silu, .tanh, .gelu, .sigmoid, .softplus, .errorFunction] {
      let check = OperationCheck([ValueShape(height: 3, width: 4, channelCount: 11)]) {
        inputs, _ in
        ActivationOperation(
          activation, from: inputs[0], to: Value(inputs[0].shape, learns: true))
      }
      #expect(check.compare() > 50)
    }
  }

  @Test func whatHasNoDerivativeIsNotSupported() {
    #expect(!ActivationFunction.isSupported(.floor))
    #expect(!ActivationFunction.isSupported(.parametricReLU(slopes: 0)))
    #expect(!ActivationFunction.isSupported(.requantization(multipliers: 0)))
    #expect(!ActivationFunction.isSupported(.table(numbers: 0)))
  }
}
