import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

const RECIPE = fileURLToPath(new URL('../../../../deploy/knot', import.meta.url))
const missing = ['knotd', 'knotc', 'kdig', 'knsupdate'].filter((name) => spawnSync('which', [name]).status !== 0)
/** Why there can be no name server on this machine; undefined if there can. */
export const whyNoKnot =
  missing.length > 0 ? `skipped: there is no ${missing.join(', ')}; apt-get install knot knot-dnsutils` : undefined

/**
 * Knot DNS beside an edge, as deploy/knot sets it up, at a port of this machine. `written`: the folder that the edge writes. `more`: what
 * other domains lead to, as lines of a zone file.
 */
export async function startKnot({ folder, written, zone, port, more = {} }: StartKnotOptions) {
  const config = join(folder, 'knot.conf')
  for (const one of ['run', 'db', written]) mkdirSync(one === written ? one : join(folder, one), { recursive: true })
  const own = (text: string) =>
    text
      .replaceAll('edge.example', zone)
      .replaceAll('192.0.2.10', '127.0.0.1')
      .replace(/^.*2001:db8::10$/gm, '')
  writeFileSync(join(folder, 'edge.zone'), own(readFileSync(join(RECIPE, 'edge.example.zone'), 'utf8')))
  const others = Object.entries(more).map(([domain, records]) => {
    writeFileSync(join(folder, domain), `@ 1 SOA ns.${domain}. host.${domain}. 1 9 9 9 1\n@ 1 NS ns.${domain}.\n${records}\n`)
    return `  - domain: ${domain}\n    file: ${join(folder, domain)}\n`
  })
  const recipe = readFileSync(join(RECIPE, 'knot.conf'), 'utf8')
    .replace(/listen: .*/, `listen: 127.0.0.1@${port}`)
    .replace(/^ {4}user: .*\n/m, '')
    .replace('/etc/knot/edge.example.zone', join(folder, 'edge.zone'))
    .replaceAll('/var/lib/knot/edge', written)
    .replace('storage: /var/lib/knot', `storage: ${join(folder, 'db')}`)
    .replace('rundir: /run/knot', `rundir: ${join(folder, 'run')}`)
    .replace(/^# Written by/m, `${others.join('')}\n$&`)
  writeFileSync(config, own(recipe))
  let child: ChildProcess | undefined
  const kdig = (...args: string[]) =>
    execFileSync('kdig', [`@127.0.0.1`, '-p', `${port}`, '+short', ...args], { encoding: 'utf8' }).trim()
  const start = async () => {
    child = spawn('knotd', ['-c', config], { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk))
    await vi.waitFor(() => {
      if (!said.includes('server started')) throw new Error(said || 'knotd says nothing')
      if (kdig('+time=1', '+retry=0', zone, 'A') !== '127.0.0.1') throw new Error('no answer yet')
    }, SOON)
  }
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    ...{ dns: `127.0.0.1:${port}`, kdig, start, stop },
    /** As the unit that watches the folder of the edge does. */
    reload: () => execFileSync('knotc', ['-c', config, '--blocking', 'reload'], { stdio: 'ignore' }),
  }
}
const SOON = { timeout: 60_000, interval: 20 }

export interface StartKnotOptions {
  folder: string
  written: string
  zone: string
  port: number
  more?: Record<string, string>
}
export type StartedKnot = Awaited<ReturnType<typeof startKnot>>
