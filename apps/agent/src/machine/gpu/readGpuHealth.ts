/** What a card reports; undefined for values that it does not. */
export interface GpuReading {
  /** NVIDIA's UUID. */
  id: string
  /** `0000:01:00`, without the function. */
  bus: string
  usePercent: number | undefined
  memoryUsedMb: number | undefined
  memoryMb: number | undefined
  celsius: number | undefined
  watts: number | undefined
  /** Uncorrectable memory errors since the driver started. */
  eccErrors: number | undefined
}

/** Long-established fields only: a field unknown to the driver makes the whole query fail. */
export const HEALTH_FIELDS = [
  'uuid',
  'pci.bus_id',
  'utilization.gpu',
  'memory.used',
  'memory.total',
  'temperature.gpu',
  'power.draw',
  'ecc.errors.uncorrected.volatile.total',
] as const

/** The output of `nvidia-smi --query-gpu=… --format=csv,noheader,nounits`. A lost card has a sentence instead of a CSV line. */
export function parseGpuReadings(output: string): GpuReading[] {
  return output.split('\n').flatMap((line) => {
    const [id = '', bus = '', ...rest] = line.split(',').map((field) => field.trim())
    if (!id.startsWith('GPU-') || rest.length !== HEALTH_FIELDS.length - 2) return []
    const [usePercent, memoryUsedMb, memoryMb, celsius, watts, eccErrors] = rest.map(numberOf)
    return [{ id, bus: busOf(bus), usePercent, memoryUsedMb, memoryMb, celsius, watts, eccErrors }]
  })
}

const numberOf = (text: string): number | undefined => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined)

/** nvidia-smi writes `00000000:01:00.0`, the kernel `0000:01:00`. */
const busOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\.\d$/, '')
    .replace(/^0000(?=[0-9a-f]{4}:)/, '')

/**
 * The temperature from which each card throttles, by PCI bus, from the output of `nvidia-smi -q -d TEMPERATURE`. Cards that do not report
 * that temperature report their distance from it.
 */
export function parseSlowdowns(output: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const part of output.split(/^GPU (?=[0-9A-Fa-f]{8}:)/m).slice(1)) {
    const celsius = (name: string) => {
      const [, figure] = new RegExp(`^\\s*${name}\\s*: (-?\\d+) C\\s*$`, 'm').exec(part) ?? []
      return figure === undefined ? undefined : Number(figure)
    }
    const current = celsius('GPU Current Temp')
    const margin = celsius('GPU T.Limit Temp')
    const byMargin = current === undefined || margin === undefined ? undefined : current + margin
    const slows =
      celsius('GPU Target Temperature') ?? celsius('GPU Max Operating Temp') ?? byMargin ?? celsius('GPU Slowdown Temp')
    const [bus = ''] = part.split('\n')
    if (slows !== undefined) found.set(busOf(bus.trim()), slows)
  }
  return found
}

export interface Xid {
  bus: string
  xid: number
  /** The line of the kernel log, with its timestamp: distinguishes repeated errors. */
  line: string
}

/** `[  512.103] NVRM: Xid (PCI:0000:01:00): 79, pid=…, GPU has fallen off the bus.` */
export function parseXids(kernelLog: string): Xid[] {
  return [...kernelLog.matchAll(/^.*NVRM: Xid \(PCI:([0-9a-fA-F:.]+)\): (\d+),.*$/gm)].map(([line, bus = '', xid]) => ({
    bus: busOf(bus),
    xid: Number(xid),
    line,
  }))
}

/**
 * Errors from which a card does not recover by itself (NVIDIA, "XID Errors"): memory that could not be corrected or remapped, fallen off
 * the bus, its own processor not responding. Others are mostly a tenant's own fault.
 */
const FATAL_XIDS: ReadonlySet<number> = new Set([48, 64, 79, 95, 119, 120, 140])
/** Cards throttle well below this and shut down slightly above it. */
const TOO_HOT_CELSIUS = 95

export interface CardProblem {
  text: string
  /** The problem does not go away by itself. */
  lasting: boolean
}

/** What is wrong with a card by its latest reading, the kernel's errors since the watch began, and its first reading. */
export function judgeCard(
  now: GpuReading | undefined,
  xids: readonly Xid[],
  first: GpuReading | undefined,
): CardProblem | undefined {
  const bus = (now ?? first)?.bus
  const fatal = xids.find((one) => one.bus === bus && FATAL_XIDS.has(one.xid))
  if (fatal) return { text: `the driver reports XID ${fatal.xid}`, lasting: true }
  if (!now) return { text: 'nvidia-smi no longer finds it', lasting: false }
  const errors = (now.eccErrors ?? 0) - (first?.eccErrors ?? 0)
  if (errors > 0) return { text: `${errors} errors of its memory could not be corrected`, lasting: true }
  if ((now.celsius ?? 0) >= TOO_HOT_CELSIUS) return { text: `it is ${now.celsius} °C hot`, lasting: false }
  return undefined
}
