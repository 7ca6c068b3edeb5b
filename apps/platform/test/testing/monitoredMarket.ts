import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { creditAbi, monitorsAbi } from '@rackfair/contracts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { createCalendar, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { readAddresses } from '@rackfair/sdk'
import { type Chain, drawMonitors } from '@rackfair/testkit'
import { pino } from 'pino'
import { type Address, createWalletClient, type Hex, http, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createMetrics } from '../../../monitor/src/createMetrics.ts'
import { createReporter } from '../../../monitor/src/createReporter.ts'
import { openResults } from '../../../monitor/src/hardware/openResults.ts'
import { openObservations } from '../../../monitor/src/openObservations.ts'
import { scheduleOf } from '../../../monitor/src/schedule.ts'
import { startServer } from '../../../monitor/src/startServer.ts'
import type { Actor } from '../actorOn.ts'

const BOND = 1000n * ONE_CREDIT_WEI
const HOUR = 3600

export type MonitoredMarket = Awaited<ReturnType<typeof monitorMarket>>

/** Bonded monitors that report what the test has them see, and publish it. */
export async function monitorMarket(chain: Chain, act: Actor, count = 3) {
  const { faucet } = chain.accounts
  const { client } = act
  const transport = http(chain.rpcUrl, { retryCount: 0, timeout: 120_000 })
  const write = async (hash: Hex) => {
    const receipt = await client.waitForTransactionReceipt({ hash, timeout: 120_000 })
    if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
    return receipt
  }
  const { monitors: contract, findings } = chain.deployment
  const calendar = createCalendar(PRODUCTION_PACE)
  const schedule = { ...scheduleOf(calendar), retryMs: 1 }

  const folder = mkdtempSync(join(tmpdir(), 'rackfair-monitored-'))
  const addresses = await readAddresses(client, chain.deployment.access)
  let clock = Number((await client.getBlock()).timestamp)
  const now = () => clock
  const monitors: {
    address: LowerCaseAddress
    account: LocalAccount
    observations: ReturnType<typeof openObservations>
    hardware: ReturnType<typeof openResults>
    report: () => Promise<void>
    server: Awaited<ReturnType<typeof startServer>>
  }[] = []
  for (let index = 0; index < count; index += 1) {
    const account = privateKeyToAccount(generatePrivateKey())
    await act.rpc('anvil_setBalance', [account.address, `0x${ONE_CREDIT_WEI.toString(16)}`])
    await act.send(faucet, 'credit', 'transfer', [account.address, BOND])
    const own = createWalletClient({ account, transport })
    const credit = { address: chain.deployment.credit, abi: creditAbi, chain: null } as const
    await write(await own.writeContract({ ...credit, functionName: 'approve', args: [contract, BOND] }))
    const monitorsCall = { address: contract, abi: monitorsAbi, chain: null } as const
    await write(await own.writeContract({ ...monitorsCall, functionName: 'join', args: [BOND, account.address] }))
    const observations = openObservations(join(folder, `${index}.sqlite`), calendar)
    const hardware = openResults(join(folder, `${index}.hardware`))
    const metrics = createMetrics()
    const server = await startServer({
      host: '127.0.0.1',
      port: 0,
      monitor: lowerCaseAddress(account.address),
      observations,
      hardware,
      calendar,
      now,
      metrics,
    })
    const url = `http://127.0.0.1:${server.port}`
    await write(await own.writeContract({ ...monitorsCall, functionName: 'announce', args: [url] }))
    const report = createReporter({
      ...{
        account,
        signer: account,
        client,
        writer: own,
        addresses,
        observations,
        now,
        calendar,
        schedule,
        metrics,
        monitors: contract,
        findings,
        chainId: 2985,
      },
      log: pino({ level: 'silent' }),
    })
    monitors.push({ address: lowerCaseAddress(account.address), account, observations, hardware, report, server })
  }
  const at = async (timestamp: number) => {
    clock = timestamp
    await act.rpc('evm_setNextBlockTimestamp', [timestamp])
    await act.rpc('evm_mine')
  }
  const draw = async (functionName: 'commit' | 'draw', args: readonly [bigint, ...Hex[]]) => {
    const [first] = monitors
    if (!first) throw new Error('no monitor')
    const call = { address: contract, abi: monitorsAbi, chain: null, functionName, args } as never
    await write(await createWalletClient({ account: first.account, transport }).writeContract(call))
  }
  return {
    contract,
    findings,
    calendar,
    monitors,
    at,
    /** The first period for which monitors that have joined by now can be drawn. */
    nextPeriod: () => drawMonitors({ client, calendar, contract, at, send: draw }),
    /** What all monitors see of an order in the epochs of a period: `.` for an answer, `x` for none, a space for no observation. */
    see(order: { id: bigint; provider: Address; nodeId: bigint }, period: number, epochs: string) {
      const place = { provider: lowerCaseAddress(order.provider), market: lowerCaseAddress(chain.deployment.market) }
      for (const [index, seen] of [...epochs].entries()) {
        if (seen === ' ') continue
        const epoch = calendar.firstEpoch(period) + index
        const what = { epoch, nodeId: order.nodeId, orderId: order.id, ...place }
        for (const { observations } of monitors) observations.put({ ...what, isUp: seen === '.', attestation: undefined })
      }
    },
    /** Takes the period through all stages: committed, revealed, found, final and credited; or up to one of them. */
    async report(period: number, until: 'committed' | 'revealed' | 'found' | 'credited' = 'credited') {
      const end = calendar.endOf(period)
      const steps = [
        ['committed', end + 200],
        ['revealed', end + HOUR + 60],
        ['found', end + 2 * HOUR + 60],
        ['credited', end + 6 * HOUR + 600],
      ] as const
      for (const [name, time] of steps) {
        if (time > clock) {
          await at(time)
          for (const { report } of monitors) await report()
        }
        if (name === until) break
      }
      return Number(await client.getBlockNumber({ cacheTime: 0 }))
    },
    async stop() {
      for (const { server, observations, hardware } of monitors) {
        await server.stop()
        observations.close()
        hardware.close()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
