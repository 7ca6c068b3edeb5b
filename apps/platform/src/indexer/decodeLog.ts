import { accessAbi, marketAbi, pledgeAbi, registryAbi } from '@rackfair/contracts'
import {
  type Abi,
  type AbiEvent,
  type ContractEventArgsFromTopics,
  type ContractEventName,
  decodeEventLog,
  type Hex,
  toEventSelector,
} from 'viem'
import type { RawLog } from './ChainSource.ts'

const ABIS = { access: accessAbi, registry: registryAbi, pledge: pledgeAbi, market: marketAbi } as const
export type ContractKind = keyof typeof ABIS

type ArgsIn<Shape extends Abi, Name> = Name extends ContractEventName<Shape> ? ContractEventArgsFromTopics<Shape, Name> : never
type ContractAbi = (typeof ABIS)[ContractKind]
export type EventName = ContractAbi extends infer Shape ? (Shape extends Abi ? ContractEventName<Shape> : never) : never
export type EventArgs<Name extends EventName> = ContractAbi extends infer Shape
  ? Shape extends Abi
    ? ArgsIn<Shape, Name>
    : never
  : never

/** One event of our contracts with its place on the chain. */
export interface ChainEvent<Name extends EventName = EventName> {
  kind: ContractKind
  name: Name
  args: EventArgs<Name>
  block: number
  logIndex: number
  time: number
  transactionHash: string
}

const bySelector = new Map<ContractKind, Map<string, AbiEvent>>(
  Object.entries(ABIS).map(([kind, abi]) => {
    const events = (abi as Abi).filter((item): item is AbiEvent => item.type === 'event')
    return [kind as ContractKind, new Map(events.map((event) => [toEventSelector(event), event]))]
  }),
)

/** Reads a log of a contract of this kind; `undefined` for events that are in none of our interfaces. */
export function decodeLog(kind: ContractKind, log: RawLog): ChainEvent | undefined {
  const topics = log.topics.split(',') as [Hex, ...Hex[]]
  const event = bySelector.get(kind)?.get(topics[0])
  if (!event) return undefined
  const { args } = decodeEventLog({ abi: [event], topics, data: log.data as Hex })
  return {
    kind,
    name: event.name as EventName,
    args: (args ?? {}) as EventArgs<EventName>,
    block: log.block,
    logIndex: log.logIndex,
    time: log.blockTime,
    transactionHash: log.transactionHash,
  }
}
