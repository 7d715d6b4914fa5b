public import DiceFiles

extension EvaluationReport {
  /// The report as JSON, shares in 0…1; null where there is nothing to measure.
  ///
  /// `sets` holds an object for each set and `overall` one for all pictures, each with
  /// `averagePrecision`, `detections`, `classes`, `confusion`, `calibration`, what other `thresholds`
  /// would give, dice by `sizes` and the photos that were not read exactly right. Where classes tell
  /// kinds of dice, each also has `kinds`. Each set also holds its `photos`, with all their detections
  /// down to the lowest confidence, the surest first.
  public var json: JSONValue {
    [
      "classNames": .array(classNames.map { .string($0) }),
      "confidenceThreshold": JSONValue(confidenceThreshold),
      "detectionLimit": JSONValue(detectionLimit),
      "sets": .array(
        sets.map { set in
          var members = members(of: set)
          members["photos"] = .array(set.images.map { json(of: $0) })
          return .object(members)
        }),
      "overall": .object(members(of: overall)),
    ]
  }

  private func members(of result: SetResult) -> JSONObject {
    guard case .object(var members) = json(of: result) else { return JSONObject() }
    if let kinds = result.kinds { members["kinds"] = json(of: kinds) }
    return members
  }

  private func json(of result: SetResult) -> JSONValue {
    let readings = result.readings
    return [
      "name": .string(result.name),
      "photoCount": JSONValue(readings.photos.count),
      "dieCount": JSONValue(readings.dieCount),
      "detectionCount": JSONValue(readings.readingCount),
      "averagePrecision": [
        "at50": JSONValue(result.averagePrecision.at50),
        "at75": JSONValue(result.averagePrecision.at75),
        "at50To95": JSONValue(result.averagePrecision.at50To95),
        "averageRecall": JSONValue(result.averagePrecision.averageRecall),
      ],
      "detections": [
        "diceReadRight": json(of: readings.diceReadRight),
        "detectionsThatAreRight": json(of: readings.readingsThatAreRight),
        "photosReadExactlyRight": json(of: readings.photosReadExactlyRight),
        "missedCount": JSONValue(readings.missedCount),
        "confusedCount": JSONValue(readings.confusedCount),
        "falsePositiveCount": JSONValue(readings.falsePositiveCount),
      ],
      "classes": .array(classNames.indices.map { json(ofClass: $0, result) }),
      "confusion": [
        "counts": .array(readings.confusion.counts.map { .array($0.map { JSONValue($0) }) }),
        "missed": .array(readings.confusion.missed.map { JSONValue($0) }),
        "falsePositives": .array(readings.confusion.falsePositives.map { JSONValue($0) }),
      ],
      "calibration": json(of: readings.calibration),
      "thresholds": .array(result.thresholds.rows.map { json(of: $0) }),
      "sizes": .array(result.sizes.bins.map { json(of: $0) }),
      "photosNotExactlyRight": .array(
        readings.photos.filter { !$0.isExactlyRight }.map { json(of: $0) }),
    ]
  }

  private func json(ofClass index: Int, _ result: SetResult) -> JSONValue {
    let averagePrecision = result.averagePrecision.classes[index]
    return [
      "name": .string(classNames[index]),
      "precision": json(of: result.readings.precision(ofClass: index)),
      "recall": json(of: result.readings.recall(ofClass: index)),
      "averagePrecisionAt50": JSONValue(averagePrecision?.at50),
      "averagePrecisionAt50To95": JSONValue(averagePrecision?.at50To95),
    ]
  }

  private func json(of proportion: Proportion) -> JSONValue {
    let interval = proportion.interval.map { [$0.lowerBound, $0.upperBound] }
    return [
      "value": JSONValue(proportion.value),
      "count": JSONValue(proportion.count),
      "total": JSONValue(proportion.total),
      "interval95": interval.map { .array($0.map { .number($0) }) } ?? .null,
    ]
  }

  private func json(of kinds: KindAccuracy) -> JSONValue {
    [
      "kinds": .array(
        kinds.rows.map { row in
          [
            "name": .string(row.kind.rawValue),
            "dieCount": JSONValue(row.dieCount),
            "kindRight": json(of: row.kindRight),
            "right": json(of: row.right),
            "missedCount": JSONValue(row.missedCount),
            "falsePositiveCount": JSONValue(row.falsePositiveCount),
            "readCounts": .array(row.readCounts.map { JSONValue($0) }),
          ]
        }),
      "wrongNumbers": .array(
        kinds.wrongNumbers.map { wrong in
          [
            "label": .string(classNames[wrong.classIndex]),
            "value": .string(classNames[wrong.readClassIndex]),
            "count": JSONValue(wrong.count),
          ]
        }),
      "kindCalibration": json(of: kinds.kindCalibration),
      "numberCalibration": json(of: kinds.numberCalibration),
      "pixelSizes": .array(kinds.sizes.bins.map { json(of: $0) }),
    ]
  }

  private func json(of calibration: CalibrationCurve) -> JSONValue {
    [
      "expectedError": JSONValue(calibration.expectedError),
      "bins": .array(calibration.bins.map { json(of: $0) }),
    ]
  }

  private func json(of bin: CalibrationCurve.Bin) -> JSONValue {
    [
      "lowerBound": JSONValue(bin.lowerBound),
      "upperBound": JSONValue(bin.upperBound),
      "count": JSONValue(bin.count),
      "rightCount": JSONValue(bin.rightCount),
      "meanConfidence": JSONValue(bin.meanConfidence),
    ]
  }

  private func json(of row: ThresholdSweep.Row) -> JSONValue {
    [
      "threshold": .number(row.threshold),
      "rightCount": JSONValue(row.rightCount),
      "confusedCount": JSONValue(row.confusedCount),
      "missedCount": JSONValue(row.missedCount),
      "falsePositiveCount": JSONValue(row.falsePositiveCount),
      "photosExactlyRight": JSONValue(row.exactPhotoCount),
    ]
  }

  private func json(of bin: SizeAccuracy.Bin) -> JSONValue {
    [
      "lowerBound": .number(bin.lowerBound),
      "upperBound": bin.upperBound.isFinite ? .number(bin.upperBound) : .null,
      "rightCount": JSONValue(bin.rightCount),
      "confusedCount": JSONValue(bin.confusedCount),
      "missedCount": JSONValue(bin.missedCount),
    ]
  }

  private func json(of image: ImageReadings) -> JSONValue {
    [
      "name": .string(image.name),
      "dieCount": JSONValue(image.dieCount),
      "detections": .array(
        image.readings.map {
          ["confidence": JSONValue($0.confidence), "isRight": .bool($0.isRight)]
        }),
    ]
  }

  private func json(of photo: ReadingAccuracy.Photo) -> JSONValue {
    [
      "name": .string(photo.name),
      "dieCount": JSONValue(photo.dieCount),
      "rightCount": JSONValue(photo.rightCount),
      "missedCount": JSONValue(photo.missedCount),
      "confusedCount": JSONValue(photo.confusedCount),
      "falsePositiveCount": JSONValue(photo.falsePositiveCount),
    ]
  }
}
