import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const AMD = '0x1002'
const COMPUTE = '/dev/kfd'

/** The device files of an AMD card, for a machine without CDI: the shared compute device, and the card's own render and DRM nodes. */
export function amdNodes(device: string, drm = '/sys/class/drm'): string[] {
  const own = cardsOf(drm)[Number(device)]
  return own === undefined ? [] : [COMPUTE, ...own]
}

/** The files below /dev/dri of each AMD card, in order of card number. */
function cardsOf(drm: string): string[][] {
  if (!existsSync(drm)) return []
  const renders = readdirSync(drm)
    .filter((name) => /^renderD\d+$/.test(name) && vendorOf(join(drm, name)) === AMD)
    .sort((a, b) => Number(a.slice(7)) - Number(b.slice(7)))
  return renders.map((render) => {
    const siblings = join(drm, render, 'device', 'drm')
    const cards = existsSync(siblings) ? readdirSync(siblings).filter((name) => /^card\d+$/.test(name)) : []
    return [render, ...cards].map((name) => `/dev/dri/${name}`)
  })
}

function vendorOf(folder: string): string | undefined {
  const file = join(folder, 'device', 'vendor')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}
