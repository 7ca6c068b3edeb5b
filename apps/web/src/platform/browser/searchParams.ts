import { type LowerCaseAddress, toAddress } from '@rackfair/rules/address'
import { useSearchParams } from 'wouter'

/** One parameter of the address bar, or undefined when it is missing or empty. */
export function useParam(name: string): string | undefined {
  const [params] = useSearchParams()
  return params.get(name) || undefined
}

/** An address of the address bar; undefined when it is missing or none. */
export function useAddressParam(name: string): LowerCaseAddress | undefined {
  return toAddress(useParam(name) ?? '')
}
