import { accessAbi, creditAbi, marketAbi, pledgeAbi, registryAbi } from '@rackfair/contracts'

/** The ABIs of the five contracts by name. */
export const contractAbis = {
  access: accessAbi,
  registry: registryAbi,
  pledge: pledgeAbi,
  market: marketAbi,
  credit: creditAbi,
} as const
export type ContractName = keyof typeof contractAbis
export type AbiOf<Name extends ContractName> = (typeof contractAbis)[Name]
