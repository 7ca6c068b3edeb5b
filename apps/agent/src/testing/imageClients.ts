import type Docker from 'dockerode'
import { runCommand } from '../foundation/runCommand.ts'
import { imageConfigOf } from '../runtime/engine/imageConfig.ts'
import { libpod } from '../runtime/engine/libpod.ts'

const IN_IMAGE = `
t=/mnt
mount -t tmpfs tmpfs "$t"
mkdir "$t/upper" "$t/work" "$t/root"
mount -t overlay overlay -o "lowerdir=$1,upperdir=$t/upper,workdir=$t/work" "$t/root"
mount --bind /dev "$t/root/dev"
mount --bind "$2" "$t/root/mnt"
cd /
exec chroot "$t/root" /bin/sh -ec "$3"
`

/**
 * Runs programs of an image like an outside user, on this machine's network: no client needs to be installed here. Their files are
 * discarded, except in `/mnt`, which is `folder`.
 */
export async function imageClients(docker: Docker, imageId: string, folder: string) {
  const { layers } = imageConfigOf(await libpod(docker, 'GET', `/images/${imageId}/json`))
  return async (line: string): Promise<string> => {
    const args = ['--mount', '--propagation', 'private', 'sh', '-ec', IN_IMAGE, 'client', layers.join(':'), folder, line]
    const { code, stdout, stderr } = await runCommand('unshare', args, { timeoutMs: 120_000 })
    return code === 0 ? stdout : `code ${code}: ${stdout}${stderr}`
  }
}
