import { AGENT_CODES, AppError, PLATFORM_CODES, WORKSPACE_CODES } from '@rackfair/core'

/** How `rackfair` ends. `exec` and `run` end with the code of the command, and with 125 where it did not run to its end. */
export const EXIT = {
  ok: 0,
  /** Nobody expected this. */
  failed: 1,
  /** The command line, a setting or a file cannot be understood. */
  usage: 2,
  /** Nobody confirmed, so nothing was done. */
  notConfirmed: 3,
  /** There is no such order, machine or file. */
  notFound: 4,
  /** Platform, chain or provider did not answer; trying again can help. */
  unreachable: 5,
  /** Not enough Credit or gas, or a price above the limit. Nothing was paid. */
  money: 6,
  /** The contracts, the platform or the provider say no. */
  refused: 7,
  /** The key is missing, or does not open. */
  key: 8,
  /** The provider took the application and could not run it. */
  deployment: 9,
  /** What keeps a command from running to its end. */
  execFailed: 125,
  /** Ctrl-C. */
  interrupted: 130,
} as const

/** A failure of the command line's own, with its class. */
export class CliError extends Error {
  readonly exitCode: number
  readonly code: string

  constructor(exitCode: number, code: string, message: string) {
    super(message)
    this.exitCode = exitCode
    this.code = code
  }
}

const UNREACHABLE = [
  ...['platform_unreachable', 'rpc_unreachable', 'provider_offline', 'chain_unreachable', 'stream_interrupted', 'stream_broken'],
  ...['transaction_timeout', 'transaction_unknown', 'not_ready', 'rate_limited', 'agent_busy', 'deploy_timeout'],
]
const MONEY = ['insufficient_credit', 'insufficient_gas', 'FeeTooHigh']
const NOT_FOUND = ['not_found', 'order_not_found', 'OrderNotFound', 'NodeNotFound', 'file_not_found', 'preset_unknown']
const DEPLOYMENT = [
  ...['image_missing', 'image_not_found', 'image_architecture', 'image_too_large', 'registry_denied', 'registry_unreachable'],
  ...['port_unavailable', 'engine_unavailable', 'isolation_unavailable', 'gpu_unavailable', 'disk_full'],
  ...['start_failed', 'start_timeout'],
]
const KNOWN: ReadonlySet<string> = new Set([...AGENT_CODES, ...PLATFORM_CODES, ...WORKSPACE_CODES])

/** The class of a failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode
  if (isAbort(error)) return EXIT.interrupted
  if (!(error instanceof AppError)) return EXIT.failed
  const { code } = error
  if (UNREACHABLE.includes(code)) return EXIT.unreachable
  if (MONEY.includes(code)) return EXIT.money
  if (NOT_FOUND.includes(code)) return EXIT.notFound
  if (DEPLOYMENT.includes(code)) return EXIT.deployment
  if (code === 'unknown' || code === 'internal') return EXIT.failed
  // The contracts' own errors have names like NodeSold.
  return KNOWN.has(code) || code === 'hardware_not_verified' || /^[A-Z]/.test(code) ? EXIT.refused : EXIT.failed
}

export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'
