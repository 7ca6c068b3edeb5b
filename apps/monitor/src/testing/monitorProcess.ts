import { createCalendar } from '@rackfair/core'
import { readAddresses } from '@rackfair/sdk'
import { readMonitors } from '@rackfair/sdk/uptime'
import { pino } from 'pino'
import { type Address, createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createMetrics } from '../createMetrics.ts'
import { createMonitor } from '../createMonitor.ts'
import { openObservations } from '../openObservations.ts'
import { scheduleOf } from '../schedule.ts'

/** An instruction for a monitor in a process of its own: what to do, and the time. */
export interface Order {
  step: 'observe' | 'report'
  /** Unix seconds. */
  now: number
}

/** A real monitor, in a process that can be killed. It uses its parent's clock and answers each instruction with `done`. */
const [rpcUrl = '', access = '', key = '', file = ''] = process.argv.slice(2)
const transport = http(rpcUrl)
const client = createPublicClient({ transport, pollingInterval: 10, cacheTime: 0 })
const account = privateKeyToAccount(key as Hex)
const found = await readMonitors(client, access as Address)
if (!found) throw new Error('no monitors here')
const calendar = createCalendar(found.pace)
let clock = 0
const monitor = createMonitor({
  ...{ account, client, calendar, monitors: found.address, chainId: 2985, now: () => clock, metrics: createMetrics() },
  addresses: await readAddresses(client, access as Address),
  writer: createWalletClient({ account, transport }),
  observations: openObservations(file, calendar),
  schedule: { ...scheduleOf(calendar), retryMs: 1 },
  log: pino({ level: 'silent' }),
})
process.on('message', ({ step, now }: Order) => {
  clock = now
  void monitor[step]().then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(String(error)),
  )
})
process.send?.('ready')
