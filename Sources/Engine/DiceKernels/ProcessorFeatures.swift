/// What the processor offers and the operating system saves and restores.
struct ProcessorFeatures: Hashable {
  /// What x86-64-v3 has: AVX2 with fused multiply-add.
  var hasAVX2 = false
  /// What x86-64-v4 has: AVX-512 F, BW, CD, DQ and VL.
  var hasAVX512 = false
  /// Products of four bytes in 256 bits, AVX-VNNI, beside x86-64-v3.
  var hasAVXVNNI = false
  /// Products of four bytes in 512 bits, AVX-512 VNNI, beside x86-64-v4.
  var hasAVX512VNNI = false
  /// The matrix extensions for bfloat16.
  var hasAMX = false
  /// The matrix extensions for 8-bit integers, beside AVX-512 VNNI.
  var hasIntegerAMX = false
  /// Dot products of arm64, `FEAT_DotProd`.
  var hasDotProduct = false
}

extension ProcessorFeatures {
  private static let wordsOfAVX2 = [
    "fma", "sse4_1", "sse4_2", "movbe", "popcnt", "avx", "f16c", "bmi1", "avx2", "bmi2", "abm",
  ]
  private static let wordsOfAVX512 = ["avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"]
  private static let wordsOfAMX = ["amx_tile", "amx_bf16"]

  /// The features of the first processor in the text of Linux's `/proc/cpuinfo`.
  ///
  /// They stand as words in the line `flags`, of arm64 in the line `Features`, where Linux leaves out what it
  /// does not save and restore. A line without an end may have been cut and does not count.
  ///
  /// Sources: Linux, Documentation/arch/x86/cpuinfo.rst and Documentation/arch/arm64/elf_hwcaps.rst.
  init(processorInformation text: [UInt8]) {
    guard let words = Self.flags(text) else { return }
    func has(_ names: [String]) -> Bool {
      names.allSatisfy { name in words.contains { $0.elementsEqual(name.utf8) } }
    }
    hasAVX2 = has(Self.wordsOfAVX2)
    hasAVX512 = hasAVX2 && has(Self.wordsOfAVX512)
    hasAVXVNNI = hasAVX2 && has(["avx_vnni"])
    hasAVX512VNNI = hasAVX512 && has(["avx512_vnni"])
    hasAMX = hasAVX512 && has(Self.wordsOfAMX)
    hasIntegerAMX = hasAVX512VNNI && has(["amx_tile", "amx_int8"])
    hasDotProduct = has(["asimd", "asimddp"])
  }

