import DiceNetwork
import DiceWeights
import Foundation

/// A network computed the plain way.
///
/// Arrays `[H, W, C]` without gaps, borders or shared memory, sums in `Double`. Shares no code with
/// the library.
struct NaiveNetwork {
  struct Map {
    var height: Int
    var width: Int
    var channels: Int
    var values: [Double]

    init(_ height: Int, _ width: Int, _ channels: Int) {
      self.height = height
      self.width = width
      self.channels = channels
      values = Array(repeating: 0, count: height * width * channels)
    }

    subscript(y: Int, x: Int, c: Int) -> Double {
      get { values[(y * width + x) * channels + c] }
      set { values[(y * width + x) * channels + c] = newValue }
    }

    func contains(_ y: Int, _ x: Int) -> Bool { y >= 0 && y < height && x >= 0 && x < width }
  }

  let layers: [Layer]
  let tensors: [[Float]]

  func run(_ input: [Float], height: Int, width: Int) -> [Map] {
    var image = Map(height, width, 3)
    image.values = input.map { (value) in Double(value) }
    var maps: [Map] = []
    func map(_ source: Layer.Source) -> Map {
      switch source {
      case .input: image
      case .layer(let index): maps[index]
      }
    }
    for layer in layers {
      switch layer {
      case .convolution(let layer): maps.append(convolve(map(layer.input), layer))
      case .maxPooling(let layer): maps.append(pool(map(layer.input), layer))
      case .upsampling(let layer):
        let source = map(layer.input)
        var out = Map(
          source.height * layer.factor, source.width * layer.factor, source.channels)
        for y in 0..<out.height {
          for x in 0..<out.width {
            for c in 0..<out.channels {
              out[y, x, c] = source[y / layer.factor, x / layer.factor, c]
            }
          }
        }
        maps.append(out)
      case .concatenation(let layer):
        let parts = layer.inputs.map { (source) in map(source) }
        var out = Map(
          parts[0].height, parts[0].width, parts.reduce(0) { (sum, part) in sum + part.channels })
        for y in 0..<out.height {
          for x in 0..<out.width {
            var start = 0
            for part in parts {
              for c in 0..<part.channels { out[y, x, start + c] = part[y, x, c] }
              start += part.channels
            }
          }
        }
        maps.append(out)
      case .addition(let layer):
        var out = map(layer.first)
        for (index, value) in map(layer.second).values.enumerated() { out.values[index] += value }
        maps.append(out)
      case .detectionHead(let layer): maps.append(map(layer.input))
      }
    }
    return maps
  }

  private func convolve(_ source: Map, _ layer: Layer.Convolution) -> Map {
    var out = Map(source.height / layer.stride, source.width / layer.stride, layer.outputChannels)
    let weights = tensors[layer.weights].map { (value) in Double(value) }
    let size = layer.kernelSize
    for y in 0..<out.height {
      for x in 0..<out.width {
        var sums = tensors[layer.bias].map { (value) in Double(value) }
        for ky in 0..<size {
          for kx in 0..<size {
            let v = y * layer.stride + ky - layer.padding
            let u = x * layer.stride + kx - layer.padding
            guard source.contains(v, u) else { continue }
            for i in 0..<source.channels {
              let value = source[v, u, i]
              let start = ((ky * size + kx) * source.channels + i) * layer.outputChannels
              var o = 0
              while o < layer.outputChannels {
                sums[o] += value * weights[start + o]
                o += 1
              }
            }
          }
        }
        for o in 0..<layer.outputChannels {
          let sum = sums[o]
          switch layer.activation {
          case .identity: out[y, x, o] = sum
          case .leakyReLU(let slope): out[y, x, o] = sum < 0 ? sum * Double(slope) : sum
          case .sigmoidWeighted: out[y, x, o] = sum / (1 + exp(-sum))
          }
        }
      }
    }
    return out
  }

  private func pool(_ source: Map, _ layer: Layer.MaxPooling) -> Map {
    var out = Map(source.height / layer.stride, source.width / layer.stride, source.channels)
    for y in 0..<out.height {
      for x in 0..<out.width {
        for c in 0..<out.channels {
          var best = -Double.infinity
          for ky in 0..<layer.size {
            for kx in 0..<layer.size {
              let v = y * layer.stride + ky - layer.padding
              let u = x * layer.stride + kx - layer.padding
              if source.contains(v, u) { best = max(best, source[v, u, c]) }
            }
          }
          out[y, x, c] = best
        }
      }
    }
    return out
  }
}
