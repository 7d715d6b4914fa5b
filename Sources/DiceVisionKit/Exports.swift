// What a caller of the detector meets in its parameters, results and errors.

@_exported public import DiceGeometry
@_exported public import DiceImaging
@_exported public import DiceTracking
@_exported public import DiceWeights

@_exported public import enum DiceFiles.FileError
@_exported public import enum DiceFiles.FileOperation
@_exported public import enum DiceNetwork.NetworkError
