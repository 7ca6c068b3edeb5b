import { lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** As many as the kernel follows. */
const MAX_LINKS = 40

/** Where a path inside lies outside: in the volume that it is in, or else in the root. */
export function outsideOf(root: string, folders: ReadonlyMap<string, string>, path: string): [folder: string, rest: string] {
  const within = [...folders].filter(([volume]) => path.startsWith(`${volume}/`)).sort(([a], [b]) => b.length - a.length)[0]
  return within ? [within[1], path.slice(within[0].length)] : [root, path]
}

/** The path inside to which another one leads over links, which the image or an earlier run may have made; undefined for one in a circle. */
export function resolveInside(root: string, folders: ReadonlyMap<string, string>, path: string): string | undefined {
  let parts = path.split('/')
  let at = ''
  for (let links = 0; parts.length > 0; ) {
    const [part = '', ...rest] = parts
    parts = rest
    if (part === '' || part === '.') continue
    if (part === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
      continue
    }
    const next = `${at}/${part}`
    const isVolume = folders.has(next)
    const file = isVolume ? undefined : join(...outsideOf(root, folders, next))
    if (file === undefined || !lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) {
      at = next
      continue
    }
    links += 1
    if (links > MAX_LINKS) return undefined
    const target = readlinkSync(file)
    if (target.startsWith('/')) at = ''
    parts = [...target.split('/'), ...parts]
  }
  return at === '' ? '/' : at
}
