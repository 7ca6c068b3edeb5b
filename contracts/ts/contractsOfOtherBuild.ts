import type { PublicClient } from 'viem'
import {
  accessBytecode,
  creditBytecode,
  findingsBytecode,
  gateBytecode,
  marketBytecode,
  marketLensBytecode,
  marketOfficeBytecode,
  monitorsBytecode,
  pledgeBytecode,
  purseFactoryBytecode,
  registryBytecode,
} from './bytecode.ts'
import type { Deployment } from './deployments.ts'
import { isBuiltFrom } from './isBuiltFrom.ts'

const BUILD = {
  access: accessBytecode,
  credit: creditBytecode,
  registry: registryBytecode,
  pledge: pledgeBytecode,
  market: marketBytecode,
  office: marketOfficeBytecode,
  lens: marketLensBytecode,
  gate: gateBytecode,
  monitors: monitorsBytecode,
  purseFactory: purseFactoryBytecode,
  findings: findingsBytecode,
} as const
const NAMES = {
  access: 'Access',
  credit: 'Credit',
  registry: 'Registry',
  pledge: 'Pledge',
  market: 'Market',
  office: 'MarketOffice',
  lens: 'MarketLens',
  gate: 'Gate',
  monitors: 'Monitors',
  purseFactory: 'PurseFactory',
  findings: 'Findings',
} as const

/**
 * The contracts of a deployment whose code on the chain is not that of this build, by name. Includes those that the chain does not have.
 *
 * @example await contractsOfOtherBuild(client, deployment) // ['Registry', 'Market']
 */
export async function contractsOfOtherBuild(client: Pick<PublicClient, 'getCode'>, deployment: Deployment): Promise<string[]> {
  const parts = Object.keys(BUILD) as (keyof typeof BUILD)[]
  // A file of an earlier version may lack some of them.
  const known: Partial<Deployment> = deployment
  const same = await Promise.all(
    parts.map(async (part) => {
      const address = known[part]
      return address !== undefined && isBuiltFrom(await client.getCode({ address }), BUILD[part])
    }),
  )
  return parts.flatMap((part, index) => (same[index] ? [] : [NAMES[part]]))
}
