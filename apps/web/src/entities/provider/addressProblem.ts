export type AddressProblem = 'invalid' | 'zero' | 'same' | 'own'

/** Why an address that was typed cannot be used. `current` and `own` are addresses that make no sense here. */
export function addressProblem(
  text: string,
  known: { current?: string | undefined; own?: string } = {},
): AddressProblem | undefined {
  const address = text.trim().toLowerCase()
  if (!/^0x[0-9a-f]{40}$/.test(address)) return 'invalid'
  if (/^0x0{40}$/.test(address)) return 'zero'
  if (address === known.current?.toLowerCase()) return 'same'
  return address === known.own?.toLowerCase() ? 'own' : undefined
}
