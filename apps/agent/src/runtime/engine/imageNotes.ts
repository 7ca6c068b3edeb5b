import type { RunSpec } from '../RunSpec.ts'
import type { OwnImage } from '../Runtime.ts'
import type { ImageConfig } from './imageConfig.ts'

const MAX_NOTES = 32

/** What an image asks for and is given otherwise, or not at all: said before it starts. */
export function imageNotes(app: RunSpec, config: ImageConfig): OwnImage['notes'] {
  const notes: OwnImage['notes'] = []
  const user = app.own?.user ?? config.user
  if (/^(?:|0|root)(?::|$)/.test(user)) notes.push({ code: 'root', value: '' })
  for (const path of config.volumes)
    if (!app.volumes.some((one) => one.path === path)) notes.push({ code: 'volume', value: path.slice(0, 200) })
  const reached = new Set(app.ports.map(({ protocol, port }) => `${port}/${protocol === 'udp' ? 'udp' : 'tcp'}`))
  for (const port of config.ports) if (!reached.has(port)) notes.push({ code: 'port', value: port.slice(0, 200) })
  if (config.hasHealthcheck) notes.push({ code: 'health', value: '' })
  return notes.slice(0, MAX_NOTES)
}
