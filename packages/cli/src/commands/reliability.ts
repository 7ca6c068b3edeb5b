import { toAddress } from '@rackfair/rules/address'
import { uninterruptedChance } from '@rackfair/rules/uptime/reliability'
import { checkReliability } from '@rackfair/sdk/uptime'
import { CliError, EXIT } from '../exitCodes.ts'
import type { Session } from '../session.ts'
import { table } from '../terminal/output.ts'

const DAYS = [7, 30] as const

/** Recomputes the platform's figures for a machine or a provider, and reports whether they are correct. */
export async function reliability(session: Session, machine: string, flags: { monitors?: boolean }): Promise<number> {
  const { text, output } = session
  const [address = '', node, ...rest] = machine.split('/')
  const provider = toAddress(address)
  if (!provider || rest.length > 0 || (node !== undefined && !/^[1-9]\d{0,15}$/.test(node)))
    throw new CliError(EXIT.usage, 'bad_request', text.badRated(machine))
  const rated = { provider, nodeId: node === undefined ? undefined : BigInt(node) }
  const check = await checkReliability(await session.market(), rated, flags)

  const { agrees, said, found, orders, refused, withheld } = check
  const chances = DAYS.map((days) => ({
    ...{ days, said: uninterruptedChance(said, days), found: uninterruptedChance(found, days) },
  }))
  const rows = [
    ...chances.map((one) => [text.uninterrupted(one.days), percent(one.said), percent(one.found)]),
    [text.failures, said.failures.toFixed(4), found.failures.toFixed(4)],
    [text.observedDays, said.observedDays.toFixed(4), found.observedDays.toFixed(4)],
  ]
  const lines = [
    table(text.heads.reliability, rows),
    '',
    agrees ? text.reliabilityAgrees(orders) : text.reliabilityDiffers(orders),
    ...(refused > 0 ? [text.refusedReports(refused)] : []),
    ...(withheld > 0 ? [text.withheldReports(withheld)] : []),
  ]
  output.data({ ...rated, nodeId: node === undefined ? null : Number(node), ...check, chances }, lines.join('\n'))
  return agrees ? EXIT.ok : EXIT.refused
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
