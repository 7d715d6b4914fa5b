internal import DiceCommandLine
internal import DiceFinders

Environment.exit(Program.dice.run(Environment.arguments, .system))
