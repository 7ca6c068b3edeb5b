import type { IncomingMessage, ServerResponse } from 'node:http'
import { openHttp } from '@rackfair/http/openHttp'
import { visitorOf } from '@rackfair/http/visitorOf'
import { AppError } from '@rackfair/rules/errors/AppError'
import { visibleText } from '@rackfair/rules/text/visibleText'
import { boughtOnce, depositUsdtToPurse, purseOf, type Renter, readPurse, withPurse } from '@rackfair/sdk'
import { Sandbox } from '@rackfair/sdk/sandbox'
import { decodePaymentSignatureHeader, encodePaymentResponseHeader } from '@x402/core/http'
import type { HTTPAdapter, HTTPProcessResult } from '@x402/core/server'
import { type Address, type Hex, isAddress, isAddressEqual, isHex } from 'viem'
import { type AdmissionLimits, createAdmission } from './admission.ts'
import { createPayments, PATH } from './payments.ts'
import { type Job, readJob } from './readJob.ts'
import { runJob } from './runJob.ts'

export interface DoorOptions {
  host: string
  /** 0 for any free one. */
  port: number
  limits?: Partial<AdmissionLimits>
}

export interface Door {
  url: string
  close(): Promise<void>
}

const MAX_BODY_BYTES = 2 ** 17
const BODY_TIMEOUT_MS = 30_000

/**
 * Serves `POST /x402/run` with an account that owns nothing but gas: it is a key of the purses of those who pay, and spends what each of
 * them granted.
 *
 * @throws AppError as `createPayments`; the system's error if it cannot listen, such as EADDRINUSE
 * @example const { url, close } = await serveRun(withAccount(market, account), { host: '127.0.0.1', port: 4020 })
 */
export async function serveRun(renter: Renter, { host, port, limits = {} }: DoorOptions): Promise<Door> {
  const payments = await createPayments(renter)
  const admission = createAdmission(limits)
  const ending = new AbortController()
  const running = new Set<Promise<void>>()
  /** Payments whose jobs are under way: one that is brought twice at once counts once. */
  const taken = new Set<string>()

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.split('?')[0] !== PATH) return send(response, 404, { error: 'not_found', what_to_do: `POST ${PATH}` })
    if (request.method === 'GET')
      return send(response, 200, { key: renter.wallet.account.address, token: payments.gate.usdt, chain: renter.chainId })
    if (request.method !== 'POST')
      return send(response, 405, { error: 'method_not_allowed', what_to_do: `POST ${PATH}` }, { allow: 'GET, POST' })
    const leave = admission.enter(visitorOf(request))
    response.once('close', leave)
    const job = readJob(await bodyOf(request))
    const { purse, priceWei } = await offerFor(renter, job)
    const units = (priceWei + payments.gate.scale - 1n) / payments.gate.scale
    const payment = paymentOf(request)
    if (payment === undefined) return sendPayment(response, await payments.process(adapterOf(request), purse, units), purse)
    // It would be taken all the same, and then nobody could say whose job it was.
    if (!isAddressEqual(payment.from, job.payer))
      throw new AppError('bad_request', `the payment is of ${payment.from}, and payer says ${job.payer}`)
    const ofPurse = withPurse(renter, purse)
    const name = `x402 ${payment.from.toLowerCase()} ${payment.nonce.toLowerCase()}`
    const before = await boughtOnce(ofPurse, name)
    if (before !== undefined || taken.has(name)) throw new Used(before)
    const work = admission.payer(payment.from)
    taken.add(name)
    try {
      const processed = await payments.process(adapterOf(request), purse, units)
      if (processed.type !== 'payment-verified') {
        // A door that died after it had taken the payment may have bought nothing for it.
        if (await payments.isTaken(payment.from, payment.nonce))
          throw new Used(undefined, 'what this payment brought is in your purse')
        return sendPayment(response, processed, purse)
      }
      const settled = processed.beforeHandlerSettlement?.result
      const headers: Record<string, string> = settled ? { 'payment-response': encodePaymentResponseHeader(settled) } : {}
      const done = work.begin()
      try {
        await depositUsdtToPurse(renter, purse)
        const gone = new AbortController()
        response.once('close', () => gone.abort())
        const signal = AbortSignal.any([gone.signal, ending.signal])
        const result = await runJob(ofPurse, job, { name, maxPriceWei: units * payments.gate.scale, signal })
        send(response, 200, { ...result, purse, receipt: `${renter.platform}/api/v1/order/${result.order}/receipt` }, headers)
      } catch (error) {
        sendFailure(response, error, { headers, fields: { paid_units: String(units), purse } })
      } finally {
        done()
      }
    } finally {
      taken.delete(name)
    }
  }

  const http = await openHttp(
    (request, response) => {
      const one = answer(request, response)
        .catch((error: unknown) => sendFailure(response, error))
        .finally(() => running.delete(one))
      running.add(one)
    },
    { host, port, bodyMs: BODY_TIMEOUT_MS },
  )
  return {
    url: `${http.url}${PATH}`,
    close: () =>
      http.close(() => {
        ending.abort()
        return Promise.all(running)
      }),
  }
}

/** A payment that was brought before: nothing more is taken for it. */
class Used extends AppError {
  constructor(order: bigint | undefined, otherwise = 'the job of this payment is under way') {
    super('payment_used', order === undefined ? otherwise : `this payment bought order ${order}`)
  }
}

