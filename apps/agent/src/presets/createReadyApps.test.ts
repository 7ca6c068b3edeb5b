import { expect, it } from 'vitest'
import { createReadyApps } from './createReadyApps.ts'
import { loadCatalog } from './loadCatalog.ts'

const presets = [...loadCatalog().values()]

it('lists applications whose image exists, and keeps the last list while the engine does not respond', async () => {
  let answer: (name: string) => Promise<boolean> = async () => Promise.reject(new Error('the engine is away'))
  const ready = createReadyApps(presets, ({ name }) => answer(name))
  expect(await ready()).toBeUndefined()
  answer = async (name) => name === 'nginx' || name === 'ubuntu'
  expect(await ready()).toEqual(['nginx', 'ubuntu'])
  answer = async () => Promise.reject(new Error('the engine is away'))
  expect(await ready()).toEqual(['nginx', 'ubuntu'])
  let release: (is: boolean) => void = () => undefined
  answer = () =>
    new Promise((resolve) => {
      release = resolve
    })
  expect(await ready()).toEqual(['nginx', 'ubuntu'])
  release(false)
})
