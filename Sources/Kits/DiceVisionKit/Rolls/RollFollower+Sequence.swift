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
    ///     dropped. `Int.max` drops none and lets none wait: for films, whose next frame is asked for
    ///     when the last one has been followed.
    /// - Throws: `RollTracker.ConfigurationError` at once; the events end with a ``DetectorError`` or
    ///   with what the frames throw.
    public static func events<Frames: AsyncSequence & Sendable>(
      in frames: Frames, detector: DiceDetector, configuration: Configuration = .init(),
      orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider & Sendable = Thresholds(), waitingFrameLimit: Int = 1
    ) throws(RollTracker.ConfigurationError) -> AsyncThrowingStream<RollTracker.Event, any Error>
    where Frames.Element == VideoFrame {
      let beginning = try RollFollower(configuration: configuration)
      let take: @Sendable (inout RollFollower, VideoFrame) throws -> [RollTracker.Event] = {
        (follower, frame) in
        try follower.follow(
          frame.stored, with: detector, orientation: orientation,
          regionOfInterest: regionOfInterest, thresholds: thresholds, at: frame.timestamp)
      }
      return AsyncThrowingStream { events in
        guard waitingFrameLimit < .max else {
          let worker = Task { await beginning.follow(each: frames, take, events) }
          events.onTermination = { _ in worker.cancel() }
          return
        }
        let (waiting, queue) = AsyncThrowingStream.makeStream(
          of: VideoFrame.self, throwing: (any Error).self,
          bufferingPolicy: .bufferingNewest(max(1, waitingFrameLimit)))
        let camera = Task {
          do {
            for try await frame in frames { queue.yield(frame) }
            queue.finish()
          } catch { queue.finish(throwing: error) }
        }
        let worker = Task {
          await beginning.follow(each: waiting, take, events)
          camera.cancel()
        }
        events.onTermination = { _ in
          camera.cancel()
          worker.cancel()
        }
      }
    }

    /// Follows frames to their end, each when the one before is done, and tells what happens.
    private func follow<Frames: AsyncSequence>(
      each frames: Frames,
      _ take: (inout RollFollower, VideoFrame) throws -> [RollTracker.Event],
      _ events: AsyncThrowingStream<RollTracker.Event, any Error>.Continuation
    ) async where Frames.Element == VideoFrame {
      var follower = self
      do {
        for try await frame in frames {
          // Frames need not end where nobody waits for events any more.
          if Task.isCancelled { break }
          for event in try take(&follower, frame) { events.yield(event) }
        }
        events.finish()
      } catch {
        events.finish(throwing: error)
      }
    }
  }
#endif
