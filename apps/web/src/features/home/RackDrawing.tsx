import { cutText } from '@rackfair/rules/text/shortText'
import type { RackSlot } from '@rackfair/sdk/http'
import { memo, useMemo, useState } from 'react'
import { RACK_HEIGHT, RACK_WIDTH, type RackGeometry } from './rackGeometry.ts'
import { rackPaths } from './rackPaths.ts'

const NAME_LENGTH = 14
const LIT = { idle: 'fill-idle', running: 'fill-run', offline: 'fill-off' } as const

export interface RackDrawingProps {
  machines: readonly RackSlot[]
  places: number
  geometry: RackGeometry
}

/** Cabinets, slots, lamps and marks as a few paths whatever the number of machines; names where there is room. */
export const RackDrawing = memo(function RackDrawing({ machines, places, geometry }: RackDrawingProps) {
  const lit = useLit(machines)
  const paths = useMemo(() => rackPaths(machines, places, geometry), [machines, places, geometry])
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${RACK_WIDTH} ${RACK_HEIGHT}`} className="block w-full overflow-visible">
      {geometry.cabinets.map((box) => (
        <rect key={box.x} {...box} rx="7" fill="none" className="stroke-line-2" />
      ))}
      <path d={paths.empty} className="fill-slot opacity-30" />
      <path d={paths.taken} className="fill-slot" />
      <path d={paths.offline} className="fill-slot opacity-60" />
      <path d={paths.sample} fill="none" strokeDasharray="3 2" className="stroke-edge" />
      <path d={paths.marks.idle} className="fill-line-2" />
      <path d={paths.marks.running} className="fill-run opacity-60" />
      <path d={paths.marks.offline} className="fill-line-2 opacity-60" />
      <path d={paths.lamps.idle} className="fill-idle" />
      <path d={paths.lamps.running} className="fill-run" />
      <path d={paths.lamps.offline} className="fill-off opacity-60" />
      {lit.map((index) => (
        <rect
          key={`${keyOf(machines[index])} ${machines[index]?.state}`}
          {...geometry.slot(index)}
          rx={geometry.slot(index).height * 0.22}
          className={`animate-lit opacity-0 ${LIT[machines[index]?.state ?? 'offline']}`}
        />
      ))}
      {geometry.named &&
        machines.map((machine, index) => {
          const box = geometry.slot(index)
          return (
            <text
              key={`${machine.provider}/${machine.nodeId}`}
              x={box.x + box.height * 1.1}
              y={box.y + box.height / 2}
              dominantBaseline="central"
              className="num fill-ink-2 text-xs max-sm:hidden"
            >
              {cutText(machine.name, NAME_LENGTH)}
            </text>
          )
        })}
    </svg>
  )
})

const keyOf = (machine: RackSlot | undefined) => `${machine?.provider}/${machine?.nodeId}`

/** Places of the machines that were sold, given back or lost since the drawing before. */
function useLit(machines: readonly RackSlot[]): readonly number[] {
  const [seen, setSeen] = useState<{ machines: readonly RackSlot[]; lit: readonly number[] }>({ machines, lit: [] })
  if (seen.machines === machines) return seen.lit
  const before = new Map(seen.machines.map((machine) => [keyOf(machine), machine.state]))
  const lit = machines.flatMap((machine, index) => {
    const state = before.get(keyOf(machine))
    return state === undefined || state === machine.state ? [] : [index]
  })
  setSeen({ machines, lit })
  return lit
}
