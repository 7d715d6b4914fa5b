import DiceParallel
import Foundation
import Testing

@testable import DiceTraining

struct AdamTests {
  private func makeStore() -> (ParameterStore, Range<Int>, Range<Int>) {
    let store = ParameterStore()
    let weights = store.reserve(count: 20, decays: true)
    let shifts = store.reserve(count: 16, decays: false)
    store.allocate()
    for index in 0..<store.count { store.values[index] = Float(index) / 10 - 1 }
    return (store, weights, shifts)
  }

  @Test func threeStepsFollowTheFormula() {
    let (store, weights, shifts) = makeStore()
    let adam = Adam(weightDecay: 0.1, maximumGradientNorm: 1e9)
    var (m, v) = (
      [Double](repeating: 0, count: store.count), [Double](repeating: 0, count: store.count)
    )
    var w = (0..<store.count).map { Double(Float($0) / 10 - 1) }
    for step in 1...3 {
      for index in Array(weights) + Array(shifts) {
        let g = Foundation.sin(Double(index * step))
        store.gradient[index] = Float(g)
        m[index] = 0.9 * m[index] + 0.1 * g
        v[index] = 0.999 * v[index] + 0.001 * g * g
        let update =
          m[index] / (1 - pow(0.9, Double(step)))
          / ((v[index] / (1 - pow(0.999, Double(step)))).squareRoot() + 1e-7)
        w[index] -= 0.01 * (update + (weights.contains(index) ? 0.1 * w[index] : 0))
      }
      adam.update(
        store, step: step, learningRate: 0.01, averageDecay: 0.5, pool: WorkerPool(threadCount: 1))
    }
    for index in Array(weights) + Array(shifts) {
      #expect(abs(Double(store.values[index]) - w[index]) < 2e-5)
    }
  }

  @Test func longGradientsAreShortened() {
    let (store, weights, _) = makeStore()
    for index in weights { store.gradient[index] = 1000 }
    let adam = Adam(weightDecay: 0, maximumGradientNorm: 1)
    adam.update(
      store, step: 1, learningRate: 0, averageDecay: 0, pool: WorkerPool(threadCount: 1))
    let norm = weights.reduce(Float(0)) {
      $0 + store.firstMoment[$1] * store.firstMoment[$1]
    }.squareRoot()
    #expect(abs(norm - 0.1) < 1e-4)
  }

  @Test func averageFollowsTheValues() {
    let (store, _, _) = makeStore()
    let adam = Adam(weightDecay: 0, maximumGradientNorm: 1)
    adam.update(
      store, step: 1, learningRate: 0, averageDecay: 0.75, pool: WorkerPool(threadCount: 1))
    #expect(abs(store.averaged[5] - 0.25 * store.values[5]) < 1e-6)
  }
}

struct LearningRateScheduleTests {
  private let schedule = LearningRateSchedule(
    peak: 0.1, finalShare: 0.05, warmUpStepCount: 10, stepCount: 110)

  @Test func risesThenFallsToItsFinalShare() {
    #expect(abs(schedule.rate(at: 1) - 0.01) < 1e-7)
    #expect(abs(schedule.rate(at: 10) - 0.1) < 1e-7)
    #expect(abs(schedule.rate(at: 60) - 0.1 * (0.05 + 0.95 / 2)) < 1e-6)
    #expect(abs(schedule.rate(at: 110) - 0.005) < 1e-7)
    #expect(abs(schedule.rate(at: 9999) - 0.005) < 1e-7)
  }

  @Test func neverRisesAfterTheWarmUp() {
    for step in 10..<110 { #expect(schedule.rate(at: step + 1) <= schedule.rate(at: step)) }
  }
}
