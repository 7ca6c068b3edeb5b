/** Values that stand at an axis, lowest first, and where it ends. */
export interface Scale {
  from: number
  top: number
  ticks: number[]
}

const STEPS = [1, 2, 2.5, 5, 10]
const ROOM_ABOVE = 1.15
/** The numbers that an agent announces can be too small for ticks between them, or too large for room above them. */
const MIN_LENGTH = 1e-6
const MAX_TOP = 1e300

/**
 * An axis that holds every value and what was bought, and ends above it. Without a limit it is at least one unit long.
 *
 * @example
 * chartScale({ from: 0, highest: 53, limit: 128 }) // { from: 0, top: 147.2, ticks: [0, 50, 100] }
 */
export function chartScale({ from, highest, limit }: { from: number; highest: number; limit: number | undefined }): Scale {
  const length = Math.max(MIN_LENGTH, Math.max(highest, limit || from + 1) - from)
  const top = Math.min(MAX_TOP, from + length * ROOM_ABOVE)
  const rough = (top - from) / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (STEPS.find((one) => one * power >= rough) ?? 10) * power
  const ticks = []
  for (let index = 0; from + index * step < top; index += 1) ticks.push(from + index * step)
  return { from, top, ticks }
}

export interface Plot {
  /** Unix seconds at the left and at the right edge. */
  from: number
  to: number
  /** Where nothing was measured for longer than so many seconds, nothing is drawn. */
  gap: number
  scale: Scale
}
/** In the box that charts are drawn in; it is stretched to its place. */
export const PLOT_WIDTH = 1000
export const PLOT_HEIGHT = 100

/** The stretches of a line that have no gap, as corners in the box. */
export function lineStretches(
  points: readonly { time: number; value: number | undefined }[],
  { from, to, gap, scale }: Plot,
): [x: number, y: number][][] {
  const stretches: [number, number][][] = []
  let before: number | undefined
  for (const { time, value } of points) {
    if (value === undefined || time < from) {
      before = undefined
      continue
    }
    if (before === undefined || time - before > gap) stretches.push([])
    stretches
      .at(-1)
      ?.push([((time - from) / (to - from)) * PLOT_WIDTH, (1 - (value - scale.from) / (scale.top - scale.from)) * PLOT_HEIGHT])
    before = time
  }
  return stretches
}

const corner = ([x, y]: [number, number]) => `${x.toFixed(1)} ${y.toFixed(1)}`
/** As an SVG path. A stretch of one point is a dot. */
export const strokePath = (stretches: [number, number][][]): string =>
  stretches.map((corners) => `M${corners.map(corner).join('L')}${corners.length === 1 ? 'h0.1' : ''}`).join('')
/** Closed at the bottom, to be filled. */
export const areaPath = (stretches: [number, number][][]): string =>
  stretches
    .filter((corners) => corners.length > 1)
    .map((corners) => `M${corners[0]?.[0].toFixed(1)} ${PLOT_HEIGHT}L${corners.map(corner).join('L')}V${PLOT_HEIGHT}Z`)
    .join('')
