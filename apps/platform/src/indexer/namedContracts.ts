import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { zeroAddress } from 'viem'
import type { ChainEvent, ContractKind } from './decodeLog.ts'

interface NamedContract {
  address: LowerCaseAddress
  kind: ContractKind
  version: number
}

/** The role of the validator in Access: a key, or the contract Findings. */
const VALIDATOR = 1
const NOBODY = lowerCaseAddress(zeroAddress)

/** The contracts to follow after an event of Access: those of a version, and the validator, which emits no logs if it is a plain key. */
export function namedContracts({ name, args }: ChainEvent): NamedContract[] {
  if (name === 'VersionPublished') {
    const { set, ver } = args as ChainEvent<'VersionPublished'>['args']
    return (['registry', 'pledge', 'market'] as const).map((kind) => ({
      address: lowerCaseAddress(set[kind]),
      kind,
      version: ver,
    }))
  }
  if (name !== 'RoleSet') return []
  const { role, account: address } = args as ChainEvent<'RoleSet'>['args']
  return role === VALIDATOR && address !== NOBODY ? [{ address, kind: 'monitors', version: 0 }] : []
}
