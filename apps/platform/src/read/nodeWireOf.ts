import type { NodeWire, ProviderTakes } from '@rackfair/protocol/nodes'
import type { AnnouncedMachine } from '@rackfair/protocol/relay'
import type { ReliabilityWire } from '@rackfair/protocol/reliability'
import type { VerificationWire } from '@rackfair/protocol/verification'
import { MIN_ORDER_SECONDS } from '@rackfair/rules/duration'
import { partsLacking } from '@rackfair/rules/node/lacks'
import { nodeName } from '@rackfair/rules/node/name'
import type { OversoldPart } from '@rackfair/rules/node/node'
import type { Take } from '@rackfair/rules/node/takes'
import { pricePerSecondWei } from '@rackfair/rules/prices/pricing'
import type { NodeTable, Wei } from '../store/tables.ts'

/** What a node's wire form needs besides its row. */
export interface NodeSurroundings {
  providerName: string
  pledge: Wei
  pledgeLocked: Wei
  /** Seconds; undefined until it could be read. */
  penalty: number | undefined
  soldUntil: number | null
  offlineSince: number | null
  heard: boolean
  oversold: readonly OversoldPart[]
  /** What the provider's agent announced about its machine. */
  machine: AnnouncedMachine | undefined
  reliability: ReliabilityWire | undefined
  verification: VerificationWire | undefined
}

export function nodeWireOf(row: NodeTable, around: NodeSurroundings): NodeWire {
  const price = (wei: Wei, num: number) => ({ priceMon: wei, priceSec: String(pricePerSecondWei(BigInt(wei))), num })
  const sold = BigInt(row.orderId) !== 0n
  const lacks = partsLacking(row)
  const { takes, sample, region, driver } = around.machine ?? {}
  return {
    id: row.id,
    cp: row.cp,
    nodename: nodeName(around.providerName, row.id),
    cpu: { ...price(row.pCPU, row.nCPU), model: row.cpuModel, core: row.core },
    gpu: { ...price(row.pGPU, row.nGPU), model: row.gpuModel },
    mem: price(row.pMEM, row.nMEM),
    disk: price(row.pDISK, row.nDISK),
    rev: row.rev,
    exist: row.exist === 1,
    sold,
    avail: row.avail === 1,
    online: row.online === 1 && around.heard,
    switchedOn: row.online === 1,
    offlineSince: around.offlineSince,
    orderId: String(row.orderId),
    soldUntil: sold ? around.soldUntil : null,
    minTerm: Math.max(MIN_ORDER_SECONDS, row.minTerm),
    ratePerMonth: row.rate,
    pledge: around.pledge,
    pledgeLocked: around.pledgeLocked,
    ...(around.penalty === undefined ? {} : { penalty: around.penalty }),
    providerName: around.providerName,
    ...(lacks.length > 0 ? { lacks } : {}),
    ...(around.oversold.length > 0 ? { oversold: [...around.oversold] } : {}),
    ...(sample ? { sample } : {}),
    ...(region === undefined ? {} : { region }),
    ...(driver === undefined || row.nGPU === 0 ? {} : { driver }),
    ...(takes ? { takes: listOf(takes) } : {}),
    ...(takes?.ready ? { ready: takes.ready } : {}),
    ...(around.reliability ? { reliability: around.reliability } : {}),
    ...(around.verification ? { verification: around.verification } : {}),
  }
}

/** In a list, one word each; the details are in the provider's answer. */
const listOf = ({ ownImages, ports, ssh, protected: isProtected, runtimes }: ProviderTakes): Take[] => [
  ...(ownImages ? ['own_images' as const] : []),
  ...(ports ? ['ports' as const] : []),
  ...(ssh ? ['ssh' as const] : []),
  ...(isProtected ? ['protected' as const] : []),
  ...(runtimes.includes('runsc') ? ['gvisor' as const] : []),
]
