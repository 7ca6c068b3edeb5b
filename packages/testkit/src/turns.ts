/** So many commits pass, on average, until a long walk has its turn. */
const TURNS = 3

/**
 * Why a long walk rests in this run; undefined where it has its turn. The seed of a whole run decides, which comes from the commit: whoever
 * runs the same commit walks the same ones. The deep run, a step alone and a file alone walk all.
 *
 * @param name what tells it from the others: its title, or the one of its group
 * @example describe.skipIf(whyItRests('samples'))(titleOf('samples'), () => {})
 */
export function whyItRests(name: string, env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  if (env.RACKFAIR_TURN === undefined) return undefined
  const place = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 0)
  const hasTurn = (Number(env.RACKFAIR_TURN) + place) % TURNS === 0
  return hasTurn ? undefined : `has its turn in one of ${TURNS} commits, and in npm run test:deep`
}

/** The title of a group of long walks, with the reason where it rests. */
export function titleOf(name: string): string {
  const reason = whyItRests(name)
  return reason === undefined ? name : `${name} (${reason})`
}
