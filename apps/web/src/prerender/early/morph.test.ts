import { expect, test } from 'vitest'
import { morph } from './morph.ts'

function page(html: string): HTMLElement {
  const root = document.createElement('div')
  root.innerHTML = html
  return root
}
const row = (name: string, state: string) => `<tr><td><a href="/node/${name}">${name}</a></td><td>${state}</td></tr>`
const table = (...rows: string[]) => `<table><tbody>${rows.join('')}</tbody></table>`

test('changes a text without replacing its element', () => {
  const here = page('<p class="a">6 <!-- -->idle</p><p>same</p>')
  const before = [...here.querySelectorAll('*')]
  morph(here, page('<p class="b">5 <!-- -->idle</p><p>same</p>'))
  expect(here.innerHTML).toBe('<p class="b">5 <!-- -->idle</p><p>same</p>')
  expect([...here.querySelectorAll('*')]).toEqual(before)
})

test('keeps the row of a machine while others are added, removed and reordered', () => {
  const here = page(table(row('a', 'idle'), row('b', 'idle'), row('c', 'idle')))
  const [, b, c] = here.querySelectorAll('tr')
  const next = table(row('c', 'idle'), row('n', 'idle'), row('b', 'sold'))
  morph(here, page(next))
  expect(here.innerHTML).toBe(next)
  const [first, , last] = here.querySelectorAll('tr')
  expect([first === c, last === b]).toEqual([true, true])
})

test('keeps focus, typed text and open details when rows above are removed', () => {
  const rest = '<details><summary>More</summary></details><input name="words">'
  const here = page(`<ul><li><a href="/1">1</a></li><li><a href="/2">2</a></li></ul>${rest}`)
  document.body.append(here)
  const field = here.querySelector('input') as HTMLInputElement
  const second = here.querySelector<HTMLElement>('a[href="/2"]')
  field.value = 'RTX'
  here.querySelector('details')?.setAttribute('open', '')
  second?.focus()
  morph(here, page(`<ul><li><a href="/2">2</a></li></ul>${rest}`))
  expect(document.activeElement).toBe(second)
  expect(here.querySelector('li')?.textContent).toBe('2')
  expect([here.querySelector('input'), field.value, here.querySelector('details')?.hasAttribute('open')]).toEqual([
    field,
    'RTX',
    true,
  ])
  here.remove()
})

test('replaces an element by one of another kind, and comments with it', () => {
  const here = page('<!--$?--><p>Loading</p><!--/$--><footer>f</footer>')
  const footer = here.querySelector('footer')
  const next = '<!--$--><table><tbody><tr><td>1</td></tr></tbody></table><!--/$--><footer>f</footer>'
  morph(here, page(next))
  expect(here.innerHTML).toBe(next)
  expect(here.querySelector('footer')).toBe(footer)
})
