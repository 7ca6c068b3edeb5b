import { AppError } from '@rackfair/rules/errors/AppError'
import { AGENT_CODES, PLATFORM_CODES, WORKSPACE_CODES } from '@rackfair/rules/errors/errorCodes'

/** Exit codes of `rackfair`. `exec` and `run` exit with the command's own code, or with 125 if it did not run to its end. */
export const EXIT = {
  ok: 0,
  /** An unexpected error. */
  failed: 1,
  /** Invalid command line, setting or file. */
  usage: 2,
  /** Not confirmed, so nothing was done. */
  notConfirmed: 3,
  /** No such order, machine or file. */
  notFound: 4,
  /** Platform, chain or provider did not answer; a retry may help. */
  unreachable: 5,
  /** Not enough Credit or gas, or a price above the limit. Nothing was paid. */
  money: 6,
  /** Refused by the contracts, the platform or the provider. */
  refused: 7,
  /** The key is missing, or cannot be decrypted. */
  key: 8,
  /** The provider accepted the application but could not run it. */
  deployment: 9,
  /** The command could not run to its end. */
  execFailed: 125,
  /** Ctrl-C. */
  interrupted: 130,
} as const

/** A failure of the command line itself, with its class. */
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
const MONEY = ['insufficient_credit', 'insufficient_gas', 'FeeTooHigh', 'BudgetTooLow', 'PriceAboveLimit', 'TermAboveLimit']
const NOT_FOUND = ['not_found', 'order_not_found', 'OrderNotFound', 'NodeNotFound', 'file_not_found', 'preset_unknown']
const DEPLOYMENT = [
  ...[
    'image_missing',
    'image_changed',
    'image_not_found',
    'image_architecture',
    'image_too_large',
    'registry_denied',
    'registry_unreachable',
  ],
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
  // The contracts' own errors have names such as NodeSold.
  return KNOWN.has(code) || code === 'hardware_not_verified' || /^[A-Z]/.test(code) ? EXIT.refused : EXIT.failed
}

export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'
