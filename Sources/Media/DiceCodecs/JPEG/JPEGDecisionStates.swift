/// What the states of arithmetic coding say and which ones follow them.
enum JPEGDecisionStates {
  /// The state of decisions that are equally likely both ways and never adapt.
  static let fixed: UInt8 = 113

  /// A table for `JPEGDecisionReader`.
  ///
  /// For each estimate: the size of the unlikelier interval from bit 16 on, the state after the
  /// unlikelier outcome from bit 8 on (with bit 7 of it where the outcomes change places), and the
  /// state after the likelier one.
  static func table() -> JPEGMemory<UInt32> {
    let memory = JPEGMemory<UInt32>(count: 128)
    for (index, (estimate, unlikelier, likelier)) in estimates.enumerated() {
      let exchange: UInt32 = exchanging.contains(index) ? 0x80 : 0
      unsafe memory.base[index] = estimate << 16 | (exchange | unlikelier) << 8 | likelier
    }
    unsafe memory.base[Int(fixed)] = 0x5A1D << 16 | UInt32(fixed) << 8 | UInt32(fixed)
    return memory
  }

  /// The estimates after whose unlikelier outcome that one becomes the likelier.
  private static let exchanging: Set<Int> = [0, 14, 36, 64, 80, 88, 95, 105, 110, 112]

  /// Size of the unlikelier interval, next index after the unlikelier and after the likelier outcome.
  ///
  /// Source: ITU-T T.81, table D.3.
  private static let estimates: [(UInt32, UInt32, UInt32)] = [
    (0x5A1D, 1, 1), (0x2586, 14, 2), (0x1114, 16, 3), (0x080B, 18, 4), (0x03D8, 20, 5),
    (0x01DA, 23, 6), (0x00E5, 25, 7), (0x006F, 28, 8), (0x0036, 30, 9), (0x001A, 33, 10),
    (0x000D, 35, 11), (0x0006, 9, 12), (0x0003, 10, 13), (0x0001, 12, 13), (0x5A7F, 15, 15),
    (0x3F25, 36, 16), (0x2CF2, 38, 17), (0x207C, 39, 18), (0x17B9, 40, 19), (0x1182, 42, 20),
    (0x0CEF, 43, 21), (0x09A1, 45, 22), (0x072F, 46, 23), (0x055C, 48, 24), (0x0406, 49, 25),
    (0x0303, 51, 26), (0x0240, 52, 27), (0x01B1, 54, 28), (0x0144, 56, 29), (0x00F5, 57, 30),
    (0x00B7, 59, 31), (0x008A, 60, 32), (0x0068, 62, 33), (0x004E, 63, 34), (0x003B, 32, 35),
    (0x002C, 33, 9), (0x5AE1, 37, 37), (0x484C, 64, 38), (0x3A0D, 65, 39), (0x2EF1, 67, 40),
    (0x261F, 68, 41), (0x1F33, 69, 42), (0x19A8, 70, 43), (0x1518, 72, 44), (0x1177, 73, 45),
    (0x0E74, 74, 46), (0x0BFB, 75, 47), (0x09F8, 77, 48), (0x0861, 78, 49), (0x0706, 79, 50),
    (0x05CD, 48, 51), (0x04DE, 50, 52), (0x040F, 50, 53), (0x0363, 51, 54), (0x02D4, 52, 55),
    (0x025C, 53, 56), (0x01F8, 54, 57), (0x01A4, 55, 58), (0x0160, 56, 59), (0x0125, 57, 60),
    (0x00F6, 58, 61), (0x00CB, 59, 62), (0x00AB, 61, 63), (0x008F, 61, 32), (0x5B12, 65, 65),
    (0x4D04, 80, 66), (0x412C, 81, 67), (0x37D8, 82, 68), (0x2FE8, 83, 69), (0x293C, 84, 70),
    (0x2379, 86, 71), (0x1EDF, 87, 72), (0x1AA9, 87, 73), (0x174E, 72, 74), (0x1424, 72, 75),
    (0x119C, 74, 76), (0x0F6B, 74, 77), (0x0D51, 75, 78), (0x0BB6, 77, 79), (0x0A40, 77, 48),
    (0x5832, 80, 81), (0x4D1C, 88, 82), (0x438E, 89, 83), (0x3BDD, 90, 84), (0x34EE, 91, 85),
    (0x2EAE, 92, 86), (0x299A, 93, 87), (0x2516, 86, 71), (0x5570, 88, 89), (0x4CA9, 95, 90),
    (0x44D9, 96, 91), (0x3E22, 97, 92), (0x3824, 99, 93), (0x32B4, 99, 94), (0x2E17, 93, 86),
    (0x56A8, 95, 96), (0x4F46, 101, 97), (0x47E5, 102, 98), (0x41CF, 103, 99), (0x3C3D, 104, 100),
    (0x375E, 99, 93), (0x5231, 105, 102), (0x4C0F, 106, 103), (0x4639, 107, 104), (0x415E, 103, 99),
    (0x5627, 105, 106), (0x50E7, 108, 107), (0x4B85, 109, 103), (0x5597, 110, 109),
    (0x504F, 111, 107), (0x5A10, 110, 111), (0x5522, 112, 109), (0x59EB, 112, 111),
  ]
}
