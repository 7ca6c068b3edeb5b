import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@rackfair/testkit'
import { buildWeb } from '../../apps/market/src/buildWeb.ts'
import { openStore } from '../../apps/platform/src/store/openStore.ts'
import { seedMarket } from '../platform/seedMarket.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

/** A platform that answers from a filled database, with the production build of the web app and no chain behind it. */
export async function withManyMachines(nodes: number, measure: (url: string) => Promise<void>): Promise<void> {
  const web = await buildWeb(ROOT, () => console.log('Building the web app ...'))
  const data = mkdtempSync(join(tmpdir(), 'rackfair-bench-web-'))
  const store = await openStore({ dataFolder: data, databaseUrl: undefined })
  await seedMarket(store, { nodes, orders: 0 })
  await store.close()
  const deployment = join(data, 'deployment.json')
  const [access, registry, pledge, market, credit] = [1, 2, 3, 4, 5].map(address)
  writeFileSync(deployment, JSON.stringify({ chainId: 2985, access, registry, pledge, market, credit }))
  const port = await freePort()
  const files = ['--deployment', deployment, '--data', data, '--web', web]
  const settings = ['--role', 'api', '--rate-scale', '0', '--rpc', 'http://127.0.0.1:9', '--port', String(port), ...files]
  const platform = spawn(process.execPath, [join(ROOT, 'apps/platform/src/main.ts'), ...settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  try {
    await answers(`${url}/healthz`)
    await measure(url)
  } finally {
    platform.kill('SIGTERM')
    await once(platform, 'exit')
    rmSync(data, { recursive: true, force: true })
  }
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const up = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (up) return
    await sleep(50)
  }
  throw new Error(`${url} did not answer`)
}
