import {
  address,
  count,
  countTo,
  fieldsOf,
  flag,
  listOf,
  oneOf,
  optional,
  orNull,
  type Read,
  seconds,
  text,
  textOf,
  wei,
} from '@rackfair/protocol/shape'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { CONTAINER_RUNTIMES, type ProviderTakes } from '@rackfair/rules/node/takes'
import type { Provider } from '@rackfair/rules/provider/provider'
import { readNode, readOversold } from './node.ts'

const MAX_PORT = 65_535
const MAX_IMAGE_GB = 1000
/** Maximum number of registries, and of catalogue applications. */
const MAX_NAMES = 100

/**
 * A provider of `GET /v1/cp/{address}`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readProvider(json: unknown): Provider {
  return provider(json, 'provider')
}

/**
 * `GET /v1/cp/list/{from}/{to}`.
 * @throws AppError `answer_malformed`.
 */
export function readProviders(json: unknown): readonly Provider[] {
  return listOf(provider)(json, 'providers')
}

const provider: Read<Provider> = (json, name) => {
  const of = fieldsOf(json, name)
  const registeredName = of('name', text)
  return {
    address: of('address', address),
    name: registeredName,
    displayName: of('displayName', optional(text)) ?? registeredName,
    ip: of('ip', text),
    domain: of('domain', text),
    port: of('port', countTo(MAX_PORT)),
    operator: of('operator', operator),
    listed: { nodes: of('nNode', count), memoryGb: of('nMem', count), diskGb: of('nDisk', count) },
    sold: { nodes: of('uNode', count), memoryGb: of('uMem', count), diskGb: of('uDisk', count) },
    online: of('online', flag),
    offlineSince: of('offlineSince', orNull(seconds)),
    pledgeWei: of('pledge', wei),
    pledgeLockedWei: of('pledgeLocked', wei),
    ordersCompleted: of('ordersCompleted', count),
    ordersRunning: of('ordersRunning', count),
    ordersDropped: of('ordersDropped', count),
    ordersMissed: of('ordersMissed', count),
    oversold: of('oversold', optional(readOversold)),
    sample: of('sample', optional(flag)) ?? false,
    takes: of('takes', optional(takes)),
    nodes: of('nodes', listOf(readNode)),
    block: of('block', count),
  }
}

/** The chain has the zero address if no operator is appointed. */
const operator: Read<LowerCaseAddress | undefined> = (json, name) => {
  const read = address(json, name)
  return BigInt(read) === 0n ? undefined : read
}

const takes: Read<ProviderTakes> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    ownImages: of('ownImages', orNull(ownImages)),
    ports: of('ports', flag),
    ssh: of('ssh', flag),
    protected: of('protected', flag),
    runtimes: of('runtimes', listOf(oneOf(...CONTAINER_RUNTIMES), CONTAINER_RUNTIMES.length)),
    ready: of('ready', optional(listOf(textOf(60), MAX_NAMES))),
  }
}

const ownImages: Read<NonNullable<ProviderTakes['ownImages']>> = (json, name) => {
  const of = fieldsOf(json, name)
  return { maxGb: of('maxGb', countTo(MAX_IMAGE_GB)), registries: of('registries', optional(listOf(textOf(253), MAX_NAMES))) }
}
