import { expect, it } from 'vitest'
import { findFunction } from './consoleFunctions.ts'
import { argsOfQuery, consoleQuery } from './consoleUrl.ts'

const getNode = findFunction('registry', 'get_node')
const version = findFunction('access', 'CurrentVer')

it('encodes a call in the URL and decodes it unchanged', () => {
  if (!getNode || !version) throw new Error('the functions exist')
  const text = '{\n  "cp": "0x00",\n  "id": "1"\n}'
  const search = new URLSearchParams(consoleQuery(getNode, text))
  expect([search.get('contract'), search.get('function')]).toEqual(['registry', 'get_node'])
  expect(argsOfQuery(search.get('args') ?? '')).toBe(text)
  expect(consoleQuery(getNode, '{ broken')).toBe('contract=registry&function=get_node')
  expect(consoleQuery(version, '{}')).toBe('contract=access&function=CurrentVer')
})
