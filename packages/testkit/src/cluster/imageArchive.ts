import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface ImageConfig {
  Env?: string[]
  Cmd?: string[]
  Entrypoint?: string[]
  User?: string
  WorkingDir?: string
}

/** Imports an image of one layer into containerd: the whole root as a tar file, under a name that the kubelet finds it by. */
export async function importImage(socket: string, rootTar: string, name: string, config: ImageConfig): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-image-'))
  try {
    const digest = createHash('sha256')
    for await (const chunk of createReadStream(rootTar)) digest.update(chunk as Buffer)
    const diffId = `sha256:${digest.digest('hex')}`
    const image = { architecture: 'amd64', os: 'linux', config, rootfs: { type: 'layers', diff_ids: [diffId] } }
    writeFileSync(join(folder, 'config.json'), JSON.stringify(image))
    writeFileSync(
      join(folder, 'manifest.json'),
      JSON.stringify([{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }]),
    )
    symlinkSync(rootTar, join(folder, 'layer.tar'))
    const tar = spawn('tar', ['-chf', '-', '-C', folder, 'manifest.json', 'config.json', 'layer.tar'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ctr = spawn('ctr', ['--address', socket, '-n', 'k8s.io', 'images', 'import', '-'], {
      stdio: [tar.stdout, 'pipe', 'pipe'],
    })
    tar.stdout.destroy()
    const said: Buffer[] = []
    for (const stream of [ctr.stdout, ctr.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk))
    const code = await new Promise<number | null>((resolve) => ctr.once('close', resolve))
    if (code !== 0) throw new Error(`containerd does not take ${name}: ${Buffer.concat(said)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A root filesystem with a single program. */
export function rootOfOneProgram(program: string, folder: string): string {
  const file = join(folder, 'root.tar')
  execFileSync('tar', ['-cf', file, '--transform', 's|.*/||', '--absolute-names', program])
  return file
}
