import { parseAppSpec } from '@rackfair/core'
import type { ProviderTakes } from '@rackfair/core/wire'
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useTakesText } from './useTakesText.ts'

const ALL: ProviderTakes = { ownImages: { maxGb: 40 }, ports: true, ssh: true, protected: true, runtimes: ['runc'] }
const NONE: ProviderTakes = { ownImages: null, ports: false, ssh: false, protected: false, runtimes: ['runc'] }
const textOf = (takes: ProviderTakes | undefined) => renderHook(() => useTakesText(takes)).result.current
const specOf = (given: object) => parseAppSpec({ image: 'ghcr.io/acme/app', ...given }).spec

it('says what a provider takes, and nothing of one that has not said', () => {
  expect(textOf(undefined).facts).toEqual([])
  expect(textOf(ALL).facts.map(({ value }) => value)).toEqual([
    'up to 40 GB, of any public or private registry',
    'yes',
    'at a port',
    'applications that only you may open',
    'runc',
  ])
  expect(textOf(NONE).facts[0]?.value).toBe('none, applications of the catalogue only')
})

it('says before anything is paid or signed why an application does not run there', () => {
  expect(textOf(NONE).blocksPreset({ access: 'owner' })).toContain('cannot keep it from others')
  expect(textOf(NONE).blocksPreset({ access: 'public' })).toBeUndefined()
  expect(textOf(ALL).blocksPreset({ access: 'owner' })).toBeUndefined()
  expect(textOf(undefined).blocksPreset({ access: 'owner' })).toBeUndefined()
  expect(textOf(NONE).blocksOwn()).toContain('catalogue only')
  const picky = textOf({ ...ALL, ports: false, protected: false, ownImages: { maxGb: 1, registries: ['ghcr.io'] } })
  expect(picky.blocksOwn()).toBeUndefined()
  expect(picky.blocksOwn(specOf({}))).toBeUndefined()
  expect(picky.blocksOwn(specOf({ image: 'redis' }))).toContain('images of ghcr.io only')
  expect(picky.blocksOwn(specOf({ ports: [{ protocol: 'udp', port: 53 }] }))).toContain('no TCP or UDP ports')
  expect(picky.blocksOwn(specOf({ ports: [{ protocol: 'http', port: 80 }] }))).toBeUndefined()
  expect(picky.blocksOwn(specOf({ ports: [{ protocol: 'http', port: 80, access: 'owner' }] }))).toContain('cannot keep it')
})
