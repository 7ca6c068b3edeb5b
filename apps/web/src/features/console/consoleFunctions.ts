import { type ContractName, contractAbis } from '@rackfair/sdk'
import type { AbiFunction, AbiParameter } from 'viem'

export const CONTRACTS = ['access', 'registry', 'pledge', 'market', 'credit'] as const satisfies readonly ContractName[]

/** One function of the five contracts. */
export interface ConsoleFunction {
  contract: ContractName
  name: string
  kind: 'read' | 'write'
  inputs: readonly AbiParameter[]
  outputs: readonly AbiParameter[]
}

/** Every function of the five contracts, reads first, each group in the order of the alphabet. */
export const consoleFunctions: readonly ConsoleFunction[] = CONTRACTS.flatMap((contract) =>
  (contractAbis[contract] as readonly { type: string }[])
    .filter((item): item is AbiFunction => item.type === 'function')
    .map(
      (item): ConsoleFunction => ({
        contract,
        name: item.name,
        kind: item.stateMutability === 'view' || item.stateMutability === 'pure' ? 'read' : 'write',
        inputs: item.inputs,
        outputs: item.outputs,
      }),
    )
    .sort((a, b) => (a.kind === b.kind ? a.name.localeCompare(b.name, 'en') : a.kind === 'read' ? -1 : 1)),
)

export function findFunction(contract: string | undefined, name: string | undefined): ConsoleFunction | undefined {
  return consoleFunctions.find((entry) => entry.contract === contract && entry.name === name)
}

/** `register((string name, string ip, string domain, uint16 port) input)` */
export function signatureOf(entry: ConsoleFunction): string {
  return `${entry.name}(${entry.inputs.map(parameterText).join(', ')})`
}

function parameterText(parameter: AbiParameter): string {
  const components = 'components' in parameter ? parameter.components : undefined
  const type = components ? parameter.type.replace('tuple', `(${components.map(parameterText).join(', ')})`) : parameter.type
  return parameter.name ? `${type} ${parameter.name}` : type
}
