import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite } from './src/buildSite.ts'

const USAGE = `usage: node apps/docs/build.ts --out <dir>

Builds the guides in docs/guides into static pages below <dir>.`

try {
  const { values } = parseArgs({ options: { out: { type: 'string' }, help: { type: 'boolean', default: false } } })
  if (values.help || values.out === undefined) {
    console.log(USAGE)
    process.exitCode = values.help ? 0 : 2
  } else buildSite(resolve(values.out))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
