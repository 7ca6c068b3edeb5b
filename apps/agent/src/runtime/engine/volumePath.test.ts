import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isReservedPath } from '@rackfair/app-spec/parseAppSpec'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outsideOf, resolveInside } from './volumePath.ts'

describe('where a volume lies', () => {
  let home: string
  let root: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'volume-path-'))
    root = join(home, 'root')
    mkdirSync(join(root, 'run'), { recursive: true })
    mkdirSync(join(root, 'var'))
    const links = { 'var/run': '/run', up: '../../../..', hidden: 'var/../../proc', a: 'b', b: '/a', 'var/lib': '../srv/lib' }
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  it.each([
    ['/data', '/data'],
    ['/var/data', '/var/data'],
    ['/var/run/x', '/run/x'],
    ['/run/x', '/run/x'],
    ['/var/run/.containerenv', '/run/.containerenv'],
    ['/var/lib/x', '/srv/lib/x'],
    ['/up', '/'],
    ['/up/etc', '/etc'],
    ['/hidden', '/proc'],
    ['/hidden/self', '/proc/self'],
    ['/a/x', undefined],
  ])('%s is at %s, over the links of the image and never outside of it', (path, expected) =>
    expect(resolveInside(root, new Map(), path)).toBe(expected),
  )

  it('is judged by where it ends, whatever it is called', () => {
    const isRefused = (path: string) => isReservedPath(resolveInside(root, new Map(), path) ?? '/')
    expect(['/var/run/x', '/run/x', '/var/lib', '/etc/app'].map(isRefused)).toEqual([false, false, false, false])
    expect(['/hidden', '/hidden/self', '/var/run/.containerenv', '/up', '/a'].map(isRefused)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ])
  })

  it('follows what an earlier run left in the volume around it', () => {
    const folder = join(home, 'folder')
    mkdirSync(join(folder, 'sub'), { recursive: true })
    symlinkSync('/proc', join(folder, 'trap'))
    symlinkSync('sub', join(folder, 'link'))
    const folders = new Map([['/data', folder]])
    expect(resolveInside(root, folders, '/data/trap/x')).toBe('/proc/x')
    expect(resolveInside(root, folders, '/data/link/x')).toBe('/data/sub/x')
    expect(outsideOf(root, folders, '/data/sub/x')).toEqual([folder, '/sub/x'])
    expect(outsideOf(root, folders, '/database')).toEqual([root, '/database'])
    const inner = join(home, 'inner')
    expect(outsideOf(root, new Map([...folders, ['/data/sub', inner]]), '/data/sub/x')).toEqual([inner, '/x'])
  })
})
