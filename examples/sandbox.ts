import { formatCredit, ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { connectMarket, withAccount } from '@rackfair/sdk'
import { Sandbox } from '@rackfair/sdk/sandbox'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Runs what somebody else wrote, such as a model, on a machine of its own, and pays for the seconds that it took. */
const market = await connectMarket({ platform: process.env.RACKFAIR_PLATFORM ?? 'http://127.0.0.1:3000' })
const renter = withAccount(market, privateKeyToAccount(process.env.RACKFAIR_KEY as Hex))

// `{ image: 'docker.io/library/python:3.13-slim' }` runs any image. An hour is paid; what is not used comes back.
const sandbox = await Sandbox.create(renter, { preset: 'nginx', term: '1h', maxPriceWei: ONE_CREDIT_WEI })
try {
  await sandbox.files.write('/tmp/work/input.txt', '3\n1\n2\n')
  const { exitCode, stdout } = await sandbox.commands.run('sort input.txt | tee output.txt', {
    cwd: '/tmp/work',
    timeoutMs: 60_000,
  })
  console.log(`exit code ${exitCode}, ${JSON.stringify(stdout)}`)

  const endless = await sandbox.commands.run('echo begun; sleep 1000', { timeoutMs: 1_000 })
  console.log(`exit code ${endless.exitCode}, ${JSON.stringify(endless.stdout)}`)

  console.log(`output.txt has ${JSON.stringify(await sandbox.files.read('/tmp/work/output.txt'))}`)
  if (sandbox.url) console.log(`${sandbox.url} answers ${(await fetch(sandbox.url)).status}`)
} finally {
  const { refundedWei } = await sandbox.kill()
  console.log(`${formatCredit(refundedWei)} USD came back`)
}
