import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

interface Installed {
  folder: string
  manifest: { name: string; version: string }
}

/** A registry on loopback that serves the packages installed in a checkout, so that npm installs from it as from the public one. */
export async function startRegistry(root: string): Promise<{ url: string; close: () => void }> {
  const store = join(root, 'node_modules', '.pnpm')
  const folders = Map.groupBy(readdirSync(store), nameOf)
  const named = (name: string): Installed[] =>
    (folders.get(name) ?? []).map((entry) => {
      const folder = join(store, entry, 'node_modules', name)
      return { folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Installed['manifest'] }
    })
  const server = createServer((request, response) => {
    const [name = '', version] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/')
    const found = named(name)
    response.statusCode = found.length > 0 ? 200 : 404
    if (version === undefined) return void response.end(JSON.stringify(listOf(name, found)))
    const folder = found.find(({ manifest }) => `${manifest.version}.tgz` === version)?.folder ?? ''
    // npm drops hard links, which is how the store keeps equal files.
    const packed = ['-c', '--use-compress-program=gzip -1', '--hard-dereference', '--exclude=./node_modules']
    const tar = spawn('tar', [...packed, '--transform=s,^\\.,package,', '-C', folder, '.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    tar.stdout.pipe(response)
  })
  const listOf = (name: string, found: readonly Installed[]) => ({
    name,
    'dist-tags': { latest: found.at(-1)?.manifest.version },
    versions: Object.fromEntries(
      found.map(({ manifest }) => [
        manifest.version,
        { ...manifest, dist: { tarball: `${url}/${name}/-/${manifest.version}.tgz` } },
      ]),
    ),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close() }
}

/** `@noble+curves@1.9.1` -> `@noble/curves`, as pnpm names the folders of its store. */
const nameOf = (entry: string): string => entry.replace(/(?<=.)@.*$/, '').replace('+', '/')
