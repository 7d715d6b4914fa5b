#if !hasFeature(Embedded)
  extension RollFollower {
    /// What happens in a stream of frames, as it happens.
    ///
    /// ```swift
    /// for try await event in try RollFollower.events(in: camera, detector: detector) {
    ///   if case .rollEnded(let roll) = event { print(roll.values, roll.sum) }
    /// }
    /// ```
    ///
    /// Where frames come faster than the detector works, the newest one is taken and the older ones
    /// are dropped, so that events are never late by more than a frame. Frames are followed in a task
    /// of their own, which ends with the frames, with an error, or when nobody waits for events any
    /// more.
    ///
    /// - Parameters:
    ///   - frames: The frames with their times, from a camera or a film.
    ///   - detector: What finds dice in them.
    ///   - configuration: How they are followed.
    ///   - orientation: How the stored rows must be turned to stand upright; nil takes each frame's.
    ///   - regionOfInterest: The part of the upright picture to look at; nil for all of it.
    ///   - thresholds: As for the detector: asked for every frame that it looks at.
    ///   - waitingFrameLimit: The most frames that wait while one is looked at; the oldest are
    ///     dropped. `Int.max` drops none: for films.
    /// - Throws: `RollTracker.ConfigurationError` at once; the events end with a ``DetectorError`` or
    ///   with what the frames throw.
    public static func events<Frames: AsyncSequence & Sendable>(
      in frames: Frames, detector: DiceDetector, configuration: Configuration = .init(),
      orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider & Sendable = Thresholds(), waitingFrameLimit: Int = 1
    ) throws(RollTracker.ConfigurationError) -> AsyncThrowingStream<RollTracker.Event, any Error>
    where Frames.Element == VideoFrame {
      let beginning = try RollFollower(configuration: configuration)
      let (waiting, queue) = AsyncThrowingStream.makeStream(
        of: VideoFrame.self, throwing: (any Error).self,
        bufferingPolicy: waitingFrameLimit == .max
          ? .unbounded : .bufferingNewest(max(1, waitingFrameLimit)))
      return AsyncThrowingStream { events in
        let camera = Task {
          do {
            for try await frame in frames { queue.yield(frame) }
            queue.finish()
          } catch { queue.finish(throwing: error) }
        }
        let worker = Task {
          var follower = beginning
          do {
            for try await frame in waiting {
              let found = try follower.follow(
                frame.stored, with: detector, orientation: orientation,
                regionOfInterest: regionOfInterest, thresholds: thresholds, at: frame.timestamp)
              for event in found { events.yield(event) }
            }
            events.finish()
          } catch {
            events.finish(throwing: error)
          }
          camera.cancel()
        }
        events.onTermination = { _ in
          camera.cancel()
          worker.cancel()
        }
      }
    }
  }
#endif
