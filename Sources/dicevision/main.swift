Environment.exit(Tool.run(Array(CommandLine.arguments.dropFirst()), .system))
