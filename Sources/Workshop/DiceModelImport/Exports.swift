// What a caller of the importer meets in results, by name.

@_exported public import struct DiceDetectorHeads.ModelTensor
@_exported public import struct DiceDetectorHeads.NumPyArray
@_exported public import enum DiceDetectorHeads.NumPyArrayError
