import type { RackSlot } from '@rackfair/sdk/http'
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { RackDrawing } from './RackDrawing.tsx'
import { rackGeometry } from './rackGeometry.ts'
import { SAMPLE_RACK } from './sampleRack.ts'

const geometry = rackGeometry({ cabinets: 2, slots: 6 })
const slot = (nodeId: number, state: RackSlot['state']): RackSlot => ({ ...(SAMPLE_RACK[0] as RackSlot), nodeId, state })
const drawing = (...machines: RackSlot[]) => <RackDrawing machines={machines} places={12} geometry={geometry} />

it('lights up a slot when its machine is sold, but not initially or for a new machine', () => {
  const { container, rerender } = render(drawing(slot(1, 'idle'), slot(2, 'idle')))
  const lit = () => [...container.querySelectorAll('.animate-lit')]
  expect(lit()).toHaveLength(0)
  rerender(drawing(slot(1, 'idle'), slot(2, 'running'), slot(3, 'idle')))
  expect(lit()).toHaveLength(1)
  expect(lit()[0]?.getAttribute('x')).toBe(String(geometry.slot(1).x))
  expect(lit()[0]?.getAttribute('class')).toContain('fill-run')
})
