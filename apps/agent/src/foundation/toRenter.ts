import { AppError } from '@rackfair/rules/errors/AppError'

/** What a stranger may read of an error: our own sentence, and nothing of what Node, the engine or the file system said. */
export const toRenter = (error: unknown): string => (error instanceof AppError ? error.message : AGENT_FAILED)

export const AGENT_FAILED = "the provider's agent failed; its own log says why: try again, or ask the provider"
