import { createCalendar } from '@rackfair/rules/uptime/epoch'
import { readAddresses } from '@rackfair/sdk'
import { readMonitors } from '@rackfair/sdk/uptime'
import { pino } from 'pino'
import { type Address, createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createMetrics } from '../createMetrics.ts'
import { createMonitor, type Monitor } from '../createMonitor.ts'
import { openObservations } from '../openObservations.ts'
import { scheduleOf } from '../schedule.ts'

/** An instruction for a monitor in a process of its own: what to do, and the time. */
export interface Order {
  step: 'observe' | 'report'
  /** Unix seconds. */
  now: number
  /** Where it kills itself: before it stores what it saw, or right after. */
  diesAt?: 'beforeWrite' | 'afterWrite' | undefined
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
let diesAt: Order['diesAt']
const observations = openObservations(file, calendar)
const dieAt = (here: Order['diesAt']) => {
  if (diesAt === here) process.kill(process.pid, 'SIGKILL')
}
const options = {
  ...{
    account,
    signer: account,
    client,
    calendar,
    monitors: found.address,
    findings: found.findings,
    chainId: 2985,
    now: () => clock,
    metrics: createMetrics(),
  },
  addresses: await readAddresses(client, access as Address),
  writer: createWalletClient({ account, transport }),
  observations: {
    ...observations,
    atOnce(work: () => void) {
      dieAt('beforeWrite')
      observations.atOnce(work)
      dieAt('afterWrite')
    },
  },
  schedule: { ...scheduleOf(calendar), retryMs: 1 },
  log: pino({ level: 'silent' }),
}
/** It starts at the time of its first instruction. */
let monitor: Monitor | undefined
process.on('message', (order: Order) => {
  clock = order.now
  diesAt = order.diesAt
  monitor ??= createMonitor(options)
  void monitor[order.step]().then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(String(error)),
  )
})
process.send?.('ready')
