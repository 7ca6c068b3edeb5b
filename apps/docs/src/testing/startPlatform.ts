import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtProgram, freePort } from '@rackfair/testkit'

const MAX_WAIT_MS = 90_000

/** The real platform on a free port, ready to answer. */
export async function startPlatform(options: { rpcUrl: string; deploymentFile: string; data: string; web: string }) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = ['--port', String(port), '--rpc', options.rpcUrl, '--deployment', options.deploymentFile]
  const program = await builtProgram('platform')
  const child = spawn(process.execPath, [program, ...args, '--data', options.data, '--web', options.web], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  const limit = Date.now() + MAX_WAIT_MS
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || Date.now() > limit) {
      await stop()
      throw new Error(`the platform did not become ready: ${output.slice(-2000)}`)
    }
    await sleep(200)
  }
  return { url, stop }
}
