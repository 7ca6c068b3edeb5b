/**
 * The id of the deployment that a signed text asks for, by the Keccak-256 of the text: the same at every platform and at the agent, so that
 * one request that came several ways is seen to be one.
 */
export function deploymentIdOf(textHash: string): string {
  const hex = textHash.slice(2, 34)
  // Version 8 of RFC 9562: a UUID whose bits are its maker's.
  const uuid = `${hex.slice(0, 12)}8${hex.slice(13, 16)}${'89ab'[Number.parseInt(hex.slice(16, 17), 16) & 3]}${hex.slice(17)}`
  return uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
