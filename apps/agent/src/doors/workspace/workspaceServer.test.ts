import type { RegisteredKey } from '@rackfair/protocol/workspaceAnswers'
import { MACHINES } from '@rackfair/protocol/workspaceText'
import { type Kem, makeEncryptionKeys, type PublicKeys, type StreamError } from '@rackfair/sealed'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { makeWorkspaceKey, type WorkspaceKey } from '../../testing/makeTicket.ts'
import { openWorkspace, readText, type VisitorWire } from '../../testing/openWorkspace.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { smartAccountsOf } from '../../testing/smartAccounts.ts'
import { createOwnerAdmission } from '../owner/createOwnerAdmission.ts'
import { createSignatureCheck } from '../owner/createSignatureCheck.ts'
import { createWorkspaceKeys } from '../owner/createWorkspaceKeys.ts'
import { createStreamDesk } from './createStreamDesk.ts'
import { createWorkspaceServer, type VisitorPeer, type WorkspaceServer } from './createWorkspaceServer.ts'
import { WorkspaceError, type WorkspaceHandler } from './WorkspaceChannel.ts'

const SITE = 'https://market.example'
const OTHER = 'https://other-market.example'
const PLATFORMS = [SITE, OTHER]
const DAY = 86_400

describe('the workspaces of an agent, against a real chain', () => {
  let market: Awaited<ReturnType<typeof setupVerify>>
  let accounts: ReturnType<typeof smartAccountsOf>
  let server: WorkspaceServer
  let agent: PublicKeys
  let orderId: bigint
  let otherOrder: bigint
  const clock = { offset: 0 }
  const now = () => Math.floor(Date.now() / 1000) + clock.offset
  const platforms = new Map<string, VisitorPeer>()
  const wires = new Map<string, { message: (bytes: Uint8Array) => void; closed: (code: string) => void }>()
  const said: string[] = []
  let visitors = 0

  const echo: WorkspaceHandler = async (_, _request, channel) => {
    for await (const chunk of channel.incoming) await channel.write(chunk)
  }
  const handlers: Record<string, WorkspaceHandler> = {
    async logs(order, request, channel) {
      await channel.write(Buffer.from(`order ${order} ${JSON.stringify(request)}`))
    },
    terminal: echo,
    exec: echo,
    async files() {
      throw new WorkspaceError('file_not_found', 'there is no such file')
    },
    async usage() {
      throw new Error('a secret of the agent')
    },
  }

  const ofProvider: Record<string, WorkspaceHandler> = {
    async machines(order, _, channel) {
      await channel.write(Buffer.from(`machines ${order}`))
    },
  }

  beforeAll(async () => {
    market = await setupVerify(4)
    accounts = smartAccountsOf(market)
    const { user, otherUser } = market.chain.accounts
    orderId = await market.buyer.buy(market.provider, 1n, 1, user)
    otherOrder = await market.buyer.buy(market.provider, 2n, 1, otherUser)
    const keys = await makeEncryptionKeys()
    agent = keys.publicKeys
    const log = sayingLog((message, facts) => said.push(`${message} ${JSON.stringify(facts)}`))
    const facts = { chainId: market.chain.chainId, provider: market.provider }
    server = createWorkspaceServer({
      ...facts,
      keys,
      admission: createOwnerAdmission({
        ...facts,
        chain: market.context.chain,
        isSigned: createSignatureCheck(market.context.chain),
        keys: createWorkspaceKeys(market.context.state, now),
        sites: () => [SITE],
        now,
      }),
      desk: createStreamDesk((order) => (order === MACHINES ? ofProvider : handlers), log),
      checkMs: 100,
      log,
    })
    for (const platform of PLATFORMS)
      platforms.set(
        platform,
        server.join(
          {
            send: async (visitor, bytes) => wires.get(`${platform} ${visitor}`)?.message(bytes.slice()),
            close: (visitor, code) => wires.get(`${platform} ${visitor}`)?.closed(code),
          },
          platform,
        ),
      )
  })
  afterEach(() => {
    clock.offset = 0
  })
  afterAll(async () => {
    await server?.stop()
    await market?.close()
  })

  /** As a platform forwards a visitor. */
  const visit = (caller?: string, platform = SITE, visitor = newVisitor()): VisitorWire => {
    const peer = platforms.get(platform) as VisitorPeer
    let closed: ((code: string) => void) | undefined
    let early: string | undefined
    wires.set(`${platform} ${visitor}`, {
      message: () => undefined,
      closed(code) {
        early = code
        closed?.(code)
      },
    })
    peer.open(visitor, caller ?? `network ${visitor}`)
    return {
      send: async (bytes) => peer.receive(visitor, bytes.slice()),
      close: () => peer.closed(visitor),
      listen(message, onClosed) {
        closed = onClosed
        wires.set(`${platform} ${visitor}`, { message, closed: onClosed })
        if (early !== undefined) onClosed(early)
      },
    }
  }
  const newVisitor = () => {
    visitors += 1
    return visitors
  }
  const facts = () => ({
    ...{ orderId, provider: market.provider, gateway: 'http://127.0.0.1:7070', chainId: market.chain.chainId, site: SITE },
  })
  type Change = Partial<Parameters<typeof makeWorkspaceKey>[1]>
  const key = (change: Change = {}, wallet: Parameters<typeof makeWorkspaceKey>[0] = market.chain.accounts.user) =>
    makeWorkspaceKey(wallet, { ...facts(), ...change })
  const open = (
    mine: WorkspaceKey,
    change: { kem?: Kem; time?: number; orderId?: bigint; wire?: VisitorWire; agent?: PublicKeys } = {},
  ) =>
    openWorkspace({
      agent,
      chainId: market.chain.chainId,
      provider: market.provider,
      key: mine,
      ...change,
      wire: change.wire ?? visit(),
    })
  const codeOf = (work: Promise<{ close(): Promise<void> }>) =>
    work.then(
      async (opened) => {
        await opened.close()
        return 'open'
      },
      (error: StreamError) => error.code,
    )

  it.each(['x25519', 'p256'] as const)('admits keys that the owner signed for (%s), and serves streams by kind', async (kem) => {
    const workspace = await open(await key(), { kem })
    expect(await readText(workspace.open('logs', { tail: 5 }))).toBe(`order ${orderId} {"tail":5}`)
    const terminal = workspace.open('terminal')
    await terminal.write(Buffer.from('ls'))
    terminal.end()
    expect(await readText(terminal)).toBe('ls')
    await workspace.close()
    await expect.poll(() => server.visitors()).toBe(0)
  })

  it('admits the provider to its machines only, never to its renters’ data, and nobody else', async () => {
    const { provider, user } = market.chain.accounts
    const workspace = await open(await key({ orderId: MACHINES }, provider))
    expect(await readText(workspace.open('machines'))).toBe('machines 0')
    for (const kind of ['logs', 'terminal', 'files', 'usage'])
      await expect(workspace.open(kind).closed).rejects.toMatchObject({ code: 'workspace_unsupported' })
    await workspace.close()
    expect(await codeOf(open(await key({ orderId: MACHINES }, user)))).toBe('order_not_owned')
    expect(await codeOf(open(await key({ orderId: MACHINES, wallet: provider.address }, user)))).toBe('order_not_owned')
    expect(await codeOf(open(await key({}, provider)))).toBe('order_not_owned')
    const renter = await open(await key())
    await expect(renter.open('machines').closed).rejects.toMatchObject({ code: 'workspace_unsupported' })
    await renter.close()
  })

  it('ends a stream with the code of its handler, and discloses no internal error', async () => {
    const workspace = await open(await key())
    await expect(workspace.open('files').closed).rejects.toMatchObject({ code: 'file_not_found' })
    await expect(workspace.open('usage').closed).rejects.toMatchObject({ code: 'internal', message: 'the agent failed' })
    expect(said.join()).toContain('a secret of the agent')
    await expect(workspace.open('toString').closed).rejects.toMatchObject({ code: 'workspace_unsupported' })
    await expect(workspace.session.open(Buffer.from('{')).closed).rejects.toMatchObject({ code: 'bad_request' })
    await workspace.close()
  })

  it('refuses a grant not signed by the owner for this order, provider, chain, page and time', async () => {
    const { otherUser } = market.chain.accounts
    const time = now()
    const refusals: [string, Change][] = [
      ['order_not_owned', { orderId: otherOrder }],
      ['order_not_owned', { wallet: otherUser.address }],
      ['order_not_found', { orderId: 999n }],
      ['wrong_provider', { provider: '0x00000000000000000000000000000000000000aa' }],
      ['wrong_chain', { chainId: 985 }],
      ['order_not_owned', { site: 'https://other.example' }],
      ['key_expired', { issuedAt: time - 3 * DAY, expiresAt: time - DAY }],
      ['text_too_old', { issuedAt: time, expiresAt: time + 8 * DAY }],
      ['text_in_future', { issuedAt: time + 120 }],
    ]
    for (const [code, change] of refusals)
      expect([code, change, await codeOf(open(await key(change)))]).toEqual([code, change, code])
    expect(await codeOf(open(await key({}, otherUser)))).toBe('order_not_owned')
    expect(await codeOf(open({ ...(await key()), grant: 'a text' }))).toBe('text_malformed')
    expect(await codeOf(open(await key({ provider: market.chain.accounts.otherProvider.address })))).toBe('wrong_provider')
  })

  it('refuses a proof of another key, order or time, and a replayed one', async () => {
    const [mine, another] = [await key(), await key()]
    expect(await codeOf(open({ ...mine, pair: another.pair }))).toBe('wrong_signer')
    expect(await codeOf(open(mine, { orderId: otherOrder }))).toBe('wrong_signer')
    expect(await codeOf(open(mine, { time: now() - 400 }))).toBe('text_too_old')
    expect(await codeOf(open(mine, { time: now() + 120 }))).toBe('text_in_future')
    const first = await open(mine)
    const again = visit()
    const answers: Uint8Array[] = []
    const closed = new Promise<string>((resolve) => again.listen((bytes) => answers.push(bytes), resolve))
    await again.send(first.sealed)
    // A sealed answer that the replayer has no key to open; then the end.
    expect(await closed).toBe('text_replayed')
    await first.close()
  })

  it('refuses messages sealed to other keys or changed in transit', async () => {
    const { publicKeys } = await makeEncryptionKeys()
    expect(await codeOf(open(await key(), { agent: publicKeys }))).toBe('stream_broken')
    const wire = visit()
    const spoiled = { ...wire, send: (bytes: Uint8Array) => wire.send(bytes.map((byte, at) => (at === 70 ? byte ^ 1 : byte))) }
    expect(await codeOf(open(await key(), { wire: spoiled }))).toBe('stream_broken')
  })

  it('lists the keys of the order, and ends every session of a revoked one', async () => {
    const [mine, lost] = [await key(), await key()]
    const [workspace, thief] = [await open(mine), await open(lost)]
    const held = thief.open('terminal')
    const lostKey = /urn:rackfair:key:(\S+)/.exec(lost.grant)?.[1] ?? ''
    const listed = await workspace.ask<RegisteredKey[]>('keys', { action: 'list' })
    expect(listed.find((one) => one.key === lostKey)).toMatchObject({ revokedAt: null, own: false })
    expect(listed.filter(({ own }) => own)).toHaveLength(1)
    const after = await workspace.ask<RegisteredKey[]>('keys', { action: 'revoke', key: lostKey })
    expect(after.find((one) => one.key === lostKey)?.revokedAt).toBeGreaterThan(0)
    await expect(held.closed).rejects.toMatchObject({ code: 'key_revoked' })
    expect(await thief.ended).toMatchObject({ code: 'key_revoked' })
    expect(await codeOf(open(lost))).toBe('key_revoked')
    expect(await codeOf(open(mine))).toBe('open')
    await workspace.close()
  })

  it('ends when the key expires', async () => {
    const time = now()
    const workspace = await open(await key({ issuedAt: time, expiresAt: time + 3600 }))
    clock.offset = 3601
    expect(await workspace.ended).toMatchObject({ code: 'key_expired' })
  })

  it('accepts a smart account as long as its current owner signed (ERC-1271), even during a session', async () => {
    const { user, otherUser } = market.chain.accounts
    const wallet: Address = '0x00000000000000000000000000000000000a11ce'
    await accounts.setOwner(wallet, user.address)
    const order = await accounts.buyAs(wallet, 3n)
    const as = (signer: typeof user) => key({ orderId: order, wallet }, signer)
    const mine = await as(user)
    const workspace = await open(mine)
    expect(await codeOf(open(await as(otherUser)))).toBe('order_not_owned')
    await accounts.setOwner(wallet, otherUser.address)
    expect(await workspace.ended).toMatchObject({ code: 'order_not_owned' })
    expect(await codeOf(open(mine))).toBe('order_not_owned')
    expect(await codeOf(open(await as(otherUser)))).toBe('open')
  })

  it('accepts an undeployed account if its factory would create one for the signer (ERC-6492)', async () => {
    const { user, otherUser } = market.chain.accounts
    const wallet = accounts.addressOf(user.address)
    const order = await accounts.buyAs(wallet, 4n)
    const as = (signer: typeof user) => {
      const signMessage = async (of: Parameters<typeof signer.signMessage>[0]) =>
        accounts.wrap(user.address, await signer.signMessage(of))
      return key({ orderId: order, wallet }, { address: wallet, signMessage })
    }
    expect(await codeOf(open(await as(user)))).toBe('open')
    expect(await codeOf(open(await as(otherUser)))).toBe('order_not_owned')
  })

  it('allows 16 streams per order and 8 terminals, from all browsers together', async () => {
    const [one, two] = [await open(await key()), await open(await key())]
    const eight = async (kind: string) => {
      const streams = Array.from({ length: 8 }, (_, index) => (index % 2 ? one : two).open(kind))
      await Promise.all(streams.map((stream) => stream.write(Buffer.from('x'))))
      for (const stream of streams) await stream.incoming[Symbol.asyncIterator]().next()
      return streams
    }
    const tooMany = { code: 'too_many_streams' }
    const terminals = await eight('terminal')
    await expect(one.open('terminal').closed).rejects.toMatchObject(tooMany)
    expect(await readText(two.open('logs'))).toContain('order')
    const others = await eight('exec')
    for (const kind of ['exec', 'logs']) await expect(two.open(kind).closed).rejects.toMatchObject(tooMany)
    for (const stream of [...terminals, ...others]) stream.end()
    await Promise.all([...terminals, ...others].map((stream) => readText(stream)))
    const terminal = one.open('terminal')
    terminal.end()
    await terminal.closed
    await Promise.all([one.close(), two.close()])
  })

  it('stalls only the stream that a reader stops reading', async () => {
    const workspace = await open(await key())
    const held = workspace.open('terminal')
    let sent = 0
    void (async () => {
      for (;;) {
        await held.write(new Uint8Array(16_384))
        sent += 16_384
      }
    })().catch(() => undefined)
    // The echo fills this side's window, then the other side's.
    await expect.poll(() => sent).toBeGreaterThanOrEqual(512 * 1024)
    expect(await readText(workspace.open('logs'))).toContain('order')
    expect(sent).toBeLessThanOrEqual(544 * 1024)
    await workspace.close()
  })

  it('disconnects senders of malformed or oversized messages', async () => {
    for (const bytes of [Buffer.from('x'), Buffer.alloc(20_000)]) {
      const wire = visit()
      const closed = new Promise<string>((resolve) => wire.listen(() => undefined, resolve))
      await wire.send(bytes)
      expect(await closed).toBe('stream_broken')
    }
  })

  it('throttles a network that opens session after session', async () => {
    // All at once: on a busy machine, one after another may be seldom enough.
    const codes = await Promise.all(
      Array.from({ length: 40 }, () => {
        const wire = visit('203.0.113.9')
        const closed = new Promise<string>((resolve) => wire.listen(() => undefined, resolve))
        void wire.send(Buffer.from('x'))
        return closed
      }),
    )
    expect([codes[0], codes.at(-1)]).toEqual(['stream_broken', 'rate_limited'])
    expect(await codeOf(open(await key()))).toBe('open')
  })

  it('serves an order through two platforms as one: a key revoked through one is revoked, and no proof is good at both', async () => {
    const [mine, lost] = [await key(), await key()]
    const workspace = await open(mine, { wire: visit(undefined, OTHER, 1) })
    const thief = await open(lost, { wire: visit(undefined, SITE, 1) })
    const again = visit(undefined, OTHER)
    const replayed = new Promise<string>((resolve) => again.listen(() => undefined, resolve))
    await again.send(thief.sealed)
    expect(await replayed).toBe('text_replayed')
    const lostKey = /urn:rackfair:key:(\S+)/.exec(lost.grant)?.[1] ?? ''
    await workspace.ask('keys', { action: 'revoke', key: lostKey })
    expect(await thief.ended).toMatchObject({ code: 'key_revoked' })
    platforms.get(SITE)?.disconnected()
    expect(await readText(workspace.open('logs'))).toContain('order')
    await workspace.close()
  })

  it('lets a platform that floods it with visitors and sign-ins take nothing from another', async () => {
    const sealed = new Uint8Array(2000)
    const held = Array.from({ length: 1100 }, () => visit(undefined, OTHER))
    const codes: string[] = []
    for (const wire of held)
      wire.listen(
        () => undefined,
        (code) => codes.push(code),
      )
    expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThan(70)
    await expect(open(await key(), { wire: visit(undefined, OTHER) })).rejects.toMatchObject({ code: 'rate_limited' })
    expect(await codeOf(open(await key()))).toBe('open')
    // Each as from another network, as a platform may claim.
    await Promise.all(held.map((wire) => wire.send(sealed)))
    expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThan(600)
    expect(await codeOf(open(await key()))).toBe('open')
    await expect.poll(() => server.visitors(), { timeout: 60_000 }).toBe(0)
  })

  it('ends with the order', async () => {
    const workspace = await open(await key())
    await market.buyer.cancel(orderId)
    expect(await workspace.ended).toMatchObject({ code: 'order_not_active' })
    expect(await codeOf(open(await key()))).toBe('order_not_active')
  })

  it('refuses new sessions while the chain is unreachable, and keeps existing ones', async () => {
    const { otherUser } = market.chain.accounts
    const workspace = await open(await key({ orderId: otherOrder }, otherUser))
    await market.chain.stop()
    expect(await codeOf(open(await key({ orderId: otherOrder }, otherUser)))).toBe('chain_unreachable')
    expect(await readText(workspace.open('logs'))).toContain('order')
    await workspace.close()
  })
})
