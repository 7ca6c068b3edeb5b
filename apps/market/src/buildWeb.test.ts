import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { buildWeb } from './buildWeb.ts'

it('puts a compressed form beside every script and stylesheet', async () => {
  const folder = join(await buildWeb(join(import.meta.dirname, '../../..'), () => {}), 'assets')
  const files = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name))
  expect(files.length).toBeGreaterThan(50)
  for (const name of files) {
    const file = join(folder, name)
    expect(brotliDecompressSync(readFileSync(`${file}.br`)).equals(readFileSync(file)), name).toBe(true)
  }
})
