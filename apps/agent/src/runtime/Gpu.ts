/** A whole card, or a MIG slice of one: the unit that an order gets exclusively. */
export interface Gpu {
  /** Stable across reboots, even if another card is removed: NVIDIA's UUID, otherwise vendor and number. */
  id: string
  /** `sample`: a simulated GPU; nothing is passed to a container. */
  vendor: 'nvidia' | 'amd' | 'sample'
  /** As listed on the market. */
  model: string
  memoryMb: number
  /** The vendor's number for it since boot, as in CDI: `0`, and `0:1` for a slice. */
  device: string
  /** The `id` of the card that it is, or is a slice of. */
  card: string
}
