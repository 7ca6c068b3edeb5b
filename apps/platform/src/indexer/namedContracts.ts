import type { ChainEvent, ContractKind } from './decodeLog.ts'

interface NamedContract {
  address: string
  kind: ContractKind
  version: number
}

/** The role of the validator in Access: a key, or the contract Monitors. */
const VALIDATOR = 1
const NOBODY = '0x0000000000000000000000000000000000000000'

/** The contracts to follow from an event of Access on: those of a version, and the validator, of which a key writes no logs. */
export function namedContracts({ name, args }: ChainEvent): NamedContract[] {
  if (name === 'VersionPublished') {
    const { set, ver } = args as ChainEvent<'VersionPublished'>['args']
    return (['registry', 'pledge', 'market'] as const).map((kind) => ({ address: set[kind].toLowerCase(), kind, version: ver }))
  }
  if (name !== 'RoleSet') return []
  const { role, account } = args as ChainEvent<'RoleSet'>['args']
  const address = account.toLowerCase()
  return role === VALIDATOR && address !== NOBODY ? [{ address, kind: 'monitors', version: 0 }] : []
}
