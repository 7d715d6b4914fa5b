internal import DiceCommandLine

Environment.exit(Program.throwing.run(Environment.arguments, .system))