/** The purse that a job's payer owns and lets us spend from, and what the job may cost. @throws AppError `KeyNotValid`, `not_found` */
async function offerFor(renter: Renter, job: Job): Promise<{ purse: Address; priceWei: bigint }> {
  const { purse, exists } = await purseOf(renter, job.payer)
  const own = renter.wallet.account.address
  const { keys } = exists ? await readPurse(renter, purse) : { keys: [] }
  const grant = keys.find(({ key, isRevoked }) => !isRevoked && isAddressEqual(key, own))
  if (grant === undefined || grant.validUntil * 1_000 < Date.now())
    throw new AppError('KeyNotValid', `the purse of ${job.payer} grants nothing to ${own}`)
  const missing = (['buy', 'end', 'deploy', 'workspace'] as const).filter((right) => !grant.rights.includes(right))
  if (missing.length > 0) throw new AppError('RightMissing', `the grant lacks ${missing.join(', ')}`)
  const { image, preset, machine, termSeconds: term } = job
  const priceWei = await Sandbox.quote(withPurse(renter, purse), { image, preset, machine, term })
  if (priceWei > grant.leftWei) throw new AppError('BudgetTooLow', 'the job may cost more than the grant has left')
  return { purse, priceWei }
}

/** The payer and the number of a payment; undefined where none was brought. @throws AppError `bad_request` */
function paymentOf({ headers }: IncomingMessage): { from: Address; nonce: Hex } | undefined {
  const header = headers['payment-signature'] ?? headers['x-payment']
  if (header === undefined) return undefined
  const malformed = () => new AppError('bad_request', 'the payment is no exact payment of x402 version 2 by EIP-3009')
  let payload: { x402Version?: unknown; payload?: { authorization?: { from?: unknown; nonce?: unknown } } }
  try {
    payload = decodePaymentSignatureHeader(String(header)) as never
  } catch {
    throw malformed()
  }
  const { from, nonce } = payload.payload?.authorization ?? {}
  if (payload.x402Version !== 2 || typeof from !== 'string' || !isAddress(from) || !isHex(nonce) || nonce.length !== 66)
    throw malformed()
  return { from, nonce }
}

/** Answers a payment that was not taken, or was not brought, with what is wanted. */
function sendPayment(response: ServerResponse, processed: HTTPProcessResult, purse: Address): void {
  if (processed.type !== 'payment-error') throw new AppError('unknown', 'a job without a price')
  const { status, headers, body } = processed.response
  const own = typeof body === 'object' && body !== null ? body : {}
  send(
    response,
    status,
    { ...own, purse, what_to_do: 'Nothing was paid. Pay by x402 into the purse; what the job does not use stays there.' },
    headers,
  )
}

interface Paid {
  headers: Record<string, string>
  fields: Record<string, unknown>
}

function sendFailure(response: ServerResponse, error: unknown, paid?: Paid): void {
  const { code, message } = error instanceof AppError ? error : { code: 'unknown', message: 'it failed' }
  const [status, advice] = ANSWERS[code] ?? [502, 'The same request may succeed later.']
  const nothing = code === 'payment_used' ? 'Nothing more was paid.' : 'Nothing was paid.'
  const what_to_do = paid ? `What was paid is in your purse, less what the order used. ${advice}` : `${nothing} ${advice}`
  // Machines word their own failures.
  const detail = visibleText(message).slice(0, 300)
  send(response, status, { error: visibleText(code).slice(0, 60), detail, what_to_do, ...paid?.fields }, paid?.headers)
}

const GRANT =
  'Grant the key of this door what jobs may cost: rackfair key grant KEY --total 5 --days 30; GET this path names the key.'

/** The status of a failure, and what its reader can do. */
const ANSWERS: Readonly<Record<string, readonly [status: number, advice: string]>> = {
  bad_request: [400, 'Send the fields as the guide has them.'],
  payload_too_large: [413, 'Send less.'],
  app_malformed: [400, 'Name an image with its registry and tag.'],
  KeyNotValid: [403, GRANT],
  RightMissing: [403, GRANT],
  BudgetTooLow: [403, 'Raise what the grant has left, or ask for fewer hours.'],
  TermAboveLimit: [403, 'Ask for fewer hours.'],
  PriceAboveLimit: [403, 'Ask for a smaller machine, or raise the limit of the grant.'],
  ProviderNotGranted: [403, 'No machine that fits is of a provider that the grant lists.'],
  not_found: [404, 'No machine fits now. Ask for less, or later.'],
  rate_limited: [429, 'Ask less often.'],
  busy: [503, 'Try again later.'],
  payment_used: [409, 'Sign another payment for another job.'],
  FeeTooHigh: [409, 'The price rose meanwhile. Ask again.'],
  insufficient_gas: [503, 'The account of this door has no gas. Tell its operator.'],
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_BODY_BYTES) throw new AppError('payload_too_large', `a job has at most ${MAX_BODY_BYTES} bytes`)
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString())
  } catch {
    throw new AppError('bad_request', 'the body is no JSON')
  }
}

function adapterOf(request: IncomingMessage): HTTPAdapter {
  const header = (name: string) => request.headers[name.toLowerCase()]?.toString()
  return {
    getHeader: header,
    getMethod: () => 'POST',
    getPath: () => PATH,
    // Never the name that the client asked for, which is a stranger's.
    getUrl: () => PATH,
    getAcceptHeader: () => 'application/json',
    getUserAgent: () => '',
  }
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(`${JSON.stringify(body)}\n`)
}
