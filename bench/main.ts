import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Runs the benchmarks: each is a program of its own in a folder here that prints a table with its peer. */
const here = dirname(fileURLToPath(import.meta.url))
const all = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .flatMap((folder) =>
    readdirSync(join(here, folder.name))
      .filter((file) => file.endsWith('.bench.ts'))
      .map((file) => `${folder.name}/${file.replace('.bench.ts', '')}`),
  )
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${all.join(', ')}`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n## ${name}\n`)
  const { status } = spawnSync(process.execPath, [join(here, `${name}.bench.ts`)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
