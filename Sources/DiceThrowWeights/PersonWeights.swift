// swift-format-ignore-file
let personWeights: StaticString = ""
