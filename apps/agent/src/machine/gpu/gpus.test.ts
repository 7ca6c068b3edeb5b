import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { amdNodes } from '../../runtime/engine/amdNodes.ts'
import { cdiNameOf, readCdiNames } from '../../runtime/engine/cdi.ts'
import { dockerGpus, gpuDevices } from '../../runtime/engine/gpuDevices.ts'
import type { Gpu } from '../../runtime/Gpu.ts'
import { createGpuWatch } from './createGpuWatch.ts'
import { nvidiaOfInformation, parseNvidiaQuery, parseRocmSmi, readDriver, withSlices } from './detectGpus.ts'
import { judgeCard, parseGpuReadings, parseSlowdowns, parseXids } from './readGpuHealth.ts'

/** In the output format of the vendors' tools; none of it was captured from a real card. */
const QUERY = `0, GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77, 24564, NVIDIA GeForce RTX 4090
1, GPU-8f6d3e21-7c41-4f6e-9a55-0c1de9b0f2aa, 40960, NVIDIA A100-SXM4-40GB
2, GPU-11111111-2222-3333-4444-555555555555, [N/A], NVIDIA GB10
`
const LIST = `GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77)
GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-8f6d3e21-7c41-4f6e-9a55-0c1de9b0f2aa)
  MIG 3g.20gb     Device  0: (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)
  MIG 1g.5gb      Device  1: (UUID: MIG-cba663e8-9bed-5b25-b243-5985ef7c9beb)
GPU 2: NVIDIA GB10 (UUID: GPU-11111111-2222-3333-4444-555555555555)
`
const HEALTH = `GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77, 00000000:01:00.0, 37, 1024, 24564, 61, 212.35, [N/A]
GPU-8f6d3e21-7c41-4f6e-9a55-0c1de9b0f2aa, 00000000:41:00.0, [N/A], 3, 40960, 34, 52.10, 0
Unable to determine the device handle for GPU2: 0000:81:00.0: GPU is lost.  Reboot the system to recover this GPU
`
const KERNEL = `[    4.211093] nvidia 0000:01:00.0: enabling device (0000 -> 0003)
[ 1812.004512] NVRM: GPU at PCI:0000:01:00: GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77
[ 1812.004519] NVRM: Xid (PCI:0000:01:00): 31, pid=4211, name=python3, Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS
[ 2950.771034] NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.
`
const ROCM =
  '{"card0": {"VRAM Total Memory (B)": "17163091968", "VRAM Total Used Memory (B)": "10940416", "Card Series": "AMD Radeon RX 7900 XTX", "Card Vendor": "Advanced Micro Devices, Inc. [AMD/ATI]"}, "system": {"Driver version": "6.7"}}'

