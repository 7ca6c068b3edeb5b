import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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

  it('comes back with its root, and with what the next one wrote to their volumes', async () => {
    own('first')
    write('.own/volumes/v/data', 'first')
    setDataAside(disk, { keepVolumes: true })
    expect(existsSync(join(disk, '.own/upper'))).toBe(false)
    own('second')
    write('.own/volumes/v/data', 'second')
    await takeDataBack(disk)
    expect(all()).toEqual(['.own/upper/file first', '.own/volumes/v/data second', '.own/work/w first', 'lost+found/x x'])
  })

  it('comes back with the roots of all its services, also where the next one has but one container', async () => {
    write('.own/services/db/upper/file', 'first')
    own('first')
    write('.own/volumes/v/data', 'first')
    setDataAside(disk, { keepVolumes: true })
    own('second')
    write('.own/services/other/upper/file', 'second')
    await takeDataBack(disk)
    expect(all().filter((one) => !one.includes('work'))).toEqual([
      ...['.own/services/db/upper/file first', '.own/upper/file first', '.own/volumes/v/data first', 'lost+found/x x'],
    ])
  })

  it.each([
    ['a preset', () => write('site/index.html', 'first'), 'site/index.html first'],
    ['another kind', () => own('first'), '.own/upper/file first'],
  ])('comes back whole where the next one shares nothing with it: %s', async (_, make, expected) => {
    make()
    setDataAside(disk, { keepVolumes: false })
    expect(all().filter((one) => !one.startsWith('.earlier'))).toEqual(['lost+found/x x'])
    write('site/index.html', 'second')
    own('second')
    await takeDataBack(disk)
    expect(all()).toContain(expected)
    expect(all().join()).not.toContain('second')
  })

  it('is set aside and taken back from wherever a crash left it', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}/file`, 'first')
    // Of three, one was moved.
    mkdirSync(join(disk, '.earlier'))
    renameSync(join(disk, 'a'), join(disk, '.earlier/a'))
    setDataAside(disk, { keepVolumes: false })
    expect(readdirSync(disk).sort()).toEqual(['.earlier', 'lost+found'])
    write('next/file', 'second')
    writeFileSync(join(disk, '.earlier/cleared'), '')
    rmSync(join(disk, 'next'), { recursive: true })
    renameSync(join(disk, '.earlier/b'), join(disk, 'b'))
    await takeDataBack(disk)
    await takeDataBack(disk)
    expect(all()).toEqual(['a/file first', 'b/file first', 'c/file first', 'lost+found/x x'])
  })

  it('is forgotten once the next one runs', async () => {
    own('first')
    setDataAside(disk, { keepVolumes: true })
    own('second')
    await dropDataAside(disk)
    await takeDataBack(disk)
    expect(all()).toEqual(['.own/upper/file second', '.own/work/w second', 'lost+found/x x'])
  })
})
