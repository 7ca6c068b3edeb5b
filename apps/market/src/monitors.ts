import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { LocalMarket } from './deployContracts.ts'
import type { ProcessSpec } from './Supervisor.ts'

/**
 * A monitor computes for a moment in each epoch. V8's optimizing compilers, for JavaScript and for WebAssembly, would keep 10 MB for that; Maglev stays, for
 * without it signatures take three times as long. A young generation of 1 MB instead of 2 is emptied so often that processor time doubles.
 * `npm run bench -- monitor/memory` measures it.
 */
const THRIFTY = ['--max-semi-space-size=2', '--max-old-space-size=32', '--no-opt', '--liftoff-only'] as const

/** A monitor of the local market, in a folder of its own under the state folder. */
export interface LocalMonitor {
  name: string
  dir: string
  keyFile: string
  port: number
}

/** Each with a port of its own that is kept, so that what it announced on the chain stays true; another one where that is taken. */
export function placeMonitors(stateDir: string, keyFiles: readonly string[]): Promise<LocalMonitor[]> {
  return Promise.all(
    keyFiles.map(async (keyFile, index) => {
      const dir = join(stateDir, 'monitors', String(index + 1))
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      const file = join(dir, 'port')
      const known = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
      const port = (await listen(known)) ?? (await listen(0)) ?? 0
      if (port !== known) {
        writeFileSync(`${file}.new`, `${port}\n`)
        renameSync(`${file}.new`, file)
      }
      return { name: `monitor${index + 1}`, dir, keyFile, port }
    }),
  )
}

/** One of the monitors; ready once it publishes. */
export function monitorProcess(options: {
  /** Its program file, as returned by `builtProgram`. */
  program: string
  market: LocalMarket
  rpcUrl: string
  monitor: LocalMonitor
}): ProcessSpec {
  const { program, market, rpcUrl, monitor } = options
  const url = `http://127.0.0.1:${monitor.port}`
  return {
    name: monitor.name,
    command: process.execPath,
    args: [
      ...THRIFTY,
      program,
      ...['--rpc', rpcUrl, '--access', market.deployment.access, '--key-file', monitor.keyFile],
      ...['--data', monitor.dir, '--port', String(monitor.port), '--url', url],
    ],
    // Three monitors share the machine with its tenants: return freed memory to the system.
    env: { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '65536', UV_THREADPOOL_SIZE: '1' },
    isReady: async () => (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) })).ok,
  }
}

/** `port` (0 for any), if nothing listens there. */
function listen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined))
    })
  })
}
