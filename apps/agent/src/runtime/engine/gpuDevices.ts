import { AppError } from '@rackfair/rules/errors/AppError'
import type { Gpu } from '../Gpu.ts'
import { amdNodes } from './amdNodes.ts'
import { cdiNameOf, readCdiNames } from './cdi.ts'

/** How a container is given its GPUs: by their CDI names, else, with AMD, by their device files. */
interface GpuDevices {
  cdi: string[]
  files: string[]
}

/** @throws AppError `gpu_unavailable` for a GPU that no engine of this machine can give to a container. */
export function gpuDevices(gpus: readonly Gpu[], names: ReadonlySet<string> = readCdiNames()): GpuDevices {
  const devices: GpuDevices = { cdi: [], files: [] }
  for (const gpu of gpus.filter(({ vendor }) => vendor !== 'sample')) {
    const name = cdiNameOf(gpu, names)
    const files = name || gpu.vendor !== 'amd' ? [] : amdNodes(gpu.device)
    if (!name && files.length === 0) throw new AppError('gpu_unavailable', howToOffer(gpu))
    if (name) devices.cdi.push(name)
    devices.files.push(...files)
  }
  return { cdi: devices.cdi, files: [...new Set(devices.files)] }
}

const howToOffer = ({ vendor, model, device }: Gpu): string =>
  vendor === 'nvidia'
    ? `no CDI file names ${model} (nvidia.com/gpu=${device}); run: nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml`
    : `neither CDI nor /dev/dri has ${model} (amd.com/gpu=${device}); load the amdgpu driver, or run: amd-ctk cdi generate`

/** For podman's own API. The one that imitates Docker's takes the name of a device for the path of a file. */
export function podmanGpus(gpus: readonly Gpu[]): { devices: { path: string }[] } | undefined {
  if (gpus.length === 0) return undefined
  const { cdi, files } = gpuDevices(gpus)
  return { devices: [...cdi, ...files].map((path) => ({ path })) }
}

/** For Docker's API, which knows CDI since 25 (`features.cdi` of its daemon). */
export function dockerGpus(gpus: readonly Gpu[], names?: ReadonlySet<string>) {
  if (gpus.length === 0) return undefined
  const { cdi, files } = gpuDevices(gpus, names)
  return {
    ...(cdi.length > 0 ? { DeviceRequests: [{ Driver: 'cdi', DeviceIDs: cdi }] } : {}),
    ...(files.length > 0
      ? { Devices: files.map((path) => ({ PathOnHost: path, PathInContainer: path, CgroupPermissions: 'rwm' })) }
      : {}),
  }
}
