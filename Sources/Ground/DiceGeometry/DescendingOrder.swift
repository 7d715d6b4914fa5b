/// The order of numbers from the largest to the smallest, equal ones as they came.
///
/// A radix sort over the bytes of a key: O(n), stable, and without allocation once the arrays have
/// grown. Bytes that all keys share are skipped, as are the low ones of numbers from `Float`.
struct DescendingOrder: Sendable {
  private struct Entry {
    var key: UInt64
    var place: Int32
  }

  private var entries: [Entry] = []
  private var spare: [Entry] = []
  private var counts: [Int] = []

  /// The count of the numbers.
  var count: Int { entries.count }

  /// The place in the input of the number of the given rank.
  subscript(rank: Int) -> Int { Int(entries[rank].place) }

  mutating func removeAll(reserving capacity: Int) {
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(capacity)
    spare.reserveCapacity(capacity)
  }

  /// Adds a number, not NaN, at the next place.
  mutating func append(_ number: Double) {
    entries.append(Entry(key: Self.key(number), place: Int32(truncatingIfNeeded: entries.count)))
  }

  /// Whole numbers that ascend where the numbers descend, and are equal where those are.
  private static func key(_ number: Double) -> UInt64 {
    // Adding zero turns −0 into 0. Then the bits of positive numbers ascend with them and those of
    // negative ones descend.
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? ~bits ^ (1 << 63) : bits
  }

  /// Brings the places into order.
  mutating func sort() {
    if entries.count <= 48 {
      sortByInsertion()
    } else {
      sortByBytes()
    }
  }

  private mutating func sortByInsertion() {
    for end in entries.indices.dropFirst() {
      let entry = entries[end]
      var hole = end
      while hole > 0, entries[hole - 1].key > entry.key {
        entries[hole] = entries[hole - 1]
        hole -= 1
      }
      entries[hole] = entry
    }
  }

  private mutating func sortByBytes() {
    let byteCount = 8
    let valueCount = 256
    counts.removeAll(keepingCapacity: true)
    counts.append(contentsOf: repeatElement(0, count: byteCount * valueCount))
    for entry in entries {
      for byte in 0..<byteCount {
        counts[byte * valueCount + Self.value(of: byte, in: entry)] += 1
      }
    }
    spare.removeAll(keepingCapacity: true)
    spare.append(contentsOf: entries)
    for byte in 0..<byteCount {
      let table = byte * valueCount
      if counts[table + Self.value(of: byte, in: entries[0])] == entries.count { continue }
      var start = 0
      for slot in table..<table + valueCount {
        (counts[slot], start) = (start, start + counts[slot])
      }
      for entry in entries {
        let slot = table + Self.value(of: byte, in: entry)
        spare[counts[slot]] = entry
        counts[slot] += 1
      }
      swap(&entries, &spare)
    }
  }

  private static func value(of byte: Int, in entry: Entry) -> Int {
    Int(truncatingIfNeeded: entry.key >> UInt64(8 * byte)) & 0xff
  }
}
