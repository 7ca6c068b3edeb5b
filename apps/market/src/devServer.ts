import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ProcessSpec } from './Supervisor.ts'

/** Vite in front of the platform, for hot reload. */
export function devServerProcess(options: { root: string; port: number; platformUrl: string }): ProcessSpec {
  const cwd = join(options.root, 'apps', 'web')
  const vite = join(dirname(createRequire(join(cwd, 'package.json')).resolve('vite/package.json')), 'bin', 'vite.js')
  return {
    name: 'web',
    command: process.execPath,
    args: [vite, '--port', String(options.port), '--strictPort', '--host', '127.0.0.1'],
    cwd,
    env: { RACKFAIR_PLATFORM: options.platformUrl },
    isReady: async () => (await fetch(`http://127.0.0.1:${options.port}/`, { signal: AbortSignal.timeout(5000) })).ok,
  }
}
