import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import type { ProviderTakes } from '@rackfair/rules/node/takes'
import type { Preset } from '@rackfair/rules/presets'
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useTakesText } from './useTakesText.ts'

const ALL: ProviderTakes = { ownImages: { maxGb: 40 }, ports: true, ssh: true, protected: true, runtimes: ['runc'] }
const NONE: ProviderTakes = { ownImages: null, ports: false, ssh: false, protected: false, runtimes: ['runc'] }
const nginx = { name: 'nginx', image: 'localhost/rackfair/nginx', access: 'public' as const, title: 'nginx', ports: [] }
const own = { ...nginx, access: 'owner' as const }
const pulled = { ...nginx, name: 'sdnext', image: 'docker.io/acme/sdnext', title: 'Stable Diffusion' }
const textOf = (takes: ProviderTakes | undefined) => renderHook(() => useTakesText(takes)).result.current
const specOf = (given: object) => parseApplication({ image: 'ghcr.io/acme/app', ...given }).application

it('shows what a provider takes, and nothing without a declaration', () => {
  expect(textOf(undefined).facts).toEqual([])
  expect(textOf(ALL).facts.map(({ value }) => value)).toEqual([
    'up to 40 GB, any registry',
    'yes',
    'at a port',
    'on request',
    'runc',
  ])
  expect(textOf(NONE).facts[0]?.value).toBe('none, only applications of the catalogue')
})

it('explains before payment or signature why an application does not run there', () => {
  expect(textOf(NONE).blocksPreset(own)).toContain('cannot keep it from others')
  expect(textOf(NONE).blocksPreset(nginx)).toBeUndefined()
  expect(textOf(ALL).blocksPreset(own)).toBeUndefined()
  const database = { ...nginx, ports: [{ protocol: 'tcp' as const, port: 5432 }] }
  expect([NONE, ALL, undefined].map((takes) => textOf(takes).blocksPreset(database))).toEqual([
    expect.stringContaining('no TCP or UDP ports'),
    undefined,
    undefined,
  ])
  expect(textOf(undefined).blocksPreset(own)).toBeUndefined()
  expect(textOf(NONE).blocksOwn()).toContain('only applications of the catalogue')
  const picky = textOf({ ...ALL, ports: false, protected: false, ownImages: { maxGb: 1, registries: ['ghcr.io'] } })
  expect(picky.blocksOwn()).toBeUndefined()
  expect(picky.blocksOwn(specOf({}))).toBeUndefined()
  expect(picky.blocksOwn(specOf({ image: 'redis' }))).toContain('only images from ghcr.io')
  expect(picky.blocksOwn(specOf({ ports: [{ protocol: 'udp', port: 53 }] }))).toContain('no TCP or UDP ports')
  expect(picky.blocksOwn(specOf({ ports: [{ protocol: 'http', port: 80 }] }))).toBeUndefined()
  expect(picky.blocksOwn(specOf({ ports: [{ protocol: 'http', port: 80, access: 'owner' }] }))).toContain('cannot keep it')
  const several = parseApplication({ services: { a: { image: 'redis' }, b: { image: 'redis' } } }).application
  expect(textOf(ALL).blocksOwn(several)).toContain('one container for each order')
  expect(textOf({ ...ALL, services: true }).blocksOwn(several)).toBeUndefined()
  const withFile = specOf({ files: { '/etc/app.conf': 'a=1' } })
  expect(textOf(ALL).blocksOwn(withFile)).toContain('too old for files')
  expect(textOf({ ...ALL, files: true }).blocksOwn(withFile)).toBeUndefined()
})

it('shows before payment which images are ready, take minutes, or are unavailable', () => {
  const presets = [nginx, pulled] as unknown as Preset[]
  const [unsaid, none, some] = [textOf(ALL), textOf({ ...ALL, ready: [] }), textOf({ ...ALL, ready: ['nginx'] })]
  expect(unsaid.readyFacts(presets)).toEqual([])
  expect(none.readyFacts(undefined)).toEqual([])
  expect(none.readyFacts(presets)[0]?.value).toContain('not there')
  expect(some.readyFacts(presets)).toEqual([{ term: 'Ready at once', value: 'nginx' }])
  expect([unsaid, none, some].map(({ builtFirst }) => builtFirst(nginx))).toEqual([undefined, expect.any(String), undefined])
  expect(none.builtFirst(nginx)).toBe('one to three minutes the first time, to build its image')
  expect(none.builtFirst({ ...nginx, imageMb: 1160 })).toBe('three to ten minutes the first time, to build its image of 1.2 GB')
  expect([unsaid, none, some].map(({ blocksPreset }) => blocksPreset(pulled))).toEqual([
    undefined,
    expect.stringContaining('only the provider can add it'),
    expect.any(String),
  ])
  expect(textOf({ ...ALL, ready: ['sdnext'] }).blocksPreset(pulled)).toBeUndefined()
})
