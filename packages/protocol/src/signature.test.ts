import { expect, it } from 'vitest'
import { expandSignature, readSignature } from './signature.ts'

it.each([
  ['0x', '0x'],
  ['', '0x'],
  ['ab', '0xab'],
  ['0xAB', '0xAB'],
  ['0XAB', '0xAB'],
  [`0x${'1f'.repeat(4096)}`, `0x${'1f'.repeat(4096)}`],
  [`0x${'1f'.repeat(4097)}`, undefined],
  ['0xa', undefined],
  ['0xzz', undefined],
  ['ab ', undefined],
  [null, undefined],
  [undefined, undefined],
  [7, undefined],
  [{ signature: '0xab' }, undefined],
])('reads the signature %s', (given, read) => expect(readSignature(given)).toBe(read))

it('expands the examples of ERC-2098, and nothing else', () => {
  const r = '0x68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b90'
  const s = '7e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064'
  expect(expandSignature(`${r}${s}` as `0x${string}`)).toBe(`${r}${s}1b`)
  const r1 = '0x9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76'
  const compact = `${r1}939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793` as `0x${string}`
  expect(expandSignature(compact)).toBe(`${r1}139c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f5507931c`)
  for (const other of ['0x', `${r}${s}1b`, '0xab'] as const) expect(expandSignature(other as `0x${string}`)).toBe(other)
})
