import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

const ASIDE = '.before'
/** In what was set aside: what came after it is gone. */
const CLEARED = 'cleared'
/** Of the file system itself. */
const STAYS = ['lost+found', ASIDE]

const others = (disk: string): string[] => readdirSync(disk).filter((name) => !STAYS.includes(name))

/** Sets aside what an application has on its order's disk, for the next one to find it empty. Each of these functions goes on where a crash left it. */
export function setDataAside(disk: string): void {
  const aside = join(disk, ASIDE)
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  for (const name of others(disk)) move(join(disk, name), join(aside, name))
}

/** Puts what was set aside in the place of what came after it, which is deleted. */
export async function takeDataBack(disk: string): Promise<void> {
  const aside = join(disk, ASIDE)
  if (!existsSync(aside)) return
  if (!existsSync(join(aside, CLEARED))) {
    for (const name of others(disk)) await rm(join(disk, name), { recursive: true, force: true })
    writeFileSync(join(aside, CLEARED), '')
  }
  for (const name of readdirSync(aside)) if (name !== CLEARED) move(join(aside, name), join(disk, name))
  await rm(aside, { recursive: true })
}

export const dropDataAside = (disk: string): Promise<void> => rm(join(disk, ASIDE), { recursive: true, force: true })

function move(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}
