import { accessAbi, findingsAbi, marketAbi, monitorsAbi, pledgeAbi, registryAbi } from '@rackfair/contracts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import {
  type Abi,
  type AbiEvent,
  type AbiParameter,
  type ContractEventArgsFromTopics,
  type ContractEventName,
  decodeAbiParameters,
  type Hex,
  toEventSelector,
} from 'viem'
import type { RawLog } from './ChainSource.ts'

/** Of Monitors, and of Findings, the validator. */
const ofMonitors = [...monitorsAbi, ...findingsAbi] as const
const ABIS = { access: accessAbi, registry: registryAbi, pledge: pledgeAbi, market: marketAbi, monitors: ofMonitors } as const
export type ContractKind = keyof typeof ABIS

type ArgsIn<Interface extends Abi, Name> =
  Name extends ContractEventName<Interface> ? ContractEventArgsFromTopics<Interface, Name> : never
type ContractAbi = (typeof ABIS)[ContractKind]
/** The parameter names of addresses in events, over all our interfaces. */
type AddressName = Extract<
  Extract<ContractAbi[number], { type: 'event' }>['inputs'][number],
  { type: 'address'; indexed: true }
>['name']
type InLowerCase<Args> = Args extends unknown
  ? { [Name in keyof Args]: Name extends AddressName ? (Args[Name] extends Hex ? LowerCaseAddress : Args[Name]) : Args[Name] }
  : never
export type EventName = ContractAbi extends infer Shape ? (Shape extends Abi ? ContractEventName<Shape> : never) : never
export type EventArgs<Name extends EventName> = ContractAbi extends infer Shape
  ? Shape extends Abi
    ? InLowerCase<ArgsIn<Shape, Name>>
    : never
  : never

/** One event of our contracts with its position on the chain. */
export interface ChainEvent<Name extends EventName = EventName> {
  kind: ContractKind
  name: Name
  args: EventArgs<Name>
  /** The contract that emitted it. */
  address: LowerCaseAddress
  block: number
  logIndex: number
  time: number
  transactionHash: string
}

interface Shape {
  name: EventName
  indexed: readonly AbiParameter[]
  plain: readonly AbiParameter[]
}

const bySelector = new Map<ContractKind, Map<string, Shape>>(
  Object.entries(ABIS).map(([kind, abi]) => {
    const events = (abi as Abi).filter((item): item is AbiEvent => item.type === 'event')
    return [kind as ContractKind, new Map(events.map((event) => [toEventSelector(event), shapeOf(event)]))]
  }),
)

/** Decodes a log of a contract of this kind; `undefined` for events of none of our interfaces. Indexed addresses are lower-case. */
export function decodeLog(kind: ContractKind, log: RawLog): ChainEvent | undefined {
  const [selector = '', ...topics] = log.topics.split(',')
  const shape = bySelector.get(kind)?.get(selector)
  if (!shape) return undefined
  const args: Record<string, unknown> = {}
  for (const [index, { name = '', type }] of shape.indexed.entries()) args[name] = readTopic(type, topics[index] ?? '0x0')
  if (shape.plain.length > 0) {
    const values = decodeAbiParameters(shape.plain, log.data as Hex)
    for (const [index, { name = '' }] of shape.plain.entries()) args[name] = storable(values[index])
  }
  return {
    kind,
    name: shape.name,
    args: args as EventArgs<EventName>,
    address: log.address,
    block: log.block,
    logIndex: log.logIndex,
    time: log.blockTime,
    transactionHash: log.transactionHash,
  }
}

function shapeOf(event: AbiEvent): Shape {
  const [indexed, plain] = [event.inputs.filter((input) => input.indexed), event.inputs.filter((input) => !input.indexed)]
  return { name: event.name as EventName, indexed, plain }
}

/** Texts are untrusted: NUL, which PostgreSQL cannot store, becomes the replacement character. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, storable(part)]))
}

/** Decodes one word. Integers of up to 48 bits are numbers, as in viem. */
function readTopic(type: string, topic: string): unknown {
  if (type === 'address') return lowerCaseAddress(`0x${topic.slice(-40)}`)
  const bits = /^uint(\d+)$/.exec(type)?.[1]
  if (bits !== undefined) return Number(bits) <= 48 ? Number(topic) : BigInt(topic)
  return type === 'bool' ? BigInt(topic) === 1n : topic
}
