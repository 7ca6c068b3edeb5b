export type { CommandOptions, CommandResult, Commands, StartedCommand } from './commands.ts'
export type { Files } from './files.ts'
export { Sandbox, type SandboxCost, type SandboxOptions } from './Sandbox.ts'
export type { FileEvent, Watching, WatchOptions } from './watchFolder.ts'
