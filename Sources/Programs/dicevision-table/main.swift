internal import DiceCommandLine

Environment.exit(Program.table.run(Environment.arguments, .system))
