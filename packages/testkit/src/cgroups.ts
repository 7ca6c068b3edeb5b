import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = '/sys/fs/cgroup'

const hierarchies = (): string[] =>
  existsSync(join(ROOT, 'cgroup.controllers')) ? [ROOT] : readdirSync(ROOT).map((name) => join(ROOT, name))

/** Creates a cgroup of this name in every hierarchy of the machine. */
export function makeCgroups(name: string): void {
  for (const one of hierarchies()) {
    mkdirSync(join(one, name), { recursive: true })
    // A new cpuset group has no processors until some are assigned.
    for (const file of ['cpuset.cpus', 'cpuset.mems'])
      if (existsSync(join(one, file)) && !existsSync(join(one, 'cgroup.controllers')))
        writeFileSync(join(one, name, file), readFileSync(join(one, file)))
  }
}

/** A command that runs in these groups. */
export const inCgroups = (name: string, command: readonly string[]): string[] => [
  ...[
    'sh',
    '-c',
    'for one in "$0" "$0"/*; do [ ! -w "$one/$1/cgroup.procs" ] || echo $$ >"$one/$1/cgroup.procs"; done; shift; exec "$@"',
  ],
  ...[ROOT, name, ...command],
]

/** The kernel releases a group a moment after its last process. */
export async function removeCgroups(name: string): Promise<void> {
  const remove = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) remove(join(folder, entry.name))
    rmdirSync(folder)
  }
  for (const one of hierarchies())
    for (let attempt = 0; existsSync(join(one, name)) && attempt < 100; attempt += 1) {
      try {
        remove(join(one, name))
      } catch {
        await sleep(50)
      }
    }
}
