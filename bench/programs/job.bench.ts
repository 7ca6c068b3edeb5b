import { strict as assert } from 'node:assert'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { readReceipt } from '@rackfair/protocol/orders'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import {
  connectMarket,
  createPurse,
  depositToPurse,
  grantKey,
  listOrders,
  newestBlock,
  readPurse,
  searchIdle,
  waitForReceipt,
  withAccount,
} from '@rackfair/sdk'
import { verifyReceipt } from '@rackfair/sdk/receipt'
import { builtProgram, startMarket } from '@rackfair/testkit'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { runCommand } from '../../apps/agent/src/foundation/runCommand.ts'
import { percentile, table } from '../platform/table.ts'

/**
 * A job of a CI with a key that may spend 5 USD: the command line buys an hour, runs a command, returns a file and ends the order; then what
 * the job cost by the receipt, which is recomputed from the chain, beside what the key may still spend.
 */
const JOBS = Number(process.env.BENCH_JOBS ?? 10)
const LIMIT_WEI = 5n * ONE_CREDIT_WEI
const SCRIPT = 'seq 1000 | sha256sum > /tmp/result; sleep 1'

const cli = await builtProgram('cli')
const market = await startMarket({ agent: true })
const folder = mkdtempSync(join(tmpdir(), 'rackfair-job-'))
try {
  const found = await connectMarket({ platform: market.url })
  const secret = generatePrivateKey()
  const [owner, job] = [generatePrivateKey(), secret].map((one) => withAccount(found, privateKeyToAccount(one)))
  if (owner === undefined || job === undefined) throw new Error('two keys were made')
  for (const { wallet } of [owner, job])
    for (const hash of (await found.api.faucet(wallet.account.address)).transactionHashes)
      await waitForReceipt(found.client, hash as Hex)
  const { purse } = await createPurse(owner)
  await depositToPurse(owner, purse, 100n * ONE_CREDIT_WEI)
  await grantKey(owner, purse, job.wallet.account.address, { totalWei: LIMIT_WEI, validUntil: 4_000_000_000 })
  const isListed = async () => (await searchIdle(found, { runs: 'nginx' })).nodes.some((one) => one.blocker === undefined)
  while (!(await isListed())) await new Promise((go) => setTimeout(go, 100))

  const env = {
    ...process.env,
    ...{ RACKFAIR_KEY: secret, RACKFAIR_PURSE: purse, RACKFAIR_PLATFORM: market.url },
    ...{ XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, LC_ALL: 'C.UTF-8' },
  }
  const seconds: number[] = []
  for (let at = 0; at < JOBS; at += 1) {
    const file = join(folder, `result-${at}`)
    const begun = performance.now()
    const words = ['run', '--cheapest', '--for', '1h', '--yes', '--preset', 'nginx', '-o', `/tmp/result=${file}`]
    const { code, stderr } = await runCommand(process.execPath, [cli, ...words, '--', 'sh', '-c', SCRIPT], { env })
    seconds.push((performance.now() - begun) / 1000)
    assert.equal(code, 0, stderr)
    assert.match(readFileSync(file, 'utf8'), /^67d4ff71d43921d5739f387da09746f405e425b07d727e4c69d029461d1f051f /)
  }

  const minBlock = await newestBlock(found.client)
  const orders = await listOrders(found, purse, { minBlock })
  assert.equal(orders.length, JOBS)
  let costWei = 0n
  for (const { orderId } of orders) {
    const id = String(orderId)
    const [wire, evidence] = await Promise.all([found.api.receipt(id, { minBlock }), found.api.orderEvidence(id)])
    const { totals } = readReceipt(wire)
    costWei += totals.paidWei - totals.refundedWei
    const { agrees } = await verifyReceipt(found.client, found.addresses.access, wire, evidence)
    assert.ok(agrees, `the receipt of order ${orderId} is not what the chain says`)
  }
  const { keys, creditWei } = await readPurse(owner, purse)
  assert.equal(keys[0]?.leftWei, LIMIT_WEI - costWei)
  assert.equal(creditWei, 100n * ONE_CREDIT_WEI - costWei)
  table(
    ['a job with a key of 5 USD', 'jobs', 'p50 s', 'slowest s', 'cost of a job, wei', 'wei that receipt and key differ by'],
    [[JOBS, JOBS, percentile(seconds, 0.5).toFixed(2), Math.max(...seconds).toFixed(2), String(costWei / BigInt(JOBS)), 0]].map(
      ([, ...row]) => ['the command line: buys, deploys, runs 1 s, returns a file, ends', ...row],
    ),
  )
} finally {
  await market.stop()
  rmSync(folder, { recursive: true, force: true })
}
