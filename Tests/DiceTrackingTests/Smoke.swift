import Testing
@Suite struct Smoke { @Test func works() {} }