  /// The words behind the first `flags :` or `Features :` that a line begins with; nil without such a line.
  private static func flags(_ text: [UInt8]) -> [ArraySlice<UInt8>]? {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = text[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let words = line[..<colon].split(whereSeparator: isBlank)
      if words.count == 1,
        words[0].elementsEqual("flags".utf8) || words[0].elementsEqual("Features".utf8)
      {
        return line[(colon + 1)...].split(whereSeparator: isBlank)
      }
    }
    return nil
  }
}

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  extension ProcessorFeatures {
    /// Those of this computer.
    ///
    /// Asked of the C library, or where it does not tell (a program without shared libraries, musl,
    /// glibc before 2.33) of Linux.
    static let current: ProcessorFeatures = {
      var features =
        activeFeatures() ?? ProcessorFeatures(processorInformation: readProcessorInformation())
      if features.hasAMX || features.hasIntegerAMX, !mayUseTiles() {
        (features.hasAMX, features.hasIntegerAMX) = (false, false)
      }
      return features
    }()

    /// A leaf's registers `cpuid` (eax, ebx, ecx, edx) and the usable part of them, `active`.
    private typealias LeafFunction = @convention(c) (UInt32) -> UnsafePointer<UInt32>?

    /// What glibc's `__x86_get_cpuid_feature_leaf` says, whose `active` bits are set only for features
    /// that are usable; nil without it.
    private static func activeFeatures() -> ProcessorFeatures? {
      guard let symbol = unsafe dlsym(nil, "__x86_get_cpuid_feature_leaf") else { return nil }
      let leaf = unsafe unsafeBitCast(symbol, to: LeafFunction.self)
      guard let first = unsafe leaf(0), let seventh = unsafe leaf(1), let extended = unsafe leaf(2)
      else { return nil }
      // Words 4...7 of a leaf are the active eax, ebx, ecx and edx.
      let activeECX1 = unsafe first[6]
      let activeEBX7 = unsafe seventh[5]
      let activeEDX7 = unsafe seventh[7]
      let activeECX80000001 = unsafe extended[6]
      func has(_ word: UInt32, _ bits: [UInt32]) -> Bool { bits.allSatisfy { word >> $0 & 1 == 1 } }
      var features = ProcessorFeatures()
      // FMA 12, SSE4.1 19, SSE4.2 20, MOVBE 22, POPCNT 23, AVX 28, F16C 29; BMI1 3, AVX2 5, BMI2 8;
      // LZCNT 5: x86-64-v3. AVX-512 F 16, DQ 17, CD 28, BW 30, VL 31: x86-64-v4.
      features.hasAVX2 =
        has(activeECX1, [12, 19, 20, 22, 23, 28, 29]) && has(activeEBX7, [3, 5, 8])
        && has(activeECX80000001, [5])
      features.hasAVX512 = features.hasAVX2 && has(activeEBX7, [16, 17, 28, 30, 31])
      // AVX-VNNI 4 of leaf 7's second part, AVX-512 VNNI 11.
      if let second = unsafe leaf(6) {
        let activeEAX = unsafe second[4]
        features.hasAVXVNNI = features.hasAVX2 && has(activeEAX, [4])
      }
      let activeECX7 = unsafe seventh[6]
      features.hasAVX512VNNI = features.hasAVX512 && has(activeECX7, [11])
      // AMX-BF16 22, AMX-TILE 24, AMX-INT8 25.
      features.hasAMX = features.hasAVX512 && has(activeEDX7, [22, 24])
      features.hasIntegerAMX = features.hasAVX512VNNI && has(activeEDX7, [24, 25])
      return features
    }

    /// Asks the operating system for the state of the tiles, which it gives to processes on request.
    ///
    /// Source: Linux, Documentation/arch/x86/xstate.rst.
    private static func mayUseTiles() -> Bool {
      // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
      setArchitectureState(0x1023, 18) == 0
    }

    /// The system call, which C libraries have without a declaration.
    @_silgen_name("arch_prctl")
    private static func setArchitectureState(_ request: Int32, _ value: UInt) -> Int32
  }
#elseif arch(arm64) && os(Linux) && canImport(DiceKernelsDotProduct)
  extension ProcessorFeatures {
    /// Those of this computer, as Linux tells.
    static let current = ProcessorFeatures(processorInformation: readProcessorInformation())
  }
#elseif arch(arm64) && hasFeature(Embedded) && canImport(DiceKernelsDotProduct)
  extension ProcessorFeatures {
    /// Nobody tells: who builds the module knows the processor.
    static var current: ProcessorFeatures {
      var features = ProcessorFeatures()
      features.hasDotProduct = true
      return features
    }
  }
#else
  extension ProcessorFeatures {
    /// A build without modules for further instruction sets.
    static var current: ProcessorFeatures { ProcessorFeatures() }
  }
#endif

#if os(Linux) && (canImport(DiceKernelsAVX2) || canImport(DiceKernelsDotProduct))
  internal import DiceSystem

  extension ProcessorFeatures {
    /// The beginning of `/proc/cpuinfo`, which has the first processor; empty where it is not there.
    static func readProcessorInformation() -> [UInt8] {
      let file = unsafe open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { _ = close(file) }
      return unsafe [UInt8](unsafeUninitializedCapacity: 1 << 14) { (buffer, count) in
        while count < buffer.count, let start = buffer.baseAddress {
          let found = unsafe read(file, start + count, buffer.count - count)
          if found < 0, errno == EINTR { continue }
          if found <= 0 { break }
          count += found
        }
      }
    }
  }
#endif
