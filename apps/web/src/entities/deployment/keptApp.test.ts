import { afterEach, expect, it } from 'vitest'
import { keepApp, keptApp } from './keptApp.ts'

afterEach(() => localStorage.clear())

it('keeps the last application of each of the ten latest orders', () => {
  for (let id = 1; id <= 12; id += 1) keepApp(String(id), `image: app${id}`)
  keepApp('3', 'image: other')
  expect(['1', '2', '3', '4', '12'].map(keptApp)).toEqual([undefined, undefined, 'image: other', 'image: app4', 'image: app12'])
})

it.each(['{', '7', '[1,["a"],[2,"b"],null,["5"]]'])('reads nothing from what is stored as %s', (stored) => {
  localStorage.setItem('rackfair.apps', stored)
  expect(keptApp('5')).toBeUndefined()
  keepApp('5', 'image: redis')
  expect(keptApp('5')).toBe('image: redis')
})
