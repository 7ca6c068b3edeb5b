import { expect, it } from 'vitest'
import { parseQuantity } from './parseQuantity.ts'

const TI = 2 ** 40
it.each<[text: string, size: number | undefined]>([
  ['1099537182209', 1_099_537_182_209],
  ['1031774592Ki', 1_031_774_592 * 1024],
  ['1052993834188800m', 1_052_993_834_188.8],
  ['126999500u', 126.9995],
  ['2000000000n', 2],
  ['127', 127],
  ['0', 0],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['.5', 0.5],
  ['5.', 5],
  ['+2', 2],
  ['-2', -2],
  ['1e3', 1000],
  ['1E3', 1000],
  ['12E-1', 1.2],
  ['1E', 1e18],
  ['2P', 2e15],
  ['1Pi', 1024 * TI],
  ['1Ei', 1024 * 1024 * TI],
  ['4k', 4000],
  ...['', 'Ki', '1K', '1ki', '1 Gi', '1e', '0x10', '1Gi ', 'NaN', '1.2.3', '1mi', '9'.repeat(50)].map(
    (text): [string, undefined] => [text, undefined],
  ),
])('reads %s as Kubernetes does', (text, size) => {
  const read = parseQuantity(text)
  if (size === undefined) expect(read).toBeUndefined()
  else expect(read).toBeCloseTo(size, 6)
})
