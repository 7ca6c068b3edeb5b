import type { IncomingMessage, ServerResponse } from 'node:http'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import type { probeData } from '@rackfair/sdk/uptime'
import { type Address, type Hex, recoverTypedDataAddress } from 'viem'
import type { ZodType } from 'zod'
import { visitorOf } from '../foundation/arrival.ts'
import { createTokenBuckets } from '../foundation/buckets.ts'
import { readJson } from '../foundation/readJson.ts'
import { sendJson } from '../foundation/sendJson.ts'
import { createFairQueue } from './createFairQueue.ts'
import type { KnownMonitors } from './knownMonitors.ts'

/** How far a monitor's clock may be from ours, in epochs. */
const MAX_EPOCHS_OFF = 1
/** Signatures that are known to be right: a monitor signs once per epoch what it asks many times. */
const MAX_CHECKED = 4096
/** How often the chain is asked again whether a monitor has named the key of somebody who signs as it. */
const KEYS_KEPT_MS = 10_000
/** Statuses of what no bonded monitor sends. */
const REFUSED = [400, 403, 405]
/** What is done for one monitor: twice what an honest one asks about a thousand nodes, and ten nodes a second from then on. */
const PER_MONITOR = { burst: 4096, refillMs: 100 }
/** What one network may fail before it is told that it asks too much. */
const PER_NETWORK = { burst: 20, refillMs: 1000 }

/** EIP-712 data, as `probeData` gives it. */
export interface SignedData {
  domain: object
  types: object
  primaryType: string
  message: object
}

/** Who asks, and where. */
export interface Asking {
  /** The contract `Monitors`. */
  contract: Address
  calendar: Calendar
  monitors: KnownMonitors['accounts']
  /**
   * Whether a bonded monitor signed this. Checking it waits for the turn of the caller's network; `work` is how many nodes a valid one is
   * about. @throws AppError `agent_busy` if too much waits, or the monitor asked too much.
   */
  isSigned: (monitor: string, data: SignedData, signature: string, work?: number) => Promise<boolean>
}

export interface Answered {
  status: number
  body: object
}

export const NOT_SIGNED: Answered = { status: 403, body: { message: 'not signed by the monitor' } }

/**
 * Tells the questions of bonded monitors from all others, for every endpoint that monitors use. Nothing that a stranger sends, from
 * whichever address, makes a signed question of a bonded monitor fail: what costs next to nothing is checked first, signatures are checked
 * in turns by network, and only what fails is counted against a network. Each bonded monitor has a bucket of its own.
 */
export function createMonitorQuestions(options: {
  monitors: (keptMs?: number) => Promise<KnownMonitors>
  /** Unix seconds. */
  now: () => number
  pace?: { burst: number; refillMs: number } | undefined
}) {
  const failing = createTokenBuckets(options.pace ?? PER_NETWORK)
  const perMonitor = createTokenBuckets(PER_MONITOR)
  const inTurn = createFairQueue()
  const checked = new Set<string>()

  /** By recovery alone, as the contract does it: whoever signs cannot deny it later. */
  const isKeyOf = async (account: LowerCaseAddress, signer: LowerCaseAddress): Promise<boolean> => {
    for (const keptMs of [undefined, KEYS_KEPT_MS])
      if ((await options.monitors(keptMs)).accounts.get(account)?.includes(signer)) return true
    return false
  }

  const isSigned = async (network: string, account: string, data: SignedData, signature: string): Promise<boolean> => {
    const key = [account, data.primaryType, ...Object.values(data.message), signature].join(' ').toLowerCase()
    if (checked.has(key)) return true
    const signer = await inTurn(network, () =>
      recoverTypedDataAddress({ ...(data as ReturnType<typeof probeData>), signature: signature as Hex }).catch(() => undefined),
    )
    if (!signer || !(await isKeyOf(lowerCaseAddress(account), lowerCaseAddress(signer)))) return false
    checked.add(key)
    for (const oldest of checked) if (checked.size > MAX_CHECKED) checked.delete(oldest)
    return true
  }

  const takeWork = (monitor: LowerCaseAddress, work: number): void => {
    for (let count = 0; count < work; count += 1)
      if (!perMonitor.take(monitor)) throw new AppError('agent_busy', 'this monitor asks too much', { retryable: true })
  }

  const ask = async <T>(
    request: IncomingMessage,
    network: string,
    { shape, maxBytes, askedBy, epochOf, answer }: Question<T>,
  ): Promise<Answered> => {
    const refuse = (status: number, message: string): Answered => ({ status, body: { message } })
    if (request.method !== 'POST') return refuse(405, 'POST only')
    const body = shape.safeParse(await readJson(request, maxBytes).catch(() => undefined))
    if (!body.success) return refuse(400, 'malformed request')
    const { contract, accounts } = await options.monitors()
    if (contract === undefined) return refuse(404, 'this market has no monitors')
    if (!askedBy(body.data).every((monitor) => accounts.has(lowerCaseAddress(monitor))))
      return refuse(403, 'not a monitor of this market')
    const epoch = contract.calendar.epochAt(options.now())
    if (Math.abs((epochOf(body.data) ?? epoch) - epoch) > MAX_EPOCHS_OFF) return refuse(409, `this clock shows epoch ${epoch}`)
    return answer(body.data, {
      contract: contract.address,
      calendar: contract.calendar,
      monitors: accounts,
      isSigned: async (monitor, data, signature, work = 1) => {
        if (!(await isSigned(network, monitor, data, signature))) return false
        takeWork(lowerCaseAddress(monitor), work)
        return true
      },
    })
  }

  /** Answers one request; 503 while it cannot be known who asks. */
  return async <T>(request: IncomingMessage, response: ServerResponse, question: Question<T>): Promise<void> => {
    const network = visitorOf(request) ?? ''
    const { status, body } = await ask(request, network, question).catch((error: unknown): Answered => {
      if (!(error instanceof AppError) || !error.retryable) throw error
      return { status: 503, body: { message: error.message } }
    })
    if (REFUSED.includes(status) && !failing.take(network)) sendJson(response, 429, { message: 'too many requests' })
    else sendJson(response, status, body)
  }
}
export type MonitorQuestions = ReturnType<typeof createMonitorQuestions>

/** An endpoint's question: its shape, who asks, and the answer to those who may. */
interface Question<T> {
  shape: ZodType<T>
  maxBytes: number
  askedBy: (body: T) => readonly string[]
  /** Undefined where the question is not about the present epoch. */
  epochOf: (body: T) => number | undefined
  answer: (body: T, asking: Asking) => Promise<Answered>
}
