import { lowerCaseAddress, toAddress } from '@rackfair/rules/address'

export type AddressProblem = 'invalid' | 'zero' | 'same' | 'own'

/** Why an address that was typed cannot be used. `current` and `own` are addresses that make no sense here. */
export function addressProblem(
  text: string,
  known: { current?: string | undefined; own?: string } = {},
): AddressProblem | undefined {
  const address = toAddress(text.trim())
  if (address === undefined) return 'invalid'
  if (/^0x0{40}$/.test(address)) return 'zero'
  if (address === (known.current && lowerCaseAddress(known.current))) return 'same'
  return address === (known.own && lowerCaseAddress(known.own)) ? 'own' : undefined
}
