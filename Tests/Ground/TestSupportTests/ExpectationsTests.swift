import TestSupport
import Testing

/// What all other tests rest on.
@Suite struct ExpectationsTests {
  @Test func equalValuesAreNoIssue() {
    expectEqual([1, 2], [1, 2])
    expectEqual(Int?.none, nil)
  }

  @Test func aDifferenceIsAnIssueThatShowsBothValues() {
    withKnownIssue {
      expectEqual("a", "b", "letters")
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["\"a\" is not \"b\": letters"]
    }
  }

  @Test func whatIsNotEqualToItselfIsAnIssue() {
    withKnownIssue { expectEqual(Double.nan, .nan) }
  }
}
