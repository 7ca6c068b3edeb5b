import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildOnce } from '../../../scripts/build/buildOnce.ts'
import { LIBRARIES } from '../../../scripts/build/libraries.ts'
import { runNode } from '../../../scripts/build/runNode.ts'

const INPUTS = [
  'apps/web/index.html',
  'apps/web/public',
  'apps/web/src',
  'apps/web/vite',
  'apps/web/vite.config.ts',
  'apps/docs/build.ts',
  'apps/docs/src',
  'presets/catalog.json',
  ...LIBRARIES,
  'docs',
  'examples',
  'pnpm-lock.yaml',
]

/** Builds the web app with the guides below /docs unless these exact sources were already built. Returns the folder to serve. */
export function buildWeb(root: string, onStart: () => void): Promise<string> {
  const make = async (folder: string) => {
    const web = join(root, 'apps', 'web')
    const vite = join(dirname(createRequire(join(web, 'package.json')).resolve('vite/package.json')), 'bin', 'vite.js')
    await runNode(web, [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'], 'The web app')
    await runNode(root, [join(root, 'apps', 'docs', 'build.ts'), '--out', join(folder, 'docs')], 'The guides')
  }
  return buildOnce(root, { name: 'web', inputs: INPUTS, entry: 'index.html', make }, onStart)
}

if (import.meta.main) await buildWeb(join(import.meta.dirname, '../../..'), () => console.log('Building the web app ...'))
