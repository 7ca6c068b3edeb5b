import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Gpu } from '../../runtime/Gpu.ts'
import type { RunSpec } from '../../runtime/RunSpec.ts'
import type { Runtime } from '../../runtime/Runtime.ts'

/** An order id that no market uses. */
export const GPU_TEST_ORDER = 18_446_744_073_709_551_614n
const MEMORY_BYTES = 512 * 2 ** 20
const DISK_BYTES = 64 * 2 ** 20
const MAX_WAIT_MS = 60_000

/** NVIDIA's own tool is injected into the container with the device; for AMD it is enough that the device files can be opened. */
const COMMANDS: Readonly<Record<Gpu['vendor'], string>> = {
  sample: 'true',
  nvidia: 'nvidia-smi -L',
  amd: 'exec 3<>/dev/kfd && ls /dev/dri',
}

export interface GpuTrial {
  runtime: Runtime
  /** Any application with a shell; only its image is used. */
  app: RunSpec
  imageId: string
  /** A slot that no order uses. */
  slot: number
}

/**
 * Runs a container with one GPU as an order gets it, and identifies the GPU from inside. Returns the output.
 * @throws AppError `gpu_unavailable` if it does not start, or sees another GPU.
 */
export async function tryGpu({ runtime, app: base, imageId, slot }: GpuTrial, gpu: Gpu): Promise<string> {
  const command = ['/bin/sh', '-c', `${COMMANDS[gpu.vendor]} 2>&1`]
  const app: RunSpec = { ...base, command, args: undefined, volumes: [] }
  const orderId = GPU_TEST_ORDER
  try {
    const allowance = { cores: 1, memoryBytes: MEMORY_BYTES, diskBytes: DISK_BYTES, gpus: [gpu] }
    await runtime.create({ orderId, deploymentId: 'gpu-test', slot, app, env: {}, allowance }, imageId)
    await runtime.start(orderId)
    const said = await untilEnded(runtime, orderId)
    if (gpu.vendor === 'nvidia' && !said.includes(gpu.id))
      throw new AppError('gpu_unavailable', 'a container does not see it', {
        cause: `nvidia-smi does not show ${gpu.id}: ${said.slice(-200)}`,
      })
    return said
  } catch (cause) {
    if (cause instanceof AppError && cause.code === 'gpu_unavailable') throw cause
    throw new AppError('gpu_unavailable', 'a container with it cannot be started', { cause })
  } finally {
    await runtime.remove(orderId, { wipe: true }).catch(() => {})
  }
}

async function untilEnded(runtime: Runtime, orderId: bigint): Promise<string> {
  const deadline = performance.now() + MAX_WAIT_MS
  for (;;) {
    const there = await runtime.find(orderId)
    if (!there) throw new AppError('gpu_unavailable', 'its container is gone')
    if (!there.running) {
      const said = (await runtime.logs(orderId, 20)).trim()
      if (there.exitCode === 0) return said
      throw new AppError('gpu_unavailable', 'it does not work in a container', { cause: said.slice(-200) })
    }
    if (performance.now() > deadline) throw new AppError('gpu_unavailable', 'it does not answer in a container')
    await sleep(100)
  }
}
