import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Anvil {
  rpcUrl: string
  wsUrl: string
  chainId: number
  pid: number
  stop(): Promise<void>
}

/** Without a limit anvil writes the states of older blocks to files below the home folder, and leaves them there when it is killed. */
const KEPT_STATES = 500

/**
 * A real chain on a free port of 127.0.0.1, id 2985 by default, one block per second and one per transaction. Starts the native binary,
 * because the npm shim does not forward signals.
 */
export async function startAnvil(
  options: { blockTime?: number; port?: number; chainId?: number; args?: readonly string[] } = {},
): Promise<Anvil> {
  const chainId = options.chainId ?? 2985
  const blockTime = options.blockTime ?? 1
  const mining = blockTime > 0 ? ['--block-time', String(blockTime), '--mixed-mining'] : []
  const args = ['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--chain-id', String(chainId), ...mining]
  args.push('--prune-history', String(KEPT_STATES))
  const child = spawn(anvilBinary(), [...args, ...(options.args ?? [])], { stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => {
      process.off('exit', kill)
      resolve()
    }),
  )
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const match = /Listening on (127\.0\.0\.1:\d+)/.exec(output)
      if (match) resolve(match[1] as string)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${output.slice(-500)}`)))
  })
  child.stdout.removeAllListeners('data').resume()
  child.stderr.removeAllListeners('data').resume()
  const stop = async () => {
    kill()
    await exited
  }
  return { rpcUrl: `http://${address}`, wsUrl: `ws://${address}`, chainId, pid: child.pid ?? 0, stop }
}

function anvilBinary(): string {
  const shim = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const native = createRequire(shim).resolve(`@foundry-rs/anvil-${process.platform}-${arch}/package.json`)
  return join(dirname(native), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}
