declare const lowerCase: unique symbol

/** An account or a contract in lower case, as every border makes it: two of them are the same where their texts are. */
export type LowerCaseAddress = `0x${string}` & { readonly [lowerCase]: true }

/** Undefined for what is no address. Upper and mixed case are taken, without a look at their checksum. */
export function toAddress(text: string): LowerCaseAddress | undefined {
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? lowerCaseAddress(text) : undefined
}

/** Of what is known to be an address: a chain or a wallet said it, or a schema looked at it. */
export function lowerCaseAddress(address: string): LowerCaseAddress {
  return address.toLowerCase() as LowerCaseAddress
}
