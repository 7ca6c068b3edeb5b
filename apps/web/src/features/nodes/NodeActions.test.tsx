import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { MarketNode } from '@rackfair/rules/node/node'
import { readNodeOffer } from '@rackfair/sdk/http'
import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { NodeActions } from './NodeActions.tsx'

const NOW = 1_800_000_000
const ME = '0x00000000000000000000000000000000000000aa' as LowerCaseAddress
const idle = readNodeOffer(nodeAnswer())

describe('actions of a machine', () => {
  it('offers Buy while it is idle and online', () => {
    show(idle)
    expect(screen.getByRole('link', { name: 'Buy helios-3' }).getAttribute('href')).toBe(
      `/addorder?provider=${idle.provider}&node=3`,
    )
    expect(screen.getByRole('link', { name: /^Detail/ }).getAttribute('href')).toBe(`/machine?provider=${idle.provider}&node=3`)
    expect(screen.queryByRole('link', { name: /^Edit/ })).toBeNull()
  })

  it('omits Buy where nothing is for sale', () => {
    show(idle, { buy: false })
    expect(screen.queryByText('Buy')).toBeNull()
  })

  it.each<[string, Partial<MarketNode>, string, RegExp]>([
    ['sold', { sold: true }, 'Sold', /has not been started yet/],
    ['sold until a day', { sold: true, soldUntil: NOW + 86_400 }, 'Until 16 Jan', /Sold until 16 Jan 2027/],
    ['offline', { online: false, offlineSince: NOW - 7200 }, 'Offline', /does not answer; last heard 2 hr\. ago/],
    ['switched off', { online: false, switchedOn: false }, 'Off', /switched this machine off/],
    ['without a pledge', { pledgeWei: 5n }, 'No pledge', /pledged less than \$1/],
    [
      'with a pledge that other orders lock',
      { pledgeLockedWei: 100n * 10n ** 18n },
      'Pledge used up',
      /locked behind other orders/,
    ],
    ['taken off the market', { exist: false }, 'Taken off', /off the market/],
  ])('explains why it cannot be bought: %s', (_name, state, word, sentence) => {
    show({ ...idle, ...state })
    const button = screen.getByRole('button', { name: word })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByRole('tooltip', { hidden: true }).textContent).toMatch(sentence)
    expect(screen.queryByRole('link', { name: /^Buy/ })).toBeNull()
  })

  it('offers Edit to its own provider instead of Buy', () => {
    show({ ...idle, provider: ME })
    expect(screen.getByRole('link', { name: 'Edit helios-3' }).getAttribute('href')).toBe('/addnode?id=3')
    expect(screen.queryByRole('link', { name: /^Buy/ })).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

function show(node: MarketNode, options: { buy?: boolean } = {}) {
  document.body.replaceChildren()
  render(<NodeActions node={node} user={ME} now={NOW} buy={options.buy ?? true} detail />)
}
