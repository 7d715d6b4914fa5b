import TestSupport
import Testing

@testable import DiceKernels

@Suite struct ProcessorFeaturesTests {
  /// A text of `/proc/cpuinfo`, and what it says.
  struct Machine: CustomStringConvertible {
    let description: String
    let text: String
    var hasAVX2 = false
    var hasAVX512 = false
    var hasAVXVNNI = false
    var hasAVX512VNNI = false
    var hasAMX = false
    var hasIntegerAMX = false
    var hasDotProduct = false

    var features: ProcessorFeatures {
      ProcessorFeatures(
        hasAVX2: hasAVX2, hasAVX512: hasAVX512, hasAVXVNNI: hasAVXVNNI,
        hasAVX512VNNI: hasAVX512VNNI, hasAMX: hasAMX, hasIntegerAMX: hasIntegerAMX,
        hasDotProduct: hasDotProduct)
    }
  }

  /// What processors since 2013 have, without the vectors of 512 bits.
  private static let haswell = """
    fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 \
    ht syscall nx rdtscp lm constant_tsc rep_good nopl pni pclmulqdq ssse3 fma cx16 pcid sse4_1 sse4_2 \
    x2apic movbe popcnt aes xsave avx f16c rdrand hypervisor lahf_lm abm fsgsbase bmi1 avx2 smep bmi2 \
    erms invpcid
    """
  private static let avx512 = "avx512f avx512dq avx512cd avx512bw avx512vl"

  private static func arm64(_ features: String) -> String {
    """
    processor\t: 0
    BogoMIPS\t: 243.75
    Features\t: \(features)
    CPU implementer\t: 0x41

    """
  }

  private static func x86(_ flags: String, model: String = "A processor") -> String {
    """
    processor\t: 0
    vendor_id\t: AuthenticAMD
    model name\t: \(model)
    cpu MHz\t\t: 2596.138
    flags\t\t: \(flags)
    vmx flags\t: vnmi preemption_timer ept vpid
    bugs\t\t: spectre_v1 spectre_v2
    power management:


    """
  }

  static let machines = [
    Machine(
      description: "Xeon, Sapphire Rapids",
      text: x86("\(haswell) \(avx512) avx512_vnni amx_bf16 avx512_fp16 amx_tile amx_int8"),
      hasAVX2: true, hasAVX512: true, hasAVX512VNNI: true, hasAMX: true, hasIntegerAMX: true),
    Machine(
      description: "Alder Lake", text: x86("\(haswell) sha_ni avx_vnni"), hasAVX2: true,
      hasAVXVNNI: true),
    Machine(
      description: "matrices of bfloat16 numbers alone",
      text: x86("\(haswell) \(avx512) amx_tile amx_bf16"), hasAVX2: true, hasAVX512: true,
      hasAMX: true),
    Machine(
      description: "EPYC, Zen 4", text: x86("\(haswell) \(avx512) avx512_bf16"), hasAVX2: true,
      hasAVX512: true),
    Machine(description: "EPYC, Zen 3", text: x86("\(haswell) sha_ni vaes"), hasAVX2: true),
    Machine(
      description: "Xeon Phi, without BW, DQ and VL",
      text: x86("\(haswell) avx512f avx512pf avx512er avx512cd"), hasAVX2: true),
    Machine(
      description: "Core 2",
      text: x86("fpu vme de pse tsc msr sse sse2 ss ht tm pbe syscall nx lm ssse3 cx16 sse4_1")),
    Machine(
      description: "Sandy Bridge, AVX without fused multiply-add",
      text: x86("fpu sse sse2 ssse3 cx16 sse4_1 sse4_2 popcnt aes xsave avx")),
    Machine(
      description: "arm64, Cortex-A72",
      text: arm64("fp asimd evtstrm crc32 cpuid")),
    Machine(
      description: "arm64, Cortex-A76",
      text: arm64(
        "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp asimdrdm lrcpc dcpop asimddp"
      ),
      hasDotProduct: true),
    Machine(
      description: "matrices without their wide vectors",
      text: x86("amx_tile amx_bf16 amx_int8 avx512_vnni avx_vnni")),
    Machine(description: "nothing", text: ""),
  ]

  @Test(arguments: machines) func readsWhatLinuxLists(_ machine: Machine) {
    expectEqual(
      ProcessorFeatures(processorInformation: [UInt8](machine.text.utf8)), machine.features)
  }

  @Test func readsTheFirstProcessorAlone() {
    let text = Self.x86(Self.haswell) + Self.x86("\(Self.haswell) \(Self.avx512)")
    let features = ProcessorFeatures(processorInformation: [UInt8](text.utf8))
    expectEqual(features, ProcessorFeatures(hasAVX2: true))
  }

  @Test(arguments: [
    "processor\t: 0\nmodel name\t: flags : FLAGS\n",
    "vmx flags\t: FLAGS\n",
    "flags FLAGS\n",
    "flagship : FLAGS\n",
    "Flags : FLAGS\n",
    "flags :\nFLAGS\n",
    "flags : FLAGS",
    ":\n:\n\n : FLAGS\n",
  ])
  func takesNoOtherTextForTheList(_ pattern: String) {
    let text = pattern.replacing("FLAGS", with: Self.haswell)
    expectEqual(ProcessorFeatures(processorInformation: [UInt8](text.utf8)), ProcessorFeatures())
  }

  @Test func aListThatIsCutOffDoesNotCount() {
    let list = [UInt8]("flags : \(Self.haswell) \(Self.avx512)\n".utf8)
    for end in 0..<list.count {
      expectEqual(
        ProcessorFeatures(processorInformation: Array(list[..<end])), ProcessorFeatures())
    }
    #expect(ProcessorFeatures(processorInformation: list).hasAVX512)
  }

  @Test func anyBytesAreNoFeatures() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<100 {
      let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
      expectEqual(ProcessorFeatures(processorInformation: bytes), ProcessorFeatures())
    }
  }

  #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
    @Test func linuxAndTheCLibraryAgreeHere() {
      let listed = ProcessorFeatures(
        processorInformation: ProcessorFeatures.readProcessorInformation())
      expectEqual(listed.hasAVX2, ProcessorFeatures.current.hasAVX2)
      expectEqual(listed.hasAVX512, ProcessorFeatures.current.hasAVX512)
    }
  #endif
}
