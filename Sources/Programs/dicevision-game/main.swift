internal import DiceCommandLine

Environment.exit(Program.game.run(Environment.arguments, .system))
