import type { Hex } from 'viem'

/** An immutable in compiled code: a PUSH32 of zeros, until the constructor fills it in. */
const UNSET_IMMUTABLE = `7f${'00'.repeat(32)}`
const PUSH32_DIGITS = 2
/** Enough digits from the start of a contract's code to find the few places where it can be in its creation code. */
const HEAD_DIGITS = 16

/**
 * Whether the code of a contract on chain is what its creation code deploys. Values set by the constructor (immutables) may differ.
 *
 * @example isBuiltFrom(await client.getCode({ address: deployment.market }), marketBytecode)
 */
export function isBuiltFrom(code: Hex | undefined, creation: Hex): boolean {
  const found = (code ?? '0x').slice(2)
  if (found.length < HEAD_DIGITS) return false
  const head = found.slice(0, HEAD_DIGITS)
  for (let at = creation.indexOf(head); at !== -1; at = creation.indexOf(head, at + 1))
    if (isSameCode(found, creation.slice(at, at + found.length)) && namesLength(creation.slice(0, at), found)) return true
  return false
}

function isSameCode(found: string, built: string): boolean {
  if (found.length !== built.length) return false
  let compared = 0
  for (let at = built.indexOf(UNSET_IMMUTABLE); at !== -1; at = built.indexOf(UNSET_IMMUTABLE, at + UNSET_IMMUTABLE.length)) {
    if (found.slice(compared, at + PUSH32_DIGITS) !== built.slice(compared, at + PUSH32_DIGITS)) return false
    compared = at + UNSET_IMMUTABLE.length
  }
  return found.slice(compared) === built.slice(compared)
}

/** The preceding code pushes the length of the deployed code with a PUSH2: more code may follow that only the constructor uses. */
function namesLength(before: string, found: string): boolean {
  return before.includes(`61${(found.length / 2).toString(16).padStart(4, '0')}`)
}
