import { join } from 'node:path'
import { buildOnce, viteBuild } from './buildOnce.ts'

const INPUTS = [
  'apps/monitor/src',
  'apps/monitor/bundle.config.ts',
  'packages/core/src',
  'packages/sdk/src',
  'contracts/ts',
  'pnpm-lock.yaml',
]
const ENTRY = 'main.mjs'

/** Makes one program of the monitor: three of them share the machine with what it sells. Returns its file. */
export async function buildMonitor(root: string): Promise<string> {
  const make = (folder: string) =>
    viteBuild(root, join(root, 'apps', 'monitor'), folder, 'The monitor', ['--config', 'bundle.config.ts'])
  return join(await buildOnce(root, { name: 'monitor', inputs: INPUTS, entry: ENTRY, make }, () => {}), ENTRY)
}
