import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'

/**
 * What a buyer signs to deploy on an order or to clean it. One `key: value` per line, in this order, nothing else:
 *
 * ```
 * order: 12
 * deploy: 2
 * time: 1795219200
 * wallet: 0x…40 lower-case hex digits
 * provider: 0x…
 * chain: 2985
 * env: 0x…64 lower-case hex digits      (only when the request carries environment values)
 * app: 0x…64 lower-case hex digits      (only, and always, when deploy is 999: an application of the renter's own)
 * once: 0x…64 lower-case hex digits     (only when the request has a name)
 * ```
 *
 * `deploy` is the catalogue id; 0 cleans. `time` is unix seconds. `env` is keccak256 of `envText` and `app` of `appText`, so that no
 * intermediary can change the values or the application. The values themselves travel sealed, see `deploymentRequest`. `once` is keccak256 of
 * a name: of the texts of a wallet for one order with that line, the first counts, and each later one leads to its deployment.
 */
export interface DeployText {
  orderId: bigint
  deployId: number
  time: number
  wallet: string
  provider: string
  chainId: number
  envHash?: string
  appHash?: string
  onceHash?: string
}

/** As parsed: the form allows only lower case. */
export type ReadDeployText = DeployText & { wallet: LowerCaseAddress; provider: LowerCaseAddress }

export const MAX_DEPLOY_TEXT_LENGTH = 400

const ADDRESS = '0x[0-9a-f]{40}'
const SHAPE = new RegExp(
  `^order: (0|[1-9]\\d{0,19})\ndeploy: (\\d{1,3})\ntime: ([1-9]\\d{0,11})\nwallet: (${ADDRESS})\nprovider: (${ADDRESS})\nchain: ([1-9]\\d{0,9})(?:\nenv: (0x[0-9a-f]{64}))?(?:\napp: (0x[0-9a-f]{64}))?(?:\nonce: (0x[0-9a-f]{64}))?$`,
)

/** Formats the text. Addresses are lower-cased, so every implementation produces the same bytes. */
export function formatDeployText(request: DeployText): string {
  const lines = [
    `order: ${request.orderId}`,
    `deploy: ${request.deployId}`,
    `time: ${request.time}`,
    `wallet: ${lowerCaseAddress(request.wallet)}`,
    `provider: ${lowerCaseAddress(request.provider)}`,
    `chain: ${request.chainId}`,
  ]
  if (request.envHash !== undefined) lines.push(`env: ${request.envHash.toLowerCase()}`)
  if (request.appHash !== undefined) lines.push(`app: ${request.appHash.toLowerCase()}`)
  if (request.onceHash !== undefined) lines.push(`once: ${request.onceHash.toLowerCase()}`)
  return lines.join('\n')
}

/** Parses the text. `undefined` for anything but the exact form: no trailing newline, no leading zeros, no other case. */
export function parseDeployText(text: string): ReadDeployText | undefined {
  if (text.length > MAX_DEPLOY_TEXT_LENGTH) return undefined
  const match = SHAPE.exec(text)
  if (!match) return undefined
  const [, order = '', deploy, time, wallet = '', provider = '', chain, envHash, appHash, onceHash] = match
  const request: ReadDeployText = {
    orderId: BigInt(order),
    deployId: Number(deploy),
    time: Number(time),
    wallet: lowerCaseAddress(wallet),
    provider: lowerCaseAddress(provider),
    chainId: Number(chain),
    ...(envHash === undefined ? {} : { envHash }),
    ...(appHash === undefined ? {} : { appHash }),
    ...(onceHash === undefined ? {} : { onceHash }),
  }
  if ((request.deployId === OWN_APP_DEPLOY_ID) !== (appHash !== undefined)) return undefined
  return formatDeployText(request) === text ? request : undefined
}

/** Environment values with the salt that prevents guessing them from their hash. */
export interface SaltedEnv {
  /** 64 hex digits, random and unique to this request. */
  salt: string
  env: Readonly<Record<string, string>>
}

/**
 * The bytes that `env` hashes, and what is sealed to the agent: JSON of the salt and of `[name, value]` pairs sorted by name, so that key
 * order does not matter.
 *
 * @example envText({ salt: '00…', env: { B: '2', A: '1' } }) // '["00…",[["A","1"],["B","2"]]]'
 */
export function envText({ salt, env }: SaltedEnv): string {
  return JSON.stringify([salt, Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** Parses the text, which may be padded with trailing spaces. `undefined` for anything but the exact form. */
export function parseEnvText(padded: string): SaltedEnv | undefined {
  const text = padded.trimEnd()
  try {
    const [salt, pairs] = JSON.parse(text) as [string, [string, string][]]
    const read = { salt, env: Object.fromEntries(pairs) }
    const isText = Object.values(read.env).every((value) => typeof value === 'string')
    return SALT.test(salt) && isText && envText(read) === text ? read : undefined
  } catch {
    return undefined
  }
}
const SALT = /^[0-9a-f]{64}$/
