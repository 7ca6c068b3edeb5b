import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { MAX_MODEL_BYTES } from '@rackfair/rules/limits'
import { runCommand } from '../../foundation/runCommand.ts'
import type { Gpu } from '../../runtime/Gpu.ts'
import { cutToBytes, gpuModelName } from '../detect/modelNames.ts'

const PROC = '/proc/driver/nvidia/gpus'
const KERNEL_DRIVER = '/proc/driver/nvidia/version'
const QUERY_MS = 10_000

export async function detectGpus(): Promise<Gpu[]> {
  const [query, list, rocm] = await Promise.all([
    runCommand('nvidia-smi', ['--query-gpu=index,uuid,memory.total,name', '--format=csv,noheader,nounits'], {
      timeoutMs: QUERY_MS,
    }),
    runCommand('nvidia-smi', ['-L'], { timeoutMs: QUERY_MS }),
    runCommand('rocm-smi', ['--showproductname', '--showmeminfo', 'vram', '--json'], { timeoutMs: QUERY_MS }),
  ])
  const nvidia =
    query.code === 0 ? withSlices(parseNvidiaQuery(query.stdout), list.code === 0 ? list.stdout : '') : nvidiaOfKernel()
  return [...nvidia, ...(rocm.code === 0 ? parseRocmSmi(rocm.stdout) : [])]
}

/** The version of the NVIDIA driver, as its tool says it, or else the kernel; undefined without one. */
export async function nvidiaDriver(): Promise<string | undefined> {
  const asked = await runCommand('nvidia-smi', ['--query-gpu=driver_version', '--format=csv,noheader'], { timeoutMs: QUERY_MS })
  return readDriver(asked.code === 0 ? asked.stdout : existsSync(KERNEL_DRIVER) ? readFileSync(KERNEL_DRIVER, 'utf8') : '')
}

/** From the answer of `nvidia-smi`, one line for each GPU, or from the kernel: `NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07`. */
export function readDriver(text: string): string | undefined {
  return /(?:^|\s)(\d{2,5}\.\d{1,5}(?:\.\d{1,5})?)(?=\s|$)/.exec(text)?.[1]
}

/** `0, GPU-5d5ba0d6-…, 24564, NVIDIA GeForce RTX 4090` per line. Values that a card does not report are in brackets: `[N/A]`. */
export function parseNvidiaQuery(output: string): Gpu[] {
  return output.split('\n').flatMap((line) => {
    const [, index, uuid, memory, name] = /^\s*(\d+),\s*(GPU-[0-9a-fA-F-]+),\s*([^,]+),\s*(.+?)\s*$/.exec(line) ?? []
    if (index === undefined || uuid === undefined) return []
    return [
      { id: uuid, vendor: 'nvidia', model: gpuModelName(name ?? ''), memoryMb: Number(memory) || 0, device: index, card: uuid },
    ]
  })
}

/** A card partitioned by MIG is sold as its slices, not whole. `list` is the output of `nvidia-smi -L`. */
export function withSlices(cards: readonly Gpu[], list: string): Gpu[] {
  const slices = new Map<string, Gpu[]>()
  let card: Gpu | undefined
  for (const line of list.split('\n')) {
    const [, whole] = /^GPU \d+: .*\(UUID: (GPU-[0-9a-fA-F-]+)\)/.exec(line) ?? []
    if (whole) card = cards.find((one) => one.id === whole)
    const [, profile, number, id] = /^\s+MIG (\S+)\s+Device\s+(\d+): \(UUID: (MIG-[^)\s]+)\)/.exec(line) ?? []
    if (!card || !profile || !id) continue
    const name = ` MIG ${profile}`
    const model = cutToBytes(card.model, MAX_MODEL_BYTES - name.length) + name
    const memoryMb = Number(/\.(\d+)gb/.exec(profile)?.[1] ?? 0) * 1024
    slices.set(card.id, [
      ...(slices.get(card.id) ?? []),
      { id, vendor: 'nvidia', model, memoryMb, device: `${card.device}:${number}`, card: card.id },
    ])
  }
  return cards.flatMap((one) => slices.get(one.id) ?? [one])
}

/** Used if the driver is present, but its tool is not. */
function nvidiaOfKernel(): Gpu[] {
  if (!existsSync(PROC)) return []
  return readdirSync(PROC).map((name, index) => nvidiaOfInformation(readFileSync(`${PROC}/${name}/information`, 'utf8'), index))
}

export function nvidiaOfInformation(text: string, index: number): Gpu {
  const fact = (name: string) => new RegExp(`^${name}:\\s+(.+?)\\s*$`, 'm').exec(text)?.[1]
  const device = fact('Device Minor') ?? String(index)
  const id = fact('GPU UUID') ?? `nvidia:${device}`
  return { id, vendor: 'nvidia', model: gpuModelName(fact('Model') ?? 'NVIDIA GPU'), memoryMb: 0, device, card: id }
}

/** `{"card0": {"Card Series": "…", "VRAM Total Memory (B)": "…"}, "system": {…}}` */
export function parseRocmSmi(output: string): Gpu[] {
  try {
    const cards = JSON.parse(output) as Record<string, Record<string, string>>
    return Object.entries(cards).flatMap(([name, card]) => {
      const [, device] = /^card(\d+)$/.exec(name) ?? []
      if (device === undefined) return []
      const model = gpuModelName(card['Card Series'] ?? card['Card series'] ?? 'AMD GPU')
      const memoryMb = Math.floor((Number(card['VRAM Total Memory (B)']) || 0) / 2 ** 20)
      const id = `amd:${device}`
      return [{ id, vendor: 'amd', model, memoryMb, device, card: id }]
    })
  } catch {
    return []
  }
}
