import { writeFile } from 'node:fs/promises'
import { formatCredit } from '@rackfair/rules/money'
import { connectMarket, searchNodes, withAccount } from '@rackfair/sdk'
import { runJob } from '@rackfair/sdk/workspace'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Buys a machine for one command, fetches the file that it wrote, and ends the order, also where the command fails. */
const market = await connectMarket({ platform: process.env.RACKFAIR_PLATFORM ?? 'http://127.0.0.1:3000' })
const renter = withAccount(market, privateKeyToAccount(process.env.RACKFAIR_KEY as Hex))

const { nodes } = await searchNodes(market, { idle: true, sort: 'price', runs: 'nginx' })
const node = nodes.find(({ blocker }) => blocker === undefined)
if (!node) throw new Error('no machine can be bought now')

const parts: Uint8Array[] = []
const { exitCode, cancelled } = await runJob(
  renter,
  {
    on: { ...node, months: 1 },
    // `{ app: parseAppSpec(…).spec }` runs an image of your own, to its end, even if this program loses its connection.
    app: { preset: 'nginx' },
    command: ['sh', '-c', 'echo working; seq 1000 | sha256sum > /tmp/result.txt'],
    outputs: { '/tmp/result.txt': (bytes) => void parts.push(bytes) },
  },
  { maxPriceWei: node.ratePerMonthWei, onStdout: (bytes) => void process.stdout.write(bytes) },
)
await writeFile('result.txt', Buffer.concat(parts))
console.log(`exit code ${exitCode}, result.txt is here, ${formatCredit(cancelled?.refundedWei ?? 0n)} USD came back`)
