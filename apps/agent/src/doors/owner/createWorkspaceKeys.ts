import type { RegisteredKey } from '@rackfair/protocol/workspaceAnswers'
import type { WorkspaceGrant } from '@rackfair/protocol/workspaceText'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { AgentDb } from '../../db/openAgentDb.ts'
import { WorkspaceError } from '../workspace/WorkspaceChannel.ts'

/** Keys of one order that are good at once. The one that was used longest ago makes room. */
const MAX_KEYS = 16
/** With those that were revoked: they are kept until their end, so that they stay revoked. */
const MAX_ROWS = 256

/** The keys of browsers that began a session with an order of this agent, and which of them were revoked. */
export function createWorkspaceKeys({ db }: Pick<AgentDb, 'db'>, now: () => number) {
  const statements = {
    forget: db.prepare('DELETE FROM workspaceKey WHERE expiresAt <= ?'),
    one: db.prepare('SELECT revokedAt FROM workspaceKey WHERE orderId = ? AND key = ?'),
    rows: db.prepare(
      'SELECT key, wallet, issuedAt, expiresAt, usedAt, revokedAt FROM workspaceKey WHERE orderId = ? ORDER BY usedAt DESC, key',
    ),
    put: db.prepare(
      `INSERT INTO workspaceKey (orderId, key, wallet, issuedAt, expiresAt, usedAt) VALUES (?,?,?,?,?,?)
       ON CONFLICT (orderId, key) DO UPDATE SET usedAt = excluded.usedAt, expiresAt = max(expiresAt, excluded.expiresAt)`,
    ),
    revoke: db.prepare('UPDATE workspaceKey SET revokedAt = ? WHERE orderId = ? AND key = ? AND revokedAt IS NULL'),
  }
  type Row = Omit<RegisteredKey, 'own'> & { wallet: LowerCaseAddress }
  const rowsOf = (orderId: bigint) => statements.rows.all(String(orderId)) as unknown as Row[]
  const isRevoked = (orderId: bigint, key: string): boolean =>
    ((statements.one.get(String(orderId), key) as { revokedAt: number | null } | undefined)?.revokedAt ?? null) !== null
  const revoke = (orderId: bigint, key: string): boolean => statements.revoke.run(now(), String(orderId), key).changes > 0

  return {
    isRevoked,
    revoke,
    /** Notes that a key is in use. Answers the keys that had to make room. @throws WorkspaceError `key_revoked`. */
    use({ orderId, key, wallet, issuedAt, expiresAt }: WorkspaceGrant): string[] {
      statements.forget.run(now())
      if (isRevoked(orderId, key)) throw new WorkspaceError('key_revoked', 'the key of this browser was revoked')
      const rows = rowsOf(orderId).filter((row) => row.key !== key)
      if (rows.length >= MAX_ROWS)
        throw new WorkspaceError('rate_limited', 'too many keys of this order; wait until some have expired')
      statements.put.run(String(orderId), key, lowerCaseAddress(wallet), issuedAt, expiresAt, now())
      const crowded = rows.filter((row) => row.revokedAt === null).slice(MAX_KEYS - 1)
      for (const row of crowded) revoke(orderId, row.key)
      return crowded.map((row) => row.key)
    },
    /** Those that the order's owner of today signed for; a former owner's are nobody's business. */
    list: (orderId: bigint, user: LowerCaseAddress, own: string): RegisteredKey[] =>
      rowsOf(orderId)
        .filter(({ wallet }) => wallet === user)
        .map(({ wallet: _, ...row }) => ({ ...row, own: row.key === own })),
  }
}
export type WorkspaceKeys = ReturnType<typeof createWorkspaceKeys>
