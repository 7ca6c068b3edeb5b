import { expect, it } from 'vitest'
import { type DomainRecords, namesBehind, ownDomain, pointsTo } from './ownDomain.ts'

it.each<[string, string | undefined]>([
  ['shop.example', 'shop.example'],
  [' Shop.Example. ', 'shop.example'],
  ['a.b.c.example', 'a.b.c.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['x.xn--p1ai', 'x.xn--p1ai'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ...['', 'shop', 'localhost', 'a.localhost', '10.0.0.1', '::1', 'shop..example', '.example', '-a.example', 'a-.example'].map(
    (text): [string, undefined] => [text, undefined],
  ),
  ...['a b.example', 'a/b.example', 'a:1.example', '*.example', 'bücher.example', `${'a'.repeat(64)}.example`].map(
    (text): [string, undefined] => [text, undefined],
  ),
  [`${'a.'.repeat(118)}example`, `${'a.'.repeat(118)}example`],
  [`a${'a.'.repeat(118)}example`, undefined],
])('reads %j as %j', (text, domain) => expect(ownDomain(text)).toBe(domain))

const BELOW = ['atlas.edge.example', 'atlas.other.example']
const records = (cnames: Record<string, string[]>, txts: Record<string, string[]> = {}): DomainRecords => ({
  cname: async (name) => cnames[name] ?? [],
  txt: async (name) => txts[name] ?? [],
})

it.each<[boolean, string, DomainRecords]>([
  [true, 'a CNAME', records({ 'shop.test': ['O-12.atlas.edge.example.'] })],
  [true, 'a CNAME of a CNAME', records({ 'shop.test': ['www.shop.test'], 'www.shop.test': ['o-12.atlas.other.example'] })],
  [true, 'a TXT record of a domain without', records({}, { '_rackfair.shop.test': ['o-12.atlas.edge.example'] })],
  [
    true,
    'TXT records of two edges',
    records({}, { '_rackfair.shop.test': ['o-12.atlas.edge.example', 'o-12.atlas.other.example'] }),
  ],
  [false, 'nothing', records({})],
  [false, 'itself', records({ 'shop.test': ['shop.test'] })],
  [false, 'a circle', records({ 'shop.test': ['a.test'], 'a.test': ['shop.test'] })],
  [false, 'another order', records({ 'shop.test': ['o-13.atlas.edge.example'] })],
  [false, 'an order beside', records({}, { '_rackfair.shop.test': ['o-12.atlas.edge.example', 'o-13.atlas.edge.example'] })],
  [false, 'another provider', records({ 'shop.test': ['o-12.basalt.edge.example'] })],
  [false, 'something longer', records({ 'shop.test': ['x.o-12.atlas.edge.example'] })],
  [false, 'something that ends alike', records({ 'shop.test': ['o-12.notatlas.edge.example'] })],
  [false, 'the provider itself', records({ 'shop.test': ['atlas.edge.example'] })],
  [false, 'two CNAMEs', records({ 'shop.test': ['o-12.atlas.edge.example', 'o-12.atlas.other.example'] })],
])('finds %s that a domain points to order 12 by %s', async (points, _what, of) =>
  expect(await pointsTo('shop.test', 12n, BELOW, of)).toBe(points),
)

it('follows a few CNAMEs only', async () => {
  const endless: DomainRecords = { cname: async (name) => [`x.${name}`], txt: async () => [] }
  expect(await namesBehind('a.test', endless)).toHaveLength(5)
})
