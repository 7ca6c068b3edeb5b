import { describe, expect, it } from 'vitest'
import type { AuthAdapter } from './AuthAdapter.ts'
import { requireAdapter } from './AuthAdapter.ts'
import { withNonceAhead } from './nonceAhead.ts'
import { type SignInPhase, signIn } from './signIn.ts'

describe('signing in', () => {
  it('gets a nonce, signs its message and has it verified', async () => {
    const { run, phases, seen } = setup({})
    expect(await run()).toEqual({ ok: true })
    expect(phases).toEqual(['signing', 'verifying', 'idle'])
    expect(seen).toEqual(['0xabc 2985 n1', '0x51'])
  })

  it.each([
    ['preparing_error', { getNonce: fail }],
    ['oops_error', { createMessage: fail }],
    ['verifying_error', { verify: fail }],
    ['verifying_error', { verify: async () => false }],
  ] satisfies [string, Partial<Record<keyof AuthAdapter, unknown>>][])(
    'ends in %s and is idle again',
    async (problem, adapter) => {
      const { run, phases } = setup(adapter)
      expect(await run()).toMatchObject({ ok: false, problem })
      expect(phases.at(-1)).toBe('idle')
    },
  )

  it('ends in signing_error when the wallet fails', async () => {
    const { run, phases } = setup({}, fail)
    expect(await run()).toMatchObject({ ok: false, problem: 'signing_error' })
    expect(phases).toEqual(['signing', 'idle'])
  })

  it('is silent when the user rejects', async () => {
    const { run } = setup({}, async () => {
      throw Object.assign(new Error('User rejected'), { code: 4001 })
    })
    expect(await run()).toEqual({ ok: false, problem: 'rejected', cause: undefined })
  })

  it('reports a missing adapter', async () => {
    expect(() => requireAdapter(undefined)).toThrow('No authentication adapter found')
    const result = await signIn(
      undefined,
      ACCOUNT,
      async () => '0x51',
      () => undefined,
    )
    expect(result).toMatchObject({ ok: false, problem: 'oops_error' })
  })
})

describe('a prefetched nonce', () => {
  const adapterOf = (getNonce: () => Promise<string>) =>
    ({ getNonce, createMessage: ({ nonce }) => nonce, verify: async () => true }) satisfies AuthAdapter

  it('is ready before the press, so that the wallet is asked within it', async () => {
    const asked: string[] = []
    const adapter = withNonceAhead(adapterOf(async () => `n${asked.push('nonce')}`))
    expect(asked).toEqual(['nonce'])
    const signing = signIn(
      adapter,
      ACCOUNT,
      async (message) => {
        asked.push(message)
        return '0x51'
      },
      () => undefined,
    )
    // Microtasks only: nothing that a network could hold up.
    for (let turn = 0; turn < 10; turn += 1) await undefined
    expect(asked).toEqual(['nonce', 'n1'])
    expect(await signing).toEqual({ ok: true })
  })

  it('is used once, and refetched when it is old or missing', async () => {
    let now = 0
    let count = 0
    const adapter = withNonceAhead(
      adapterOf(async () => `n${++count}`),
      () => now,
    )
    expect([await adapter.getNonce(), await adapter.getNonce()]).toEqual(['n1', 'n2'])
    const old = withNonceAhead(
      adapterOf(async () => `n${++count}`),
      () => now,
    )
    now += 130_000
    expect(await old.getNonce()).toBe('n4')
    let away = true
    const late = withNonceAhead(adapterOf(async () => (away ? fail() : 'n5')))
    away = false
    expect(await late.getNonce()).toBe('n5')
  })
})

const ACCOUNT = { address: '0xabc', chainId: 2985 } as const

async function fail(): Promise<never> {
  throw new Error('no')
}

function setup(
  overrides: Partial<Record<keyof AuthAdapter, unknown>>,
  sign: (message: string) => Promise<`0x${string}`> = async () => '0x51',
) {
  const phases: SignInPhase[] = []
  const seen: string[] = []
  const throws = overrides.createMessage
    ? () => {
        throw new Error('no')
      }
    : undefined
  const adapter: AuthAdapter = {
    getNonce: async () => 'n1',
    verify: async ({ message, signature }) => {
      seen.push(message, signature)
      return true
    },
    ...(overrides as Partial<AuthAdapter>),
    createMessage: throws ?? (({ address, chainId, nonce }) => `${address} ${chainId} ${nonce}`),
  }
  return { phases, seen, run: () => signIn(adapter, ACCOUNT, sign, (phase) => phases.push(phase)) }
}
