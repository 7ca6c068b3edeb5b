import { join } from 'node:path'
import { runCommand } from '../foundation/runCommand.ts'
import { openLayerStore } from '../runtime/layers/layerStore.ts'

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
 * Runs programs of an image that the agent with this `data` has like an outside user, on this machine's network: no client needs to be installed here. Their files are
 * discarded, except in `/mnt`, which is `folder`.
 */
export function imageClients(data: string, imageId: string, folder: string) {
  const layers = openLayerStore(join(data, 'images')).find(imageId)?.layers ?? []
  return async (line: string): Promise<string> => {
    const args = ['--mount', '--propagation', 'private', 'sh', '-ec', IN_IMAGE, 'client', layers.join(':'), folder, line]
    const { code, stdout, stderr } = await runCommand('unshare', args, { timeoutMs: 120_000 })
    return code === 0 ? stdout : `code ${code}: ${stdout}${stderr}`
  }
}
