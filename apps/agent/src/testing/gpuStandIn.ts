import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../foundation/runCommand.ts'

const CDI = '/var/run/cdi'

/**
 * Fake NVIDIA cards: an `nvidia-smi` for this process and its children that reports them, and a CDI file with which every engine gives a
 * container a device that discards all input (like /dev/null) and a tool that names it. Numbers and UUIDs exist only in this stand-in.
 */
export async function gpuStandIn(cards: readonly { name: string; broken?: boolean }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-gpu-'))
  const tag = randomBytes(4).toString('hex')
  const first = randomInt(1000, 900_000)
  const gpus = cards.map(({ name, broken = false }, at) => ({
    ...{ name, broken, index: first + at, uuid: `GPU-${tag}-0000-0000-0000-00000000000${at}` },
    file: `/dev/rackfair-${tag}-${at}`,
  }))
  const health = join(folder, 'health')
  const path = process.env.PATH
  const script = (file: string, body: string) => writeFileSync(join(folder, file), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  const print = (lines: readonly string[]) => `printf '${lines.map((line) => `${line}\\n`).join('')}'`
  const listOf = (some: typeof gpus) => some.map((one) => `GPU ${one.index}: NVIDIA ${one.name} (UUID: ${one.uuid})`)

  script(
    'nvidia-smi',
    `case "$*" in
  -L) ${print(listOf(gpus))} ;;
  *query-gpu=index*) ${print(gpus.map((one) => `${one.index}, ${one.uuid}, 24564, NVIDIA ${one.name}`))} ;;
  *) cat ${health} ;;
esac`,
  )
  const tell = (celsius: readonly number[]) =>
    writeFileSync(
      health,
      gpus.map((one, at) => `${one.uuid}, 00000000:0${at + 1}:00.0, 7, 512, 24564, ${celsius[at]}, 41.70, 0\n`).join(''),
    )
  tell(gpus.map(() => 40))
  mkdirSync(CDI, { recursive: true })
  const spec = join(CDI, `rackfair-${tag}.json`)
  for (const gpu of gpus) {
    if (!gpu.broken) await runCommand('mknod', ['-m', '666', gpu.file, 'c', '1', '3'])
    script(`inside-${gpu.index}`, print(listOf([gpu])))
  }
  writeFileSync(
    spec,
    JSON.stringify({
      cdiVersion: '0.5.0',
      kind: 'nvidia.com/gpu',
      devices: gpus.map((gpu) => ({
        name: String(gpu.index),
        containerEdits: {
          deviceNodes: [{ path: gpu.file, type: 'c', major: 1, minor: 3, permissions: 'rw' }],
          env: [`STAND_IN=${gpu.index}`],
          mounts: [
            {
              ...{ hostPath: join(folder, `inside-${gpu.index}`), containerPath: '/usr/bin/nvidia-smi' },
              options: ['ro', 'nosuid', 'nodev', 'bind'],
            },
          ],
        },
      })),
    }),
  )
  process.env.PATH = `${folder}:${path}`
  return {
    gpus,
    /** Sets the reported temperatures from now on. */
    tell,
    close() {
      process.env.PATH = path
      rmSync(spec, { force: true })
      for (const gpu of gpus) rmSync(gpu.file, { force: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
