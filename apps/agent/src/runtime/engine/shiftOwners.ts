import { lchown, lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { IDS_PER_ORDER } from './userIds.ts'

/**
 * Gives the files below a folder to the same users inside whose ids outside begin at `firstUserId` now. Nothing runs that could change
 * them meanwhile. The folder itself comes last: by its owner an interrupted change is known and done again.
 */
export async function shiftOwners(folder: string, firstUserId: number): Promise<void> {
  const { uid } = await lstat(folder)
  if (uid - (uid % IDS_PER_ORDER) === firstUserId) return
  await shift(folder, firstUserId)
}

async function shift(path: string, firstUserId: number): Promise<void> {
  const found = await lstat(path)
  if (found.isDirectory()) for await (const { name } of await opendir(path)) await shift(join(path, name), firstUserId)
  await lchown(path, firstUserId + (found.uid % IDS_PER_ORDER), firstUserId + (found.gid % IDS_PER_ORDER))
}
