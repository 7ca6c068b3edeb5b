import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '../foundation/runCommand.ts'
import { cgroupName, tableName } from '../runtime/engine/names.ts'
import { unmountAt, unmountBelow } from '../runtime/engine/removeEngine.ts'
import { killProcess } from './killProcess.ts'

/**
 * Leaves of an agent what a machine has that lost its power: its disk. The agent, its engine and all containers are killed at once, and
 * what was mounted, linked or kept in memory is gone.
 */
export async function cutPower({ instance, data, file }: { instance: string; data: string; file: string }): Promise<void> {
  const run = `/run/rackfair-${instance}`
  const marks = [run, `${cgroupName(instance)}/`, file, data]
  const ours = () =>
    readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
      .filter((pid) => marks.some((mark) => said(pid, 'cmdline').includes(mark) || said(pid, 'cgroup').includes(mark)))
  for (let left = ours(); left.length > 0; left = ours()) {
    for (const pid of left) if (said(pid, 'cmdline') !== '' || said(pid, 'cgroup') !== '') tryKill(pid)
    await sleep(20)
  }
  for (const folder of [run, `${run}-roots`]) unmountAt(folder)
  unmountBelow(data)
  for (const folder of [run, `${run}-roots`]) rmSync(folder, { recursive: true, force: true })
  const { stdout } = await runCommand('ip', ['-o', 'link'])
  for (const [, link] of stdout.matchAll(new RegExp(`(r[fl]${instance}-[0-9a-z]+)[:@]`, 'g')))
    await runCommand('ip', ['link', 'del', link as string])
  await runCommand('nft', ['delete', 'table', 'inet', tableName(instance)])
  for (const controller of readdirSync('/sys/fs/cgroup'))
    await runCommand('find', [join('/sys/fs/cgroup', controller, cgroupName(instance)), '-depth', '-type', 'd', '-delete'])
  writeFileSync(join(data, 'engine', 'boot-id'), 'the boot before')
}

/** Empty for a process that has ended meanwhile. */
function said(pid: string, what: 'cmdline' | 'cgroup'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}

function tryKill(pid: string): void {
  try {
    killProcess(pid)
  } catch {}
}
