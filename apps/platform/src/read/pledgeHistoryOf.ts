import type { PledgeHistoryAnswer } from '@rackfair/protocol/pledge'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { interestEarnedWei } from '@rackfair/rules/provider/interest'
import type { Database } from '../store/openStore.ts'
import type { InterestDayTable, PledgeMoveTable } from '../store/tables.ts'

const MAX_MOVES = 5_000
const MOVES_TOLD = 500

type Point = PledgeHistoryAnswer['points'][number]
/** The state of the account in one contract from a moment on. */
interface Standing {
  contract: string
  time: number
  pledged: bigint
  locked: bigint
  earned: bigint
  withdrawn: bigint
}

/** The pledge and the interest of an account over time, over all Pledge contracts that it ever used. */
export async function pledgeHistoryOf(db: Database, account: LowerCaseAddress): Promise<Omit<PledgeHistoryAnswer, 'block'>> {
  const newest = await db
    .selectFrom('pledgeMove')
    .selectAll()
    .where('account', '=', account)
    .orderBy('block', 'desc')
    .orderBy('logIndex', 'desc')
    .limit(MAX_MOVES)
    .execute()
  const moves = newest.toReversed()
  const standings: Standing[] = []
  for (const [contract, own] of Map.groupBy(moves, (move) => move.contract)) {
    const days = await db
      .selectFrom('interestDay')
      .selectAll()
      .where('contract', '=', contract)
      .where('time', '>', own[0]?.time ?? 0)
      .orderBy('time')
      .execute()
    standings.push(...standingsOf(own, days))
  }
  return {
    points: pointsOf(standings.sort((a, b) => a.time - b.time)),
    moves: newest.slice(0, MOVES_TOLD).map(({ time, kind, amount, block, transactionHash }) => ({
      time,
      kind: kind as PledgeHistoryAnswer['moves'][number]['kind'],
      amount,
      block,
      transactionHash,
    })),
  }
}

/** After each move, and between moves wherever the index was booked while something was locked. */
function standingsOf(moves: readonly PledgeMoveTable[], days: readonly InterestDayTable[]): Standing[] {
  const list: Standing[] = []
  let at = 0
  moves.forEach((move, place) => {
    const { contract, time } = move
    const [pledged, locked] = [BigInt(move.pledged), BigInt(move.locked)]
    const [earned, withdrawn] = [BigInt(move.earned), BigInt(move.withdrawn)]
    list.push({ contract, time, pledged, locked, earned, withdrawn })
    const until = moves[place + 1]?.time ?? Number.POSITIVE_INFINITY
    for (let day = days[at]; day && day.time < until; day = days[++at]) {
      if (day.time <= time || locked === 0n) continue
      const grown = interestEarnedWei(locked, BigInt(move.interestIndex), BigInt(day.interestIndex))
      list.push({ contract, time: day.time, pledged, locked, earned: earned + grown, withdrawn })
    }
  })
  return list
}

/** Sums over contracts; of several changes within one second, the last one wins. */
function pointsOf(standings: readonly Standing[]): Point[] {
  const latest = new Map<string, Standing>()
  const points: Point[] = []
  for (const standing of standings) {
    latest.set(standing.contract, standing)
    const sum = (field: 'pledged' | 'locked' | 'earned' | 'withdrawn') =>
      String([...latest.values()].reduce((total, one) => total + one[field], 0n))
    const point = {
      time: standing.time,
      pledged: sum('pledged'),
      locked: sum('locked'),
      earned: sum('earned'),
      withdrawn: sum('withdrawn'),
    }
    if (points.at(-1)?.time === standing.time) points.pop()
    points.push(point)
  }
  return points
}