const folder = mkdtempSync(join(tmpdir(), 'rackfair-gpus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the GPUs of a machine', () => {
  it('are identified by the UUIDs of nvidia-smi, and a MIG card by its slices', () => {
    const gpus = withSlices(parseNvidiaQuery(QUERY), LIST)
    expect(gpus.map(({ model, memoryMb, device }) => [model, memoryMb, device])).toEqual([
      ['RTX 4090', 24_564, '0'],
      ['A100-SXM4-40GB MIG 3g.20gb', 20_480, '1:0'],
      ['A100-SXM4-40GB MIG 1g.5gb', 5120, '1:1'],
      ['GB10', 0, '2'],
    ])
    expect(gpus[2]).toMatchObject({
      id: 'MIG-cba663e8-9bed-5b25-b243-5985ef7c9beb',
      card: 'GPU-8f6d3e21-7c41-4f6e-9a55-0c1de9b0f2aa',
    })
    const failed = 'NVIDIA-SMI has failed because it couldn’t communicate with the NVIDIA driver.\n'
    expect([parseNvidiaQuery(failed), parseNvidiaQuery('')]).toEqual([[], []])
    const long = withSlices(parseNvidiaQuery('0, GPU-aa, 97887, NVIDIA RTX PRO 6000 Blackwell Server Edition\n'), '')
    const slice = 'GPU 0: x (UUID: GPU-aa)\n  MIG 4g.96gb     Device  0: (UUID: MIG-bb)\n'
    expect(Buffer.byteLength(withSlices(long, slice)[0]?.model ?? '')).toBeLessThanOrEqual(31)
    expect(withSlices(long, slice)[0]?.model).toMatch(/ MIG 4g\.96gb$/)
  })

  it.each([
    ['550.90.07\n550.90.07\n', '550.90.07'],
    [
      'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\nGCC version:  gcc version 12.3.0\n',
      '535.183.01',
    ],
    ['NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06  Release Build  (dvs-builder@U22)\n', '570.124.06'],
    ['[N/A]\n', undefined],
    ['', undefined],
  ])('have a driver: %s', (text, driver) => {
    expect(readDriver(text)).toBe(driver)
  })

  it('are read from the driver without nvidia-smi, and from rocm-smi', () => {
    const information =
      'Model: \t\t NVIDIA GeForce RTX 3090\nIRQ:   \t\t 142\nGPU UUID: \t GPU-aaaaaaaa-0000-0000-0000-000000000000\nDevice Minor: \t 1\n'
    const gpu = { vendor: 'nvidia', model: 'RTX 3090', device: '1', id: 'GPU-aaaaaaaa-0000-0000-0000-000000000000' }
    expect(nvidiaOfInformation(information, 0)).toMatchObject(gpu)
    expect(parseRocmSmi(ROCM)).toEqual([
      { id: 'amd:0', vendor: 'amd', model: 'Radeon RX 7900 XTX', memoryMb: 16_368, device: '0', card: 'amd:0' },
    ])
    expect(parseRocmSmi('no JSON')).toEqual([])
  })
})

describe('passing a GPU to a container', () => {
  const gpu = (vendor: Gpu['vendor'], device: string): Gpu => ({
    ...{ id: `GPU-${vendor}-${device}`, vendor, model: 'x', memoryMb: 0, device, card: 'c' },
  })

  it('uses the CDI name by number or UUID, of its own vendor', () => {
    writeFileSync(
      join(folder, 'nvidia.yaml'),
      'cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices:\n  - name: "0"\n    containerEdits: {}\n  - name: 1:0\n  - name: GPU-nvidia-7\n',
    )
    writeFileSync(join(folder, 'amd.json'), '{"cdiVersion": "0.6.0", "kind": "amd.com/gpu", "devices": [{"name": "0"}]}')
    writeFileSync(join(folder, 'broken.json'), '{"kind": ')
    const names = readCdiNames([folder, join(folder, 'missing')])
    expect(['0', '1:0', '7', '9'].map((device) => cdiNameOf(gpu('nvidia', device), names))).toEqual([
      'nvidia.com/gpu=0',
      'nvidia.com/gpu=1:0',
      'nvidia.com/gpu=GPU-nvidia-7',
      undefined,
    ])
    expect(gpuDevices([gpu('amd', '0')], names).cdi).toEqual(['amd.com/gpu=0'])
    expect(dockerGpus([gpu('nvidia', '0'), gpu('amd', '0')], names)).toEqual({
      DeviceRequests: [{ Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=0', 'amd.com/gpu=0'] }],
    })
    expect(() => gpuDevices([gpu('nvidia', '9')], names)).toThrow('nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml')
    expect(dockerGpus([], names)).toBeUndefined()
  })

  it('uses the device files of an AMD card without CDI, and never those of another vendor', () => {
    const drm = join(folder, 'drm')
    for (const [render, card, vendor] of [
      ['renderD128', 'card0', '0x8086'],
      ['renderD129', 'card1', '0x1002'],
      ['renderD130', 'card2', '0x1002'],
    ] as const) {
      const device = join(folder, `pci-${render}`)
      mkdirSync(join(device, 'drm', card), { recursive: true })
      mkdirSync(join(device, 'drm', render))
      writeFileSync(join(device, 'vendor'), `${vendor}\n`)
      mkdirSync(join(drm, render), { recursive: true })
      symlinkSync(device, join(drm, render, 'device'))
    }
    expect(amdNodes('1', drm)).toEqual(['/dev/kfd', '/dev/dri/renderD130', '/dev/dri/card2'])
    expect(amdNodes('2', drm)).toEqual([])
  })
})

describe('the health of a card', () => {
  const [first, second] = parseGpuReadings(HEALTH)
  if (!first || !second) throw new Error('two cards')

  it('is read from nvidia-smi, even with missing values or a lost card', () => {
    expect(parseGpuReadings(HEALTH)).toHaveLength(2)
    expect(first).toEqual({
      ...{ id: 'GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77', bus: '0000:01:00', usePercent: 37, memoryUsedMb: 1024 },
      ...{ memoryMb: 24_564, celsius: 61, watts: 212.35, eccErrors: undefined },
    })
    expect([second.usePercent, second.eccErrors]).toEqual([undefined, 0])
  })

  it('derives the slowdown temperature from the driver’s limit or its margin', () => {
    const found = parseSlowdowns(`Driver Version : 550.90
GPU 00000000:01:00.0
    Temperature
        GPU Current Temp                  : 61 C
        GPU Shutdown Temp                 : 98 C
        GPU Slowdown Temp                 : 95 C
        GPU Max Operating Temp            : 93 C
        GPU Target Temperature            : 83 C
GPU 00000000:41:00.0
    Temperature
        GPU Current Temp                  : 40 C
        GPU T.Limit Temp                  : 47 C
        GPU Slowdown T.Limit Temp         : -2 C
        GPU Target Temperature            : N/A
GPU 00000000:81:00.0
    Temperature
        GPU Current Temp                  : N/A
`)
    expect([...found]).toEqual([
      ['0000:01:00', 83],
      ['0000:41:00', 87],
    ])
  })

  it('is bad when it is lost or hot, its memory fails, or the driver reports a fatal error', () => {
    const xids = parseXids(KERNEL)
    expect(xids.map((one) => [one.bus, one.xid])).toEqual([
      ['0000:01:00', 31],
      ['0000:01:00', 79],
    ])
    // A tenant's own error is not a fault of the card.
    expect(judgeCard(first, xids.slice(0, 1), first)).toBeUndefined()
    expect(judgeCard(first, xids, first)).toEqual({ text: 'the driver reports XID 79', lasting: true })
    expect(judgeCard(undefined, xids, first)).toMatchObject({ lasting: true })
    expect(judgeCard(second, xids, second)).toBeUndefined()
    expect(judgeCard(undefined, [], first)).toEqual({ text: 'nvidia-smi no longer finds it', lasting: false })
    expect(judgeCard({ ...first, celsius: 95 }, [], first)).toEqual({ text: 'it is 95 °C hot', lasting: false })
    expect(judgeCard({ ...second, eccErrors: 2 }, [], { ...second, eccErrors: 2 })).toBeUndefined()
    expect(judgeCard({ ...second, eccErrors: 3 }, [], { ...second, eccErrors: 2 })).toMatchObject({ lasting: true })
  })
})

describe('GPU monitoring', () => {
  const path = process.env.PATH
  const bin = join(folder, 'bin')
  const [health, kernel] = [join(bin, 'health'), join(bin, 'kernel')]
  const GPUS = parseNvidiaQuery(QUERY).slice(0, 2)
  const [RTX, A100] = GPUS.map((one) => one.id) as [string, string]
  const script = (name: string, body: string) => writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  afterAll(() => {
    process.env.PATH = path
  })

  it('waits for a third poll after transient errors, trusts the kernel at once, and reports each error once', async () => {
    mkdirSync(bin)
    process.env.PATH = `${bin}:${path}`
    // One lost card makes the query for all of them fail.
    script('nvidia-smi', `case "$*" in *-i*) grep "^$2" ${health} ;; *) cat ${health}; ! grep -q lost ${health} ;; esac`)
    script('dmesg', `cat ${kernel}`)
    writeFileSync(kernel, KERNEL)
    writeFileSync(health, HEALTH.split('\n').slice(0, 2).join('\n'))
    const said: string[] = []
    let changes = 0
    const log = sayingLog((message, facts) => said.push(`${message} ${facts?.xid ?? ''}`.trim()))
    const watch = createGpuWatch({ gpus: GPUS, log, onChange: () => (changes += 1) })
    const problems = () => GPUS.map((one) => watch.problemOf(one.id))

    await watch.poll()
    expect([problems(), said]).toEqual([[undefined, undefined], []])
    expect(watch.readingOf(GPUS[1] as Gpu)?.watts).toBe(52.1)

    writeFileSync(health, `${HEALTH.split('\n')[0]}\n${HEALTH.split('\n')[2]}\n`)
    await watch.poll()
    await watch.poll()
    expect(problems()).toEqual([undefined, undefined])
    await watch.poll()
    expect(problems()).toEqual([undefined, 'nvidia-smi no longer finds it'])
    expect([watch.problemOf(RTX), watch.problemOf(A100), changes]).toEqual([undefined, expect.any(String), 1])

    writeFileSync(health, HEALTH.split('\n').slice(0, 2).join('\n'))
    const fault = 'NVRM: Xid (PCI:0000:01:00): 31, pid=1, MMU Fault'
    writeFileSync(kernel, `${KERNEL}[ 3000.1] ${fault}\n[ 3000.2] ${fault}\n`)
    await watch.poll()
    expect(problems()).toEqual([undefined, undefined])
    writeFileSync(kernel, `${KERNEL}[ 3000.2] ${fault}\n[ 3001.1] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\n`)
    await watch.poll()
    writeFileSync(kernel, '')
    await watch.poll()
    expect(problems()).toEqual(['the driver reports XID 79', undefined])
    expect(said).toEqual([
      'a GPU cannot be used; no order gets it, and its node is taken off the market',
      'the NVIDIA driver reports an error 31',
      'a GPU works again',
      'the NVIDIA driver reports an error 79',
      'a GPU cannot be used; no order gets it, and its node is taken off the market',
    ])
  })
})
