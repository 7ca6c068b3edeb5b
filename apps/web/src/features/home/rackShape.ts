/** How many cabinets stand beside each other and how many slots each has. */
export interface RackShape {
  cabinets: number
  slots: number
}

const SHAPES: readonly RackShape[] = [
  { cabinets: 2, slots: 6 },
  { cabinets: 3, slots: 8 },
  { cabinets: 4, slots: 13 },
  { cabinets: 6, slots: 20 },
  { cabinets: 8, slots: 26 },
  { cabinets: 10, slots: 33 },
  { cabinets: 13, slots: 43 },
  { cabinets: 17, slots: 60 },
]

/** The roomiest rack that holds all machines; beyond 1,020 the last one is full. */
export function rackShape(machines: number): RackShape {
  const largest = { cabinets: 17, slots: 60 }
  return SHAPES.find((shape) => shape.cabinets * shape.slots >= machines) ?? largest
}
