import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../apps/web/e2e', import.meta.url))
/** Files that use `test` unmodified share the market of their worker, with what other such files left in it. */
const SHARES_ITS_MARKET = /^import \{[^}]*\btest\b(?! as)[^}]*\} from '\.\/test\.ts'/m
const REGISTERS = /(?:becomeProvider\(|startTestProvider\(market, |getByLabel\('Name'\)\.fill\()'([^']+)'/g

const registered = readdirSync(folder)
  .filter((file) => file.endsWith('.spec.ts'))
  .map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const)
  .filter(([, source]) => SHARES_ITS_MARKET.test(source))
  .flatMap(([file, source]) => [...source.matchAll(REGISTERS)].map(([, name = '']) => ({ name, file })))

it('finds the registered names', () => {
  expect(registered.length).toBeGreaterThan(10)
  expect(registered).toContainEqual({ name: 'helios', file: 'provider.spec.ts' })
})

it('finds no name that two browser tests of one market register', () => {
  const byName = Map.groupBy(registered, ({ name }) => name)
  const twice = [...byName.values()].filter((uses) => uses.length > 1)
  expect(twice).toEqual([])
})
