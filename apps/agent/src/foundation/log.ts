import type { Logger } from 'pino'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * The agent's own log. `error`: the provider must act, because tenants or earnings are at stake; `warn`: something went wrong that the
 * agent handles itself; `info`: what happened; `debug`: helps to find a fault.
 */
export type Log = Record<LogLevel, (message: string, facts?: Record<string, unknown>) => void>

export function createLog(logger: Logger): Log {
  return {
    debug: (message, facts = {}) => logger.debug(facts, message),
    info: (message, facts = {}) => logger.info(facts, message),
    warn: (message, facts = {}) => logger.warn(facts, message),
    error: (message, facts = {}) => logger.error(facts, message),
  }
}

/** A log for interactive commands: everything but `debug`. */
export function sayingLog(say: (message: string, facts?: Record<string, unknown>) => void): Log {
  return { debug: () => {}, info: say, warn: say, error: say }
}
