import { gpuMemoryGb } from '@rackfair/rules/gpu/gpuMemory'
import type { NodeOffer } from '@rackfair/rules/node/node'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { nodeMessages } from '../messages.ts'
import { type Bay, baysOf } from './bays.ts'

/** Of the drawing, in its own units. */
const HEIGHT = 72
const GAP = 4
const CELL_WIDTH: Record<Bay['kind'], number> = { gpu: 13, cpu: 11, memory: 8, storage: 44 }
const FILL = { idle: 'fill-idle-soft stroke-idle', run: 'fill-run-soft stroke-run', off: 'fill-off-soft stroke-off' } as const

/** The hardware of a machine as its front: a bay for each part, lit by the machine's state. */
export function MachineFront({ node }: { node: NodeOffer }) {
  const text = useMessages(nodeMessages)
  const format = useFormat()
  const { cpu, gpu } = node
  const vram = gpuMemoryGb(gpu.model)
  const state = !node.online ? 'off' : node.sold ? 'run' : 'idle'
  const bays = baysOf(node)
  const facts: Record<Bay['kind'], { term: string; value: string }> = {
    gpu: {
      term: vram === undefined ? text.columns.gpu : text.machine.gpus(gpu.count, format.gigabytes(vram)),
      value: text.gpu(gpu.count, gpu.model),
    },
    cpu: { term: text.machine.cores(cpu.count, text.coreCount(cpu.count * cpu.cores)), value: cpu.model },
    memory: { term: text.columns.memory, value: format.gigabytes(node.memoryGb) },
    storage: { term: text.columns.storage, value: format.storage(node.diskGb) },
  }
  const missing = [
    ...(gpu.count === 0 ? [{ term: text.columns.gpu, value: text.noGpu }] : []),
    ...(cpu.count === 0 ? [{ term: text.columns.cpu, value: text.noCpu }] : []),
  ]
  return (
    <dl className="bays">
      {missing.map(({ term, value }) => (
        <div key={term} className="min-w-0">
          <dt className="text-xs text-ink-3">{term}</dt>
          <dd className="text-ink-3">{value}</dd>
        </div>
      ))}
      {bays.map((bay) => (
        <div key={bay.kind} className="flex min-w-0 flex-col">
          <dt className="text-xs text-ink-3">{facts[bay.kind].term}</dt>
          <dd className="num text-base break-words">{facts[bay.kind].value}</dd>
          <dd aria-hidden className="mt-3">
            <Cells bay={bay} className={FILL[state]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Cells({ bay: { kind, groups, cells, rows }, className }: { bay: Bay; className: string }) {
  const width = CELL_WIDTH[kind]
  const used = Math.min(rows, cells)
  const height = (HEIGHT - GAP * (used - 1)) / used
  const columns = Math.ceil(cells / used)
  const groupWidth = columns * (width + GAP) + 2 * GAP
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${groups * groupWidth - 3 * GAP} ${HEIGHT}`}
      preserveAspectRatio="xMinYMid meet"
      className="bay-cells"
    >
      {Array.from({ length: groups * cells }, (_, index) => {
        const group = Math.floor(index / cells)
        const at = index % cells
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell has its place and nothing else
            key={index}
            x={group * groupWidth + Math.floor(at / used) * (width + GAP)}
            y={(at % used) * (height + GAP)}
            width={width}
            height={height}
            rx="2"
            vectorEffect="non-scaling-stroke"
            className={className}
          />
        )
      })}
    </svg>
  )
}
