Environment.exit(Tool.run(Environment.arguments, .system))
