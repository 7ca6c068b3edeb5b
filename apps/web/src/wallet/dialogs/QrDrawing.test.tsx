import { render, screen } from '@testing-library/react'
import decodeQr from 'qr/decode.js'
import { expect, test } from 'vitest'
import { QrDrawing } from './QrDrawing.tsx'

const ADDRESS = 'https://market.example/download'

test('draws a readable code with error correction level M', () => {
  const { dark, size } = draw(ADDRESS)
  const data = Uint8Array.from({ length: (size * 8) ** 2 * 4 }, (_, index) => {
    const pixel = Math.floor(index / 4)
    const x = Math.floor((pixel % (size * 8)) / 8)
    const y = Math.floor(pixel / (size * 8) / 8)
    return index % 4 < 3 && dark.has(`${x} ${y}`) ? 0 : 255
  })
  expect(decodeQr({ width: size * 8, height: size * 8, data })).toBe(ADDRESS)
  // The first two modules of the format, under the standard's mask 10: M is 00, L is 01, H is 10, Q is 11.
  const format = [dark.has(`${QUIET} ${QUIET + 8}`), dark.has(`${QUIET + 1} ${QUIET + 8}`)]
  expect(format).toEqual([true, false])
})

const QUIET = 2

function draw(value: string) {
  render(<QrDrawing value={value} label="code" compact={false} />)
  const drawing = screen.getByRole('img', { name: 'code' })
  const path = drawing.querySelector('path')?.getAttribute('d') ?? ''
  return {
    size: Number(drawing.getAttribute('viewBox')?.split(' ').at(-1)),
    dark: new Set([...path.matchAll(/M(\d+ \d+)h1/g)].map((match) => match[1])),
  }
}
