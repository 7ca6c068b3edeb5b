import type { RackShape } from './rackShape.ts'

/** The drawing's own units; the picture scales to its column. */
export const RACK_WIDTH = 588
export const RACK_HEIGHT = 414

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Where everything of a rack stands. */
export function rackGeometry(shape: RackShape) {
  const gap = Math.min(10, 80 / shape.cabinets)
  const inset = Math.min(10, 90 / shape.cabinets)
  const width = (RACK_WIDTH - gap * (shape.cabinets - 1)) / shape.cabinets
  const pitch = (RACK_HEIGHT - 2 * inset) / shape.slots
  const height = pitch * 0.74
  return {
    /** Slots so large that a name stands in them. */
    named: shape.cabinets <= 3,
    cabinets: Array.from(
      { length: shape.cabinets },
      (_, index): Box => ({
        x: index * (width + gap),
        y: 0,
        width,
        height: RACK_HEIGHT,
      }),
    ),
    /** The place of the machine with this number, filling cabinet after cabinet from the top. */
    slot: (index: number): Box => {
      const cabinet = index % shape.cabinets
      const row = Math.floor(index / shape.cabinets)
      return {
        x: cabinet * (width + gap) + inset * 0.6,
        y: inset + row * pitch + (pitch - height) / 2,
        width: width - inset * 1.2,
        height,
      }
    },
    /** The machine under a point of the drawing, or undefined between them. */
    indexAt: (x: number, y: number): number | undefined => {
      const cabinet = Math.floor(x / (width + gap))
      const row = Math.floor((y - inset) / pitch)
      if (cabinet < 0 || cabinet >= shape.cabinets || row < 0 || row >= shape.slots) return undefined
      return x - cabinet * (width + gap) > width ? undefined : row * shape.cabinets + cabinet
    },
  }
}

export type RackGeometry = ReturnType<typeof rackGeometry>
