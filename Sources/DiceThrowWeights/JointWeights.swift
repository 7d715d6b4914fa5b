// swift-format-ignore-file
let jointWeights: StaticString = ""
