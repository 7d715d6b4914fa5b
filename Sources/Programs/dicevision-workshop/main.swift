internal import DiceCommandLine

Environment.exit(Program.workshop.run(Environment.arguments, .system))
