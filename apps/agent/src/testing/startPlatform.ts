import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtProgram, type Chain, freePort } from '@rackfair/testkit'

const PROGRAM = await builtProgram('platform')
const START_MS = 60_000

/** The real platform on a chain, as a separate process, with its files in `folder`. */
export async function startPlatform(chain: Chain, folder: string, more: readonly string[] = [], port?: number) {
  const deployment = join(folder, 'deployment.json')
  writeFileSync(deployment, JSON.stringify(chain.deployment))
  port ??= await freePort()
  const args = ['--rpc', chain.rpcUrl, '--deployment', deployment, '--data', join(folder, 'platform'), '--port', String(port)]
  const child = spawn(process.execPath, [PROGRAM, ...args, '--poll-ms', '200', ...more], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + START_MS
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('the platform did not start')
    await sleep(100)
  }
  return {
    url,
    port,
    /** Like a crash. */
    async kill() {
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
    },
    deployment,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}
