import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forgetOld, keepOnMachine } from './keepOnMachine.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rackfair-kept-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const machine = () => join(folder, 'machine')

/** The `app.tar` that a checkout gets when it asks for one; if nobody has it, it makes one with its own name in it. */
async function taken(checkout: string): Promise<string> {
  const tar = join(folder, checkout, 'app.tar')
  const make = () => {
    mkdirSync(join(folder, checkout), { recursive: true })
    if (!existsSync(tar)) writeFileSync(tar, checkout)
  }
  await keepOnMachine(tar, make, machine())
  return readFileSync(tar, 'utf8')
}
const age = (file: string) => utimesSync(file, new Date(0), new Date(Date.now() - 31 * 86_400_000))
const keptFile = () => join(machine(), readdirSync(machine())[0] as string)

test('reuses what another checkout built, stored once on disk', async () => {
  expect(await taken('first')).toBe('first')
  expect(await taken('second')).toBe('first')
  expect(statSync(join(folder, 'second', 'app.tar')).nlink).toBe(3)
})

test('keeps a checkout’s own copy, and shares it with others', async () => {
  mkdirSync(join(folder, 'first'))
  writeFileSync(join(folder, 'first', 'app.tar'), 'made before')
  expect(await taken('first')).toBe('made before')
  expect(await taken('second')).toBe('made before')
})

test('rebuilds what is older than a month, and deletes the old copy', async () => {
  await taken('first')
  age(keptFile())
  expect(await taken('second')).toBe('second')
  expect(await taken('third')).toBe('second')
  age(keptFile())
  forgetOld(machine())
  expect(readdirSync(machine())).toEqual([])
})

test('keeps folders as a whole', async () => {
  const make = (checkout: string) => () => {
    const path = join(folder, checkout, 'packages')
    if (existsSync(path)) return
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'one.tgz'), checkout)
  }
  for (const checkout of ['first', 'second']) await keepOnMachine(join(folder, checkout, 'packages'), make(checkout), machine())
  expect(readFileSync(join(folder, 'second', 'packages', 'one.tgz'), 'utf8')).toBe('first')
})

test('serves many checkouts at once, without partial results', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const all = await Promise.all(names.map((name) => taken(name)))
  expect(all.every((text) => names.includes(text))).toBe(true)
  expect(readdirSync(machine())).toHaveLength(1)
})

test('keeps nothing of a failed build', async () => {
  const failed = keepOnMachine(join(folder, 'first', 'app.tar'), () => Promise.reject(new Error('no network')), machine())
  await expect(failed).rejects.toThrow('no network')
  expect(await taken('second')).toBe('second')
})
