import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { connectMarket, withAccount } from '@rackfair/sdk'
import { download, openWorkspace, terminal, upload, type Workspace } from '@rackfair/sdk/workspace'
import { type Buyer, createBuyer, startMarket } from '@rackfair/testkit'

/**
 * A workspace through the real platform and agent to a container, as a program uses it: how long a key takes to its echo, and
 * files up and down.
 */
const KEYS = 100
const FILE_BYTES = 64 * 2 ** 20

const folder = await mkdtemp(join(tmpdir(), 'rackfair-bench-'))
const market = await startMarket({ agent: true })
try {
  const buyer = await createBuyer(market.url)
  await run(buyer)
  const renter = withAccount(await connectMarket({ platform: market.url }), buyer.account)
  const workspace = await openWorkspace(renter, BigInt(buyer.order.id))
  console.log('| | p50, ms | p95, ms |\n|---|---|---|')
  print('key to its echo in a terminal', await echoes(workspace))
  const [up, down] = await files(workspace)
  console.log(`\n| ${FILE_BYTES / 2 ** 20} MiB | up, MB/s | down, MB/s |\n|---|---|---|`)
  console.log(`| workspace | ${up.toFixed(0)} | ${down.toFixed(0)} |`)
  console.log(`\nlargest resident memory of this process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`)
  workspace.close()
} finally {
  await market.stop()
  await rm(folder, { recursive: true, force: true })
}

async function run({ api, sign }: Buyer): Promise<void> {
  const { id } = await api.deploy(await sign('ubuntu'))
  for (;;) {
    const { phase } = await api.deployment(id)
    if (phase === 'Running') return
    if (phase === 'Failed') throw new Error('ubuntu could not be started')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Each key is typed when the one before it was drawn. */
async function echoes(workspace: Workspace): Promise<number[]> {
  const taken: number[] = []
  let drawn = Promise.withResolvers<void>()
  async function* keys() {
    for (let key = 0; key < KEYS; key += 1) {
      drawn = Promise.withResolvers<void>()
      const start = performance.now()
      yield Buffer.from('a')
      await drawn.promise
      taken.push(performance.now() - start)
    }
  }
  await terminal(workspace, { columns: 250, rows: 24, input: keys(), onBytes: () => drawn.resolve(), command: ['/bin/cat'] })
  return taken
}

async function files(workspace: Workspace): Promise<[up: number, down: number]> {
  const file = join(folder, 'large')
  await writeFile(file, Buffer.alloc(FILE_BYTES, 'rackfair'))
  const up = await megabytesPerSecond(() =>
    upload(workspace, '/home/renter/large', createReadStream(file, { highWaterMark: 256 * 1024 }), { size: FILE_BYTES }),
  )
  const down = await megabytesPerSecond(async () => {
    const back = await open(join(folder, 'back'), 'w')
    await download(workspace, '/home/renter/large', {
      onBytes: async (bytes) => {
        await back.write(bytes)
      },
    })
    await back.close()
  })
  return [up, down]
}

async function megabytesPerSecond(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return FILE_BYTES / 1e6 / ((performance.now() - start) / 1000)
}

function print(what: string, taken: number[]): void {
  const sorted = taken.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1)
  console.log(`| ${what} (${taken.length}) | ${at(0.5)} | ${at(0.95)} |`)
}
