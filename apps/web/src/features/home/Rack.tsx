import type { RackSlot } from '@rackfair/sdk/http'
import { type MouseEvent, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { RackCard } from './RackCard.tsx'
import { RackDrawing } from './RackDrawing.tsx'
import { RACK_HEIGHT, RACK_WIDTH, rackGeometry } from './rackGeometry.ts'
import { rackShape } from './rackShape.ts'
import { useSlotText } from './useSlotText.ts'

/** The market as a rack: hover or the arrow keys name a machine, a click or Enter shows it in the list. */
export function Rack({ machines, summary }: { machines: readonly RackSlot[]; summary: string }) {
  const [, navigate] = useLocation()
  const { label } = useSlotText()
  const [at, setAt] = useState<number>()
  const shape = rackShape(machines.length)
  const { cabinets, slots } = shape
  const geometry = useMemo(() => rackGeometry({ cabinets, slots }), [cabinets, slots])
  const last = machines.length - 1
  const named = at === undefined ? undefined : machines[at]
  const box = at === undefined ? undefined : geometry.slot(at)

  const under = (event: MouseEvent<HTMLElement>) => {
    const area = event.currentTarget.getBoundingClientRect()
    const index = geometry.indexAt(
      ((event.clientX - area.left) / area.width) * RACK_WIDTH,
      ((event.clientY - area.top) / area.height) * RACK_HEIGHT,
    )
    return index !== undefined && index <= last ? index : undefined
  }
  const show = (slot: RackSlot | undefined) => {
    if (slot) navigate(`/nodelist?${new URLSearchParams({ text: slot.name })}`)
  }
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cabinets, ArrowDown: cabinets }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={summary}
      aria-valuemin={0}
      aria-valuemax={machines.length}
      aria-valuenow={at === undefined ? 0 : at + 1}
      aria-valuetext={named ? label(named) : summary}
      className={`relative rounded-lg ${named ? 'cursor-pointer' : ''}`}
      onPointerMove={(event) => setAt(under(event))}
      onPointerLeave={() => setAt(undefined)}
      onBlur={() => setAt(undefined)}
      // A finger does not move before it taps: the place itself says what is meant.
      onClick={(event) => show(machines[under(event) ?? -1])}
      onKeyDown={(event) => {
        const step = steps[event.key]
        if (event.key === 'Enter') show(named)
        else if (event.key === 'Escape') setAt(undefined)
        else if (event.key === 'Home') setAt(0)
        else if (event.key === 'End') setAt(last)
        else if (step !== undefined) setAt(at === undefined ? 0 : Math.min(last, Math.max(0, at + step)))
        else return
        event.preventDefault()
      }}
    >
      <RackDrawing machines={machines} places={cabinets * slots} geometry={geometry} />
      {box && named && (
        <>
          <svg aria-hidden="true" viewBox={`0 0 ${RACK_WIDTH} ${RACK_HEIGHT}`} className="pointer-events-none absolute inset-0">
            <rect {...box} rx={box.height * 0.22} fill="none" strokeWidth="1.5" className="stroke-accent" />
          </svg>
          <RackCard slot={named} box={box} />
        </>
      )}
    </div>
  )
}
