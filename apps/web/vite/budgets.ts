import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'
import { filesOf } from './filesOf.ts'

const APP = '/src/app/routes/Home.tsx'
/**
 * kB, gzip: what is run before a page that nobody has touched yet answers, and what the first sign of a person adds to every page. A few
 * per cent above what it is now. `beside` is there before.
 */
const BUDGETS = [
  { module: APP, kB: 112 },
  { module: '/src/app/routes/Status.tsx', kB: 109 },
  { module: '/src/app/routes/NodeList.tsx', kB: 132 },
  { module: '/src/wallet/runtime/index.ts', beside: APP, kB: 50 },
] as const

/** Ends a build that would send more than was agreed: one import in the wrong place brings half a library. */
export function budgets(): Plugin {
  return {
    name: 'budgets',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    enforce: 'post',
    generateBundle(_options, bundle) {
      const over = BUDGETS.flatMap(({ module, kB, ...rest }) => {
        const there = new Set('beside' in rest ? filesOf(bundle, rest.beside) : [])
        const files = filesOf(bundle, module).filter((file) => !there.has(file))
        const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0)
        return bytes <= kB * 1000 ? [] : [`${module}: ${(bytes / 1000).toFixed(1)} kB instead of ${kB}\n${list(files)}`]
      })
      if (over.length > 0) this.error(`Over the budget (gzip)\n${over.join('\n')}`)
    },
  }
}

const sizeOf = (file: Rolldown.OutputChunk) => gzipSync(file.code, { level: 9 }).length

function list(files: readonly Rolldown.OutputChunk[]): string {
  const sizes = files.map((file) => ({ name: file.fileName, bytes: sizeOf(file) })).toSorted((one, two) => two.bytes - one.bytes)
  return sizes.map(({ name, bytes }) => `  ${(bytes / 1000).toFixed(1)} ${name}`).join('\n')
}
