#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  internal import Glibc

  /// What the processor offers and the operating system saves and restores.
  ///
  /// Asked of the C library (`__x86_get_cpuid_feature_leaf`, glibc 2.33), whose `active` bits are
  /// set only for features that are usable, so the operating system's part is included. Where the
  /// function is missing, nothing beyond the baseline is assumed.
  struct ProcessorFeatures {
    var hasAVX2 = false
    var hasAVX512 = false
    /// The matrix extensions for bfloat16, and leave from the operating system to use their tiles.
    var hasAMX = false

    static let current = ProcessorFeatures()

    /// A leaf's registers `cpuid` (eax, ebx, ecx, edx) and the usable part of them, `active`.
    private typealias LeafFunction = @convention(c) (UInt32) -> UnsafePointer<UInt32>?

    private init() {
      guard let symbol = unsafe dlsym(nil, "__x86_get_cpuid_feature_leaf") else { return }
      let leaf = unsafe unsafeBitCast(symbol, to: LeafFunction.self)
      guard let first = unsafe leaf(0), let seventh = unsafe leaf(1), let extended = unsafe leaf(2)
      else { return }
      // Words 4...7 of a leaf are the active eax, ebx, ecx and edx.
      let activeECX1 = unsafe first[6]
      let activeEBX7 = unsafe seventh[5]
      let activeEDX7 = unsafe seventh[7]
      let activeECX80000001 = unsafe extended[6]
      func has(_ word: UInt32, _ bits: [UInt32]) -> Bool { bits.allSatisfy { word >> $0 & 1 == 1 } }
      // FMA 12, SSE4.1 19, SSE4.2 20, MOVBE 22, POPCNT 23, AVX 28, F16C 29; BMI1 3, AVX2 5, BMI2 8;
      // LZCNT 5: x86-64-v3. AVX-512 F 16, DQ 17, CD 28, BW 30, VL 31: x86-64-v4.
      hasAVX2 =
        has(activeECX1, [12, 19, 20, 22, 23, 28, 29]) && has(activeEBX7, [3, 5, 8])
        && has(activeECX80000001, [5])
      hasAVX512 = hasAVX2 && has(activeEBX7, [16, 17, 28, 30, 31])
      // AMX-BF16 22, AMX-TILE 24.
      hasAMX = hasAVX512 && has(activeEDX7, [22, 24]) && Self.mayUseTiles()
    }

    /// Asks the operating system for the state of the tiles, which it gives to processes on request.
    ///
    /// Source: Linux, Documentation/arch/x86/xstate.rst.
    private static func mayUseTiles() -> Bool {
      typealias SystemCall = @convention(c) (Int, Int, Int) -> Int
      guard let symbol = unsafe dlsym(nil, "syscall") else { return false }
      let call = unsafe unsafeBitCast(symbol, to: SystemCall.self)
      // arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)
      return call(158, 0x1023, 18) == 0
    }
  }
#else
  /// A build without modules for further instruction sets.
  struct ProcessorFeatures {
    var hasAVX2: Bool { false }
    var hasAVX512: Bool { false }
    var hasAMX: Bool { false }

    static let current = ProcessorFeatures()
  }
#endif
