import { cutText } from '@rackfair/core'
import type { RackSlot } from '@rackfair/core/wire'
import { memo, useMemo } from 'react'
import { RACK_HEIGHT, RACK_WIDTH, type RackGeometry } from './rackGeometry.ts'
import { rackPaths } from './rackPaths.ts'

const NAME_LENGTH = 14

export interface RackDrawingProps {
  machines: readonly RackSlot[]
  places: number
  geometry: RackGeometry
}

/** Cabinets, slots, lamps and marks as a few paths whatever the number of machines; names where there is room. */
export const RackDrawing = memo(function RackDrawing({ machines, places, geometry }: RackDrawingProps) {
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
      {geometry.named &&
        machines.map((machine, index) => {
          const box = geometry.slot(index)
          return (
            <text
              key={`${machine.cp}/${machine.id}`}
              x={box.x + box.height * 1.1}
              y={box.y + box.height / 2}
              dominantBaseline="central"
              className="num fill-ink-2 text-xs max-sm:hidden"
            >
              {cutText(machine.nodename, NAME_LENGTH)}
            </text>
          )
        })}
    </svg>
  )
})
