import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OWN_FOLDER } from './ownRoot.ts'

const ASIDE = '.earlier'
/** In what was set aside: the volumes were left to both. */
const SHARES = 'shares-volumes'
/** In what was set aside: what came after it is gone. */
const CLEARED = 'cleared'
/** Of the file system itself. */
const STAYS = ['lost+found', ASIDE]
/** Of an own application, beside what its containers wrote to their roots. */
const VOLUMES = 'volumes'

const others = (disk: string): string[] => readdirSync(disk).filter((name) => !STAYS.includes(name))
const roots = (own: string): string[] => (existsSync(own) ? readdirSync(own).filter((name) => name !== VOLUMES) : [])

/**
 * Sets aside what an application has on its order's disk, for the next one to find it empty. With `keepVolumes` those of an own application
 * stay. Each of these functions goes on where a crash left it.
 */
export function setDataAside(disk: string, { keepVolumes }: { keepVolumes: boolean }): void {
  const aside = join(disk, ASIDE)
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  const own = join(disk, OWN_FOLDER)
  if (keepVolumes && existsSync(join(own, VOLUMES))) {
    writeFileSync(join(aside, SHARES), '')
    for (const name of roots(own)) move(join(own, name), join(aside, name))
  } else for (const name of others(disk)) move(join(disk, name), join(aside, name))
}

/** Puts what was set aside in the place of what came after it, which is deleted. */
export async function takeDataBack(disk: string): Promise<void> {
  const aside = join(disk, ASIDE)
  if (!existsSync(aside)) return
  const shares = existsSync(join(aside, SHARES))
  const own = join(disk, OWN_FOLDER)
  if (!existsSync(join(aside, CLEARED))) {
    const gone = shares ? roots(own).map((name) => join(own, name)) : others(disk).map((name) => join(disk, name))
    for (const path of gone) await rm(path, { recursive: true, force: true })
    writeFileSync(join(aside, CLEARED), '')
  }
  for (const name of readdirSync(aside))
    if (name !== SHARES && name !== CLEARED) move(join(aside, name), join(shares ? own : disk, name))
  await rm(aside, { recursive: true })
}

export const dropDataAside = (disk: string): Promise<void> => rm(join(disk, ASIDE), { recursive: true, force: true })

function move(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}
