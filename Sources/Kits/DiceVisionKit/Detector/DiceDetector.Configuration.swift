internal import DiceKernels
internal import DiceNetwork
public import DiceRolls

extension DiceDetector {
  /// How a detector works; what is nil follows the weights or the computer.
  public struct Configuration: Hashable, Sendable {
    /// The size of the network's input; nil takes the weight file's.
    ///
    /// Each side is a multiple of 32 from 32 to 4096. A larger input finds smaller dice and takes
    /// longer, in proportion to its area; far from the size of the training, accuracy falls.
    public var inputSize: InputSize?
    /// How pictures are brought to the size of the input; nil takes what the weights were trained
    /// with.
    public var cropAndScale: CropAndScale?
    /// Whether pictures with small dice are looked at again, in tiles.
    public var tiling: Tiling
    /// Whether each die that was found is classified once more, by itself.
    public var secondStage: SecondStage
    /// Which boxes compete where they overlap.
    public var suppression: Suppression
    /// The threads that share the work of a call, the caller's included; nil takes all processors.
    ///
    /// At least 1. More than 64 count as 64.
    public var threadCount: Int?
    /// The kernels to compute with; nil takes the fastest that work here.
    public var kernelImplementation: KernelImplementation?
    /// The numbers that the networks compute with.
    public var precision: Precision
    /// How much of the resolution of JPEG files is decoded.
    public var fileResolution: FileResolution
    /// The kinds of dice that may be reported; nil for all that the labels of the weights name.
    ///
    /// Each is one that a label names; the bundled weights know ``DieKind/d6`` alone, those of the
    /// product `AnyDice` all. A die that is read as one of these and as another kind is reported with
    /// the confidence that is left to these.
    public var kinds: Set<DieKind>?
    /// Faces of your own, which are read in place of the classes of the weights; nil reads those.
    ///
    /// Whatever the detector takes for a die is compared with the faces: its label is that of the
    /// face that it resembles, or ``FaceSet/unknownLabel``. ``kinds`` then has no say. The set has one
    /// face at least.
    public var faces: FaceSet?
    /// The most dice in a result, at least 0.
    ///
    /// The most confident ones are kept.
    public var maximumObservationCount: Int
    /// Which stages are at work; for measuring what each of them pays.
    package var stages = PipelineStages()

    /// A configuration; everything may be left out.
    public init(
      inputSize: InputSize? = nil, cropAndScale: CropAndScale? = nil,
      tiling: Tiling = .automatic, secondStage: SecondStage = .automatic,
      suppression: Suppression = .acrossClasses, threadCount: Int? = nil,
      kernelImplementation: KernelImplementation? = nil, precision: Precision = .single,
      fileResolution: FileResolution = .automatic, kinds: Set<DieKind>? = nil,
      faces: FaceSet? = nil, maximumObservationCount: Int = 1000
    ) {
      self.inputSize = inputSize
      self.cropAndScale = cropAndScale
      self.tiling = tiling
      self.secondStage = secondStage
      self.suppression = suppression
      self.threadCount = threadCount
      self.kernelImplementation = kernelImplementation
      self.precision = precision
      self.fileResolution = fileResolution
      self.kinds = kinds
      self.faces = faces
      self.maximumObservationCount = maximumObservationCount
    }
  }

  /// The width and height of a network's input in pixels.
  public struct InputSize: Hashable, Sendable {
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A size of `width` by `height`.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    /// A square.
    public init(side: Int) {
      self.init(width: side, height: side)
    }
  }

  /// How much of the resolution of JPEG files is decoded.
  ///
  /// A JPEG file can be decoded at a half, a quarter or an eighth of its size in a part of the
  /// time. Boxes are in pixels of the picture in its file all the same.
  public enum FileResolution: Hashable, Sendable {
    /// As little as the dice in the picture need.
    ///
    /// Pictures that are looked at whole (``CropAndScale/scaleFit``) are decoded with three pixels or
    /// more for each one of the network's input, along a side; where dice turn out to be so small
    /// that tiles or the second stage would magnify them, once more in full. Two pixels are enough
    /// where there are neither tiles nor a second stage. With other rules, and with taught faces, all of
    /// the picture is decoded.
    case automatic
    /// All.
    case full
    /// As little as leaves so many pixels along the longer side of the picture: faster, at the
    /// price of dice that are then too small. At least 1.
    case longerSide(Int)
  }

  /// Tiled inference: whether a picture is looked at once, or again in tiles where that pays.
  public enum Tiling: String, CaseIterable, Hashable, Sendable {
    /// One pass, at the size of the network's input: always the same time.
    case none
    /// One pass, and where the dice seen are small, or none was seen in a picture that has more
    /// pixels than the input, further ones over enlarged tiles of it.
    ///
    /// There are three such rounds at most, two of them led by dice that were seen and the others
    /// searches of a picture in which nothing was seen; a picture where dice are seen takes one
    /// mostly. Each takes one pass more for each tile of up to 832 by 832 pixels, nine at most.
    /// Only for ``CropAndScale/scaleFit``; with other rules a picture is looked at once.
    case automatic
  }

