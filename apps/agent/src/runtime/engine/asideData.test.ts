import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dropDataAside, setDataAside, takeDataBack } from './asideData.ts'

describe('what an application has on its order’s disk', () => {
  let disk: string
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'rackfair-aside-'))
    write('lost+found/x', 'x')
  })
  afterEach(() => rmSync(disk, { recursive: true }))

  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(disk, path)), { recursive: true })
    writeFileSync(join(disk, path), text)
  }
  const all = () =>
    readdirSync(disk, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => `${join(one.parentPath, one.name).slice(disk.length + 1)} ${readFileSync(join(one.parentPath, one.name))}`)
      .sort()
  const own = (text: string) => {
    write('.own/upper/file', text)
    write('.own/work/w', text)
  }

  it.each([
    ['a preset', () => write('site/index.html', 'first'), 'site/index.html first'],
    ['another kind', () => own('first'), '.own/upper/file first'],
  ])('comes back whole where the next one shares nothing with it: %s', async (_, make, expected) => {
    make()
    setDataAside(disk)
    expect(all().filter((one) => !one.startsWith('.before'))).toEqual(['lost+found/x x'])
    write('site/index.html', 'second')
    own('second')
    await takeDataBack(disk)
    expect(all()).toContain(expected)
    expect(all().join()).not.toContain('second')
  })

  it('is set aside and taken back from wherever a crash left it', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}/file`, 'first')
    // Of three, one was moved.
    mkdirSync(join(disk, '.before'))
    renameSync(join(disk, 'a'), join(disk, '.before/a'))
    setDataAside(disk)
    expect(readdirSync(disk).sort()).toEqual(['.before', 'lost+found'])
    write('next/file', 'second')
    writeFileSync(join(disk, '.before/cleared'), '')
    rmSync(join(disk, 'next'), { recursive: true })
    renameSync(join(disk, '.before/b'), join(disk, 'b'))
    await takeDataBack(disk)
    await takeDataBack(disk)
    expect(all()).toEqual(['a/file first', 'b/file first', 'c/file first', 'lost+found/x x'])
  })

  it('is forgotten once the next one runs', async () => {
    own('first')
    setDataAside(disk)
    own('second')
    await dropDataAside(disk)
    await takeDataBack(disk)
    expect(all()).toEqual(['.own/upper/file second', '.own/work/w second', 'lost+found/x x'])
  })
})
