import { basename, delimiter, dirname, join } from 'node:path'

/**
 * A PATH with the sbin beside each of its bins. A shell that `su` opens has no sbin, where the firewall and the file systems' programs are.
 *
 * @example sbinBeside('/usr/bin:/bin') // '/usr/bin:/bin:/usr/sbin:/sbin'
 */
export function sbinBeside(path: string | undefined): string {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '')
  const beside = folders.filter((folder) => basename(folder) === 'bin').map((folder) => join(dirname(folder), 'sbin'))
  return [...new Set([...folders, ...beside])].join(delimiter)
}
