import type { SshKey } from '@rackfair/protocol/workspaceAnswers'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { AgentDb } from '../../db/openAgentDb.ts'
import { WorkspaceError } from '../workspace/WorkspaceChannel.ts'
import { parsePublicKey } from './parsePublicKey.ts'

const MAX_KEYS = 16

/** A key as it is stored: for the owner who registered it, and by which key of a browser or program. */
export interface SshKeyRow {
  fingerprint: string
  line: string
  wallet: LowerCaseAddress
}

/**
 * The public keys that may sign in to orders by SSH. A key is of the wallet that owned the order when it was registered: who buys the
 * account of an order shares it with nobody. It goes with the workspace key that registered it, when that is revoked.
 */
export function createSshKeys({ db }: Pick<AgentDb, 'db'>, now: () => number) {
  const statements = {
    rows: db.prepare('SELECT * FROM sshKey WHERE orderId = ? AND wallet = ? ORDER BY addedAt, fingerprint'),
    one: db.prepare('SELECT fingerprint, line, wallet FROM sshKey WHERE orderId = ? AND fingerprint = ?'),
    put: db.prepare(
      `INSERT INTO sshKey (orderId, fingerprint, type, line, comment, wallet, registeredBy, addedAt) VALUES (?,?,?,?,?,?,?,?)
       ON CONFLICT (orderId, fingerprint) DO UPDATE SET comment = excluded.comment, wallet = excluded.wallet,
       registeredBy = excluded.registeredBy, addedAt = excluded.addedAt, usedAt = CASE wallet WHEN excluded.wallet THEN usedAt END`,
    ),
    used: db.prepare('UPDATE sshKey SET usedAt = ? WHERE orderId = ? AND fingerprint = ?'),
    remove: db.prepare('DELETE FROM sshKey WHERE orderId = ? AND fingerprint = ?'),
    removeOf: db.prepare('DELETE FROM sshKey WHERE orderId = ? AND registeredBy = ?'),
    removeOrder: db.prepare('DELETE FROM sshKey WHERE orderId = ?'),
    orders: db.prepare('SELECT DISTINCT orderId FROM sshKey'),
  }
  const list = (orderId: bigint, wallet: LowerCaseAddress): SshKey[] =>
    (statements.rows.all(String(orderId), wallet) as unknown as SshKey[]).map(
      ({ type, fingerprint, comment, addedAt, usedAt }) => ({ type, fingerprint, comment, addedAt, usedAt }),
    )

  return {
    list,
    /** @throws WorkspaceError `ssh_key_refused`, `too_many_keys`. A key that is there already is named anew. */
    add(orderId: bigint, text: string, owner: { wallet: LowerCaseAddress; registeredBy: string }): void {
      const { type, fingerprint, comment, line } = parsePublicKey(text)
      const { wallet } = owner
      const others = list(orderId, wallet).filter((one) => one.fingerprint !== fingerprint)
      if (others.length >= MAX_KEYS)
        throw new WorkspaceError('too_many_keys', `an order has at most ${MAX_KEYS} SSH keys; remove one of them`)
      statements.put.run(String(orderId), fingerprint, type, line, comment, wallet, owner.registeredBy, now())
    },
    find: (orderId: bigint, fingerprint: string) =>
      statements.one.get(String(orderId), fingerprint) as unknown as SshKeyRow | undefined,
    noteUse: (orderId: bigint, fingerprint: string) => void statements.used.run(now(), String(orderId), fingerprint),
    remove: (orderId: bigint, fingerprint: string) => void statements.remove.run(String(orderId), fingerprint),
    /** Those that a workspace key registered, which was revoked. */
    removeOf: (orderId: bigint, registeredBy: string) => void statements.removeOf.run(String(orderId), registeredBy),
    removeOrder: (orderId: bigint) => void statements.removeOrder.run(String(orderId)),
    orders: () => (statements.orders.all() as { orderId: string }[]).map(({ orderId }) => BigInt(orderId)),
  }
}
export type SshKeys = ReturnType<typeof createSshKeys>
