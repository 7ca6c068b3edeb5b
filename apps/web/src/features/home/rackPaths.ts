import type { RackSlot } from '@rackfair/sdk/http'
import type { Box, RackGeometry } from './rackGeometry.ts'

export type SlotState = RackSlot['state'] | 'empty'

export interface RackPaths {
  /** Grounds of taken slots, of slots that are offline, and of empty ones. */
  taken: string
  offline: string
  empty: string
  /** Edges of machines with simulated hardware. */
  sample: string
  /** The lamp of each state, and the marks that count the GPUs (or processors) of a machine. */
  lamps: Record<RackSlot['state'], string>
  marks: Record<RackSlot['state'], string>
}

const MAX_MARKS = 5

/** The whole rack as a few paths, so that a thousand machines cost no more to draw than ten. */
export function rackPaths(machines: readonly RackSlot[], places: number, geometry: RackGeometry): RackPaths {
  const paths: RackPaths = {
    taken: '',
    offline: '',
    empty: '',
    sample: '',
    lamps: { idle: '', running: '', offline: '' },
    marks: { idle: '', running: '', offline: '' },
  }
  for (let index = 0; index < places; index += 1) {
    const box = geometry.slot(index)
    const machine = machines[index]
    if (machine === undefined) {
      paths.empty += rounded(box, box.height * 0.22)
      continue
    }
    paths[machine.state === 'offline' ? 'offline' : 'taken'] += rounded(box, box.height * 0.22)
    if (machine.sample) paths.sample += rounded(box, box.height * 0.22)
    const unit = Math.min(box.height, box.width * 0.3)
    paths.lamps[machine.state] += lamp(
      machine.state,
      box.x + unit * 0.6,
      box.y + box.height / 2,
      unit * (geometry.named ? 0.13 : 0.2),
    )
    const count = Math.min(MAX_MARKS, Math.max(1, machine.gpu.count || machine.cpu.count))
    const step = Math.min(unit * (geometry.named ? 0.3 : 0.6), (box.width - unit * 1.6) / MAX_MARKS)
    for (let mark = 0; mark < count; mark += 1)
      paths.marks[machine.state] += rounded(
        {
          x: geometry.named ? box.x + box.width - unit * 0.4 - (count - mark) * step : box.x + unit * 1.35 + mark * step,
          y: box.y + box.height / 2 - unit * (geometry.named ? 0.15 : 0.19),
          width: step * 0.7,
          height: unit * (geometry.named ? 0.3 : 0.38),
        },
        unit * 0.09,
      )
  }
  return paths
}

function rounded({ x, y, width, height }: Box, radius: number): string {
  const [a, b, r] = [width - 2 * radius, height - 2 * radius, radius].map(short)
  return `M${short(x + radius)} ${short(y)}h${a}q${r} 0 ${r} ${r}v${b}q0 ${r} -${r} ${r}h-${a}q-${r} 0 -${r} -${r}v-${b}q0 -${r} ${r} -${r}z`
}

/** The shapes that stand beside the words too: a disc for idle, a square for running, a ring for offline. */
function lamp(state: RackSlot['state'], x: number, y: number, radius: number): string {
  if (state === 'idle') return disc(x, y, radius)
  if (state === 'offline') return disc(x, y, radius) + disc(x, y, radius * 0.55, 1)
  const half = radius * 0.9
  return rounded({ x: x - half, y: y - half, width: 2 * half, height: 2 * half }, radius * 0.2)
}

/** Drawn with the other `sweep` inside another disc, a hole. */
function disc(x: number, y: number, radius: number, sweep: 0 | 1 = 0): string {
  const [r, d] = [radius, 2 * radius].map(short)
  return `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 ${sweep} ${d} 0a${r} ${r} 0 1 ${sweep} -${d} 0`
}

const short = (figure: number | undefined) => Number((figure ?? 0).toFixed(2))