  /// Whether each place where a die was found is classified once more, by itself.
  ///
  /// The second stage is a small network that sees one die at a time, enlarged from the picture's
  /// own pixels: it says whether a top face is there, where exactly, and which value it shows. It
  /// tells top faces from side faces and from what only looks like a die. The dice of a picture
  /// then count for each other: beside dice of the same size a doubtful one gains confidence, alone
  /// it loses. Takes 48 million multiply-adds for each crop, two crops at most for each of at most
  /// ``DiceDetector/proposalLimit`` places in a picture.
  public enum SecondStage: Hashable, Sendable {
    /// The library's with the library's own weights, that of ``DetectorWeights``; none with weights of
    /// your own.
    case automatic
    /// None: dice are read in the pass that found them.
    case none
    #if canImport(DiceVisionWeights)
      /// The library's.
      case bundled
    #endif
    /// One of your own: a whole weight file, from a source that need not be trusted. Its labels are
    /// those of the detector, and it has one head, with a cell in the middle of its input.
    case weights([UInt8])
  }

  /// Which boxes compete where they overlap, and what happens to those that lose.
  public enum Suppression: Hashable, Sendable {
    /// Of boxes that overlap by more than the threshold the most confident one stays, whatever
    /// their values: a die shows one. So it is with two faces of one die with eight sides or more.
    case acrossClasses
    /// Boxes compete with those of the same value only: a die may be reported with two values.
    case perClass
    /// Boxes that overlap a more confident one lose confidence by `exp(−IoU² / sigma)`, and those
    /// that fall below the confidence threshold are dropped.
    ///
    /// All boxes compete, whatever their values, and the overlap threshold is not used. Finds dice
    /// that hide each other; reported confidences are the lowered ones. `sigma` is positive.
    ///
    /// Source: Bodla et al., "Soft-NMS", ICCV 2017.
    case soft(sigma: Double = 0.5)
  }

  /// The numbers that networks compute with.
  public enum Precision: String, CaseIterable, Hashable, Sendable {
    /// Floats of single precision: the same readings on every processor, but for roundings.
    case single
    /// bfloat16 numbers where the processor has units that multiply matrices of them (Intel's AMX),
    /// single precision elsewhere.
    ///
    /// Several times as fast. Numbers have eight significant bits, so confidences differ by a per
    /// cent or so, and a reading in doubt may turn out otherwise.
    case bfloat16
    /// 8-bit integers with sums of 32 bits: networks give the same bits on every processor.
    ///
    /// On Linux a third to a half of the time of floats with AVX-VNNI, AVX-512 VNNI or AMX; the dot products
    /// of arm64 are used, but have not been timed. Slower with AVX2 alone and on other processors. As many
    /// dice are read, with confidences that differ by a few per cent.
    ///
    /// Weights must have the ranges of their activations, as the bundled ones do and `dicevision quantize`
    /// measures them; others are computed in single precision.
    case int8

    /// Whether this build holds the kernels and the processor can run them.
    public var isAvailable: Bool { network.isAvailable }

    var network: NetworkPrecision {
      switch self {
      case .single: .single
      case .bfloat16: .bfloat16
      case .int8: .int8
      }
    }

    init(_ precision: NetworkPrecision) {
      switch precision {
      case .single: self = .single
      case .bfloat16: self = .bfloat16
      case .int8: self = .int8
      }
    }
  }

  /// The arithmetic that the network is computed with.
  public enum KernelImplementation: String, CaseIterable, Hashable, Sendable {
    /// What every processor of the architecture has: SSE2 or NEON.
    case baseline
    /// AVX2 with fused multiply-add (x86-64-v3).
    case avx2
    /// AVX-512 (x86-64-v4).
    case avx512
    /// Scalar loops that define every kernel: slow, for tests.
    case reference

    /// Whether this build holds the kernels and the processor can run them.
    public var isAvailable: Bool {
      switch self {
      case .baseline: KernelChoice.implementation(.baseline).resolved == .baseline
      case .avx2: KernelChoice.implementation(.avx2).resolved == .avx2
      case .avx512: KernelChoice.implementation(.avx512).resolved == .avx512
      case .reference: true
      }
    }

    var choice: KernelChoice {
      switch self {
      case .baseline: .implementation(.baseline)
      case .avx2: .implementation(.avx2)
      case .avx512: .implementation(.avx512)
      case .reference: .reference
      }
    }

    /// What a plan computes with.
    init(_ plan: NetworkPlan) {
      switch plan.implementation {
      case .baseline: self = .baseline
      case .avx2: self = .avx2
      case .avx512: self = .avx512
      case nil: self = .reference
      }
    }
  }
}
