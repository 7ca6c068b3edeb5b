import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'
import { filesOf } from './filesOf.ts'

const APP = '/src/app/routes/Home.tsx'
const LIST = '/src/app/routes/NodeList.tsx'
/**
 * kB, gzip: what runs before an untouched page responds, and what the first interaction adds to every page; a few percent above the current
 * size, and what a press on Buy waits for, in files too, since a slow line brings few of them at a time. `beside` is loaded before.
 */
const BUDGETS = [
  { module: APP, kB: 112 },
  { module: '/src/app/routes/Status.tsx', kB: 109 },
  { module: LIST, kB: 137 },
  { module: '/src/app/routes/AddOrder.tsx', beside: LIST, kB: 150, files: 10 },
  { module: '/src/wallet/session/index.ts', beside: APP, kB: 50 },
] as const

/** Fails a build that exceeds its budget: one wrong import pulls in half a library. */
export function budgets(): Plugin {
  return {
    name: 'budgets',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    enforce: 'post',
    generateBundle(_options, bundle) {
      const over = BUDGETS.flatMap(({ module, kB, ...rest }) => {
        const most = 'files' in rest ? rest.files : Number.POSITIVE_INFINITY
        const there = new Set('beside' in rest ? filesOf(bundle, rest.beside) : [])
        const files = filesOf(bundle, module).filter((file) => !there.has(file))
        const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0)
        const isWithin = bytes <= kB * 1000 && files.length <= most
        return isWithin
          ? []
          : [`${module}: ${(bytes / 1000).toFixed(1)} kB instead of ${kB}, in ${files.length} files of ${most}\n${list(files)}`]
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
