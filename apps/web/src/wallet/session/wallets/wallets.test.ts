import { beforeEach, describe, expect, it } from 'vitest'
import { CATALOGUE, DEVELOPMENT_WALLET_ID, WALLET_CONNECT_ID } from './catalogue.ts'
import { checkWallets, type WalletSettings } from './checkWallets.ts'
import { groupWallets } from './groupWallets.ts'
import { listWallets } from './listWallets.ts'
import { noteRecentWallet, readRecentWallets } from './recentWallets.ts'
import type { WalletDescriptor } from './WalletDescriptor.ts'
import { downloadWays, moveWizard, WIZARD_START, WIZARD_STEPS } from './wizard.ts'

describe('the list of wallets', () => {
  it('shows announced wallets as Installed, with their own name and icon', () => {
    const list = listWallets([{ id: 'org.unknown', name: 'Unheard Wallet', icon: 'data:image/png;base64,x' }], DEV)
    expect(list[0]).toMatchObject({
      id: 'org.unknown',
      name: 'Unheard Wallet',
      groupName: 'Installed',
      installed: true,
      iconUrl: 'data:image/png;base64,x',
    })
  })

  it('ignores an icon that would be fetched remotely', () => {
    expect(listWallets([{ id: 'x', name: 'X', icon: 'https://evil.example/x.png' }], DEV)[0]).not.toHaveProperty('iconUrl')
  })

  it('shows a known wallet once, as Installed when it announces itself', () => {
    const list = listWallets([{ id: 'io.metamask', name: 'MetaMask' }], DEV)
    expect(list.filter((wallet) => wallet.id === 'io.metamask').map((wallet) => wallet.groupName)).toEqual(['Installed'])
  })

  it('shows window.ethereum only while no extension announces itself', () => {
    const installed = (ids: string[]) =>
      listWallets(
        ids.map((id) => ({ id, name: id })),
        DEV,
      )
        .filter((wallet) => wallet.groupName === 'Installed')
        .map((wallet) => wallet.id)
    expect(installed(['development', 'injected'])).toEqual(['injected'])
    expect(installed(['injected', 'io.metamask'])).toEqual(['io.metamask'])
  })

  it('offers the development wallet on chain 2985 only', () => {
    const has = (chainId: number) =>
      listWallets([], { chainId, projectId: null }).some((wallet) => wallet.id === DEVELOPMENT_WALLET_ID)
    expect([985, 1985, 2985].map(has)).toEqual([false, false, true])
  })

  it('offers WalletConnect only with a project id, as the only unsupported wallet without one', () => {
    const unsupported = (projectId: string | null) =>
      listWallets([{ id: 'a', name: 'A' }], { chainId: 2985, projectId })
        .filter((wallet) => wallet.unsupported)
        .map((wallet) => wallet.id)
    expect([unsupported(null), unsupported(''), unsupported('abc')]).toEqual([[WALLET_CONNECT_ID], [WALLET_CONNECT_ID], []])
  })

  it('groups wallets in the order of the specification, without empty groups', () => {
    const all = listWallets([{ id: 'a', name: 'A' }], { chainId: 2985, projectId: 'abc' })
    expect(groupWallets(all, []).map((group) => group.name)).toEqual(['Installed', 'Recommended', 'Popular', 'Other', 'More'])
    expect(groupWallets(listWallets([], { chainId: 985, projectId: null }), []).map((group) => group.name)).toEqual([
      'Popular',
      'Other',
      'More',
    ])
  })

  it('puts recent wallets first in their group', () => {
    const names = groupWallets(
      listWallets(
        [
          { id: 'a', name: 'A' },
          { id: 'b', name: 'B' },
          { id: 'c', name: 'C' },
        ],
        DEV,
      ),
      ['c', 'b'],
    )[0]
    expect(names?.wallets.map((wallet) => wallet.id)).toEqual(['c', 'b', 'a'])
  })
})

describe('recent wallets', () => {
  beforeEach(() => localStorage.clear())

  it('are the last three, newest first, without duplicates', () => {
    for (const id of ['a', 'b', 'c', 'a', 'd']) noteRecentWallet(id)
    expect(readRecentWallets()).toEqual(['d', 'a', 'c'])
  })

  it('omit the unnamed one', () => {
    for (const id of ['a', 'injected']) noteRecentWallet(id)
    expect(readRecentWallets()).toEqual(['a'])
  })

  it.each(['{', '{}', '[1,2]', 'null'])('are empty when the storage holds %s', (text) => {
    localStorage.setItem('rackfair.recentWallets', text)
    expect(readRecentWallets()).toEqual([])
  })
})

