/**
 * Several names as one query parameter, separated by commas. A comma, a percent sign, or a leading or trailing space of a name is
 * percent-encoded, so that every name round-trips through `decodeList`.
 */
export function encodeList(names: readonly string[]): string {
  return names.map((name) => name.replace(/[%,]|^\s|\s$/g, encodeURIComponent)).join(',')
}

/** The names of a parameter written by `encodeList` or by hand: surrounding spaces and empty names are ignored. */
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
