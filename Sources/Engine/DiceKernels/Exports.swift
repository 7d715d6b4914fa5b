// `Address` and the task types are part of this module's interface.
@_exported public import DiceKernelTemplates