describe('the settings of the dialogs', () => {
  it('accept the catalogue', () => expect(() => checkWallets(settings({}))).not.toThrow())
  it.each([
    [{ groups: [] }, 'No wallets provided'],
    [{ groups: [{ groupName: 'Popular', wallets: [] }] }, 'No wallets provided for group: Popular'],
    [{ groups: [group('red')] }, 'Property `iconAccent` is not a hex value for wallet: W'],
    [{ groups: [group('#12345')] }, 'Property `iconAccent` is not a hex value for wallet: W'],
    [{ theme: () => ({}) }, 'The theme must be an object, not a function'],
    [{ modalId: 'a b' }, 'The modal id may contain only letters, digits and underscores'],
    [{ walletConnect: true, projectId: null }, 'No projectId found'],
    [{ chainIds: [] }, 'No chain is configured'],
  ] satisfies [Partial<WalletSettings>, string][])('refuse %o', (wrong, message) => {
    expect(() => checkWallets(settings(wrong))).toThrow(message)
  })
  it.each(['#abc', '#AABBCC'])('accept the accent %s', (accent) => {
    expect(() => checkWallets(settings({ groups: [group(accent)] }))).not.toThrow()
  })
  it('report every problem at once', () => {
    expect(() => checkWallets(settings({ groups: [], chainIds: [] }))).toThrow('No wallets provided\nNo chain is configured')
  })
})

describe('the wizard', () => {
  it('has the nine steps of the specification', () => expect(WIZARD_STEPS).toHaveLength(9))

  it('connects an installed wallet at once', () => {
    expect(moveWizard(WIZARD_START, { type: 'select', wallet: wallet({ installed: true }) }).step).toBe('CONNECT')
  })

  it('shows an unsupported wallet as such instead of offering it', () => {
    expect(moveWizard(WIZARD_START, { type: 'select', wallet: wallet({ unsupported: true }) }).step).toBe('CONNECT')
  })

  it('offers the ways to get a wallet that is not installed', () => {
    const metamask = wallet(CATALOGUE[0]?.wallets[0] ?? {})
    expect(moveWizard(WIZARD_START, { type: 'select', wallet: metamask }).step).toBe('DOWNLOAD_OPTIONS')
    expect(downloadWays(metamask)).toEqual(['extension', 'mobile'])
    const phoneOnly = wallet({ downloadUrls: { qrCode: 'https://x.example' } })
    expect(moveWizard(WIZARD_START, { type: 'select', wallet: phoneOnly }).step).toBe('DOWNLOAD')
  })

  it('steps back to the start', () => {
    const rabby = wallet({ downloadUrls: { qrCode: 'https://x.example', browserExtension: 'https://x.example' } })
    let state = moveWizard(WIZARD_START, { type: 'go', step: 'LEARN_COMPACT' })
    state = moveWizard(state, { type: 'go', step: 'GET' })
    state = moveWizard(state, { type: 'go', step: 'DOWNLOAD_OPTIONS', wallet: rabby })
    state = moveWizard(state, { type: 'go', step: 'DOWNLOAD' })
    state = moveWizard(state, { type: 'go', step: 'INSTRUCTIONS_MOBILE' })
    const steps = [state.step]
    while (state.trail.length > 0) {
      state = moveWizard(state, { type: 'back' })
      steps.push(state.step)
    }
    expect(steps).toEqual(['INSTRUCTIONS_MOBILE', 'DOWNLOAD', 'DOWNLOAD_OPTIONS', 'GET', 'LEARN_COMPACT', 'NONE'])
    expect(state.wallet).toBeUndefined()
  })

  it('stays at the start', () => expect(moveWizard(WIZARD_START, { type: 'back' })).toEqual(WIZARD_START))

  it('resets the history when another wallet is selected', () => {
    const deep = moveWizard(moveWizard(WIZARD_START, { type: 'go', step: 'GET' }), {
      type: 'select',
      wallet: wallet({ installed: true }),
    })
    expect(deep.trail).toEqual([{ step: 'NONE', wallet: undefined }])
  })
})

const DEV = { chainId: 2985, projectId: null }

function wallet(overrides: Partial<WalletDescriptor>): WalletDescriptor {
  return { id: 'w', name: 'W', iconBackground: '#000', groupName: 'Popular', groupIndex: 0, ...overrides }
}

function group(iconAccent: string) {
  return { groupName: 'Popular', wallets: [{ id: 'w', name: 'W', iconAccent }] }
}

function settings(overrides: Partial<WalletSettings>): WalletSettings {
  return { groups: CATALOGUE, modalId: 'rackfair', walletConnect: true, projectId: 'abc', chainIds: [2985], ...overrides }
}
