#if !ONLY_X86_64_LINUX || (arch(x86_64) && os(Linux))
  public import DiceKernelTemplates

  // The modules of the other instruction sets link to this file.

  extension EntryPoints {
    /// The rows `rows` of a layer of integers.
    @inline(never)
    public static func convolveIntegers(
      _ task: IntegerLayerTask, rows: Range<Int>, scratch: Address
    ) {
      DiceKernelTemplates.convolve(
        IntegerTiles.self, ByteStore.self, task, rows: rows, scratch: scratch)
    }

    /// Floats as 8-bit integers.
    @inline(never)
    public static func quantize(
      _ source: Address, pixelStep: Int, to target: Address, groupCount: Int, targetStep: Int,
      count: Int, scale: Float, zero: Float
    ) {
      DiceKernelTemplates.quantize(
        ByteStore.self, source, pixelStep: pixelStep, to: target, groupCount: groupCount,
        targetStep: targetStep, count: count, scale: scale, zero: zero)
    }
  }
#endif
