import { createHash, randomBytes } from 'node:crypto'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isSignedBy } from '@rackfair/sdk'
import type { PublicClient } from 'viem'
import { generateSiweNonce } from 'viem/siwe'
import type { Database } from '../store/openStore.ts'
import { checkSignInMessage } from './checkSignInMessage.ts'

const NONCE_SECONDS = 600
export const SESSION_SECONDS = 7 * 86_400

export interface Session {
  address: LowerCaseAddress
  expires: number
}

/** Sign-in with ERC-4361: single-use nonces, and sessions of which only the token's hash is stored. */
export class Sessions {
  private readonly parts: { db: Database; client: PublicClient; chainId: number }

  constructor(parts: { db: Database; client: PublicClient; chainId: number }) {
    this.parts = parts
  }

  async nonce(): Promise<string> {
    const nonce = generateSiweNonce()
    await this.parts.db.deleteFrom('nonce').where('expires', '<', seconds()).execute()
    await this.parts.db
      .insertInto('nonce')
      .values({ nonce, expires: seconds() + NONCE_SECONDS })
      .execute()
    return nonce
  }

  /** Verifies a message and its signature, consumes the nonce and opens a session at one of `origins`, those of this site. */
  async signIn(
    message: string,
    signature: string,
    origins: readonly string[],
  ): Promise<Session & { token: string; origin: string }> {
    const { address, nonce, origin } = checkSignInMessage(message, { chainId: this.parts.chainId, origins, now: seconds() })
    const known = await this.parts.db
      .selectFrom('nonce')
      .select('nonce')
      .where('nonce', '=', nonce)
      .where('expires', '>=', seconds())
      .executeTakeFirst()
    if (!known)
      throw new AppError('nonce_unknown', 'the nonce was not given out here, or is used or too old', { facts: { status: 401 } })
    if (!(await isSignedBy(this.parts.client, address, message, signature))) {
      throw new AppError('signature_invalid', 'the message is not signed by its address', { facts: { status: 401 } })
    }
    const used = await this.parts.db.deleteFrom('nonce').where('nonce', '=', nonce).executeTakeFirst()
    if (Number(used.numDeletedRows) !== 1)
      throw new AppError('nonce_unknown', 'the nonce was used just now', { facts: { status: 401 } })
    const token = randomBytes(32).toString('base64url')
    const session = { address: lowerCaseAddress(address), expires: seconds() + SESSION_SECONDS }
    await this.parts.db
      .insertInto('session')
      .values({ tokenHash: hashOf(token), ...session })
      .execute()
    return { ...session, token, origin }
  }

  async find(token: string | undefined): Promise<Session | undefined> {
    if (!token) return undefined
    return this.parts.db
      .selectFrom('session')
      .select(['address', 'expires'])
      .where('tokenHash', '=', hashOf(token))
      .where('expires', '>', seconds())
      .executeTakeFirst()
  }

  async end(token: string | undefined): Promise<void> {
    if (token) await this.parts.db.deleteFrom('session').where('tokenHash', '=', hashOf(token)).execute()
  }

  async forgetExpired(): Promise<void> {
    await this.parts.db.deleteFrom('session').where('expires', '<', seconds()).execute()
    await this.parts.db.deleteFrom('nonce').where('expires', '<', seconds()).execute()
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
