import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { builtProgram } from './builtProgram.ts'
import { PROGRAMS, type ProgramName } from './programs.ts'

/** Threads and processes that a program starts from files of its own. */
const STARTED: Record<ProgramName, readonly string[]> = {
  agent: ['hardware-measureProcess', 'hardware-rowThread', 'layers-unpackProcess'],
  platform: ['indexer-worker', 'pages-worker'],
  monitor: [],
  edge: [],
  cli: [],
  action: [],
  mcp: [],
  x402: [],
}

test.each(Object.keys(PROGRAMS) as ProgramName[])('%s has the files of all its threads next to it', async (name) => {
  const folder = dirname(await builtProgram(name))
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'))
  const named = files.flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/new URL\(["'`](\.\/[^"'`]+\.(?:mjs|ts))["'`], import\.meta\.url\)/g),
    ].map(([, place = '']) => place),
  )
  for (const place of named) expect(existsSync(join(folder, place)), place).toBe(true)
  for (const started of STARTED[name]) expect(named.some((place) => place.startsWith(`./${started}-`))).toBe(true)
})
