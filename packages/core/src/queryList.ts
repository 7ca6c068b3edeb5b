/**
 * Several names as one query parameter, separated by commas. A comma, a percent sign, or a space at an end of a name is
 * percent-encoded, so that every name comes back from `decodeList` as it was.
 */
export function encodeList(names: readonly string[]): string {
  return names.map((name) => name.replace(/[%,]|^\s|\s$/g, encodeURIComponent)).join(',')
}

/** The names of a parameter that `encodeList` or a person wrote: spaces around a name and empty names do not count. */
export function decodeList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => part.replace(/(?:%[0-9a-f]{2})+/gi, decoded))
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
