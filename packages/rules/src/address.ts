declare const lowerCase: unique symbol

/** The address of an account or a contract in lower case, normalized at every boundary: two are equal if their strings are. */
export type LowerCaseAddress = `0x${string}` & { readonly [lowerCase]: true }

/** Undefined if the text is not an address. Upper and mixed case are accepted, without checking the checksum. */
export function toAddress(text: string): LowerCaseAddress | undefined {
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? lowerCaseAddress(text) : undefined
}

/** For a string known to be an address: from a chain or a wallet, or validated by a schema. */
export function lowerCaseAddress(address: string): LowerCaseAddress {
  return address.toLowerCase() as LowerCaseAddress
}
