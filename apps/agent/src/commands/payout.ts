import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { formatCredit, parseCredit } from '@rackfair/rules/money'
import type { AgentConfig } from '../config/agentConfig.ts'
import type { Output } from './output.ts'
import { readWithdrawal, withdraw } from './withdraw.ts'

const HOUR_MS = 3_600_000

/**
 * Withdraws to the configured address once enough was earned, at most as often as configured. Only the provider's own account may
 * withdraw, to any address, and it pays the gas: the operator key can do neither. Unsettled earnings count too, and are settled first.
 */
export async function payout(
  config: AgentConfig,
  data: string,
  { dryRun, now = Date.now }: { dryRun: boolean; now?: () => number },
  output: Output,
): Promise<void> {
  const rule = config.payout
  if (!rule) throw new AppError('bad_request', 'the configuration has no payout; nothing was sent')
  const file = join(data, 'last-payout.json')
  const nothing = (reason: string) => output.result({ done: [], open: [], reason }, `${reason}; nothing was sent.`)
  const next = lastPayout(file) + rule.everyHours * HOUR_MS
  if (now() < next) return nothing(`the next payout is not before ${new Date(next).toISOString()}`)
  const { bookedWei, dueWei } = await readWithdrawal(config)
  const there = `${formatCredit(bookedWei)} Credit is booked and ${formatCredit(dueWei)} can be settled, before commission`
  if (bookedWei + dueWei < (parseCredit(rule.above) ?? 0n)) return nothing(`${there}; a payout begins at ${rule.above}`)
  output.say(`${there}; it goes to ${rule.to}`)
  if (dryRun) return nothing('a dry run')
  const sent = await withdraw(config, rule.to, output)
  // A wallet on another machine may or may not send it: the next run asks again.
  if (sent.done.length === 0) return
  writeFileSync(`${file}.new`, `${JSON.stringify({ time: new Date(now()).toISOString() })}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Unix milliseconds; 0 before the first. */
function lastPayout(file: string): number {
  try {
    return Date.parse((JSON.parse(readFileSync(file, 'utf8')) as { time: string }).time) || 0
  } catch {
    return 0
  }
}
