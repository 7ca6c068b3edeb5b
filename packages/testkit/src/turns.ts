/** A long walk has its turn in one of this many commits on average. */
const TURNS = 4

/**
 * Why a long walk rests in this run; undefined if it has its turn. In a whole run the seed decides, which comes from the commit: every run
 * of the same commit walks the same ones. The deep run, a single step and a single file walk all.
 *
 * @param name what distinguishes it from the others: its title, or that of its group
 * @example describe.skipIf(reason)(`samples (${reason ?? 'here'})`, () => {})
 */
export function whyItRests(name: string, env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  if (env.RACKFAIR_TURN === undefined) return undefined
  const place = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 0)
  const hasTurn = (Number(env.RACKFAIR_TURN) + place) % TURNS === 0
  return hasTurn ? undefined : `has its turn in one of ${TURNS} commits, and in npm run test:deep`
}
