import DiceModelImport
import DiceWeights

/// Darknet configurations, and weights that have as many numbers as they need.
enum Target {
  static func run(_ bytes: [UInt8]) {
    // A zero byte ends the configuration; behind it are the weights.
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    var weights = parts.count > 1 ? Array(parts[1]) : []
    if weights.count < 20 { weights = [0, 0, 0, 0, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 12) }
    weights += [UInt8](repeating: 0, count: 4 * 4096)
    importing(Array(parts[0]), weights)
  }

  private static func importing(_ configuration: [UInt8], _ weights: [UInt8]) {
    do throws(ModelImportError) {
      let model = try ModelImporter.importDarknet(
        configuration: configuration, weights: weights)
      do throws(WeightFileError) {
        _ = try WeightFile(bytes: model.weightFile())
      } catch {
        fatalError("broken promise: an imported model is legal: \(error)")
      }
    } catch {
      require(!error.description.isEmpty, "an error is a sentence")
      // Weights that are too many are told by their number: take them away and try again.
      if case .invalid(_, let rule) = error,
        let unused = rule.split(separator: " ").first.flatMap({ Int($0) }),
        rule.hasSuffix("bytes are left when all layers have theirs."), unused > 0,
        unused <= weights.count
      {
        importing(configuration, Array(weights.dropLast(unused)))
      }
    }
  }

  static func seeds() -> [[UInt8]] {
    let head = "[net]\nwidth=8\nheight=8\nchannels=2\n"
    let convolution = "[convolutional]\nfilters=4\nsize=3\npad=1\nactivation=leaky\n"
    return [
      head + convolution + "batch_normalize=1\ngroups=2\n[maxpool]\nsize=2\nstride=1\n",
      head + convolution + "[route]\nlayers=-1\ngroups=2\ngroup_id=1\n[upsample]\nstride=2\n",
      head + convolution + "[shortcut]\nfrom=-1\nactivation=mish\n[reorg]\nstride=2\n",
      head + "[connected]\noutput=4\nactivation=linear\n[softmax]\n[dropout]\n",
      head + "[convolutional]\nfilters=6\n[yolo]\nmask=0\nanchors=1,2,3,4\nclasses=1\nnum=2\n",
      head + "[avgpool]\n[region]\nanchors=1,1\nclasses=1\nnum=1\ncoords=0\n",
    ].map { Array($0.utf8) }
  }
}
