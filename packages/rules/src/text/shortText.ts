/** The first four and last four characters of an address of at least eight (product specification, point 9). */
export function shortAddress(address: string): string {
  return address.length < 8 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`
}

/** The first 24 characters of an ENS name, with an ellipsis if it is longer. */
export function shortEnsName(name: string): string {
  const characters = [...name]
  return characters.length <= 24 ? name : `${characters.slice(0, 24).join('')}…`
}

/** A text of at most `length` characters; a longer one is cut, with an ellipsis that counts as one of them. */
export function cutText(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
