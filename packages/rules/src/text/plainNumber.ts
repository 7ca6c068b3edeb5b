/** Distance of the full-width forms, which Chinese and Japanese input methods type, from the plain ones. */
const FULL_WIDTH = 0xfee0

/**
 * A number as it was typed, in plain digits: full-width digits and points are what they stand for, space around it is left out. Everything
 * else stays, for the reader to refuse.
 * @example plainNumber(' １２．５') // '12.5'
 */
export function plainNumber(text: string): string {
  return text
    .replace(/[０-９．－]/g, (one) => String.fromCharCode(one.charCodeAt(0) - FULL_WIDTH))
    .replaceAll('。', '.')
    .trim()
}
