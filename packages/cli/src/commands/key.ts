import {
  changeKey,
  grantKey,
  type KeyLimits,
  PURSE_RIGHTS,
  type PurseKey,
  type PurseRight,
  readPurse,
  revokeKey,
} from '@rackfair/sdk'
import { type Address, type Hex, isAddress, isAddressEqual } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { CliError, EXIT } from '../exitCodes.ts'
import { writeKeystore } from '../key/keystore.ts'
import { keyOf, type Session, setting, usd } from '../session.ts'
import { table } from '../terminal/output.ts'
import { amountOf, wholeOf } from './market.ts'
import { timeOf } from './orders.ts'
import { ownPurse } from './ownPurse.ts'

export async function newKey(session: Session): Promise<void> {
  await keep(session, generatePrivateKey())
}

/** The key is read from the environment: an argument would show up in the process list and in the shell's history. */
export async function importKey(session: Session): Promise<void> {
  const key = setting(process.env, 'RACKFAIR_KEY')
  if (key === undefined) throw new CliError(EXIT.key, 'key_missing', session.text.needKey)
  await keep(session, keyOf(key, session.text))
}

export async function keyAddress(session: Session): Promise<void> {
  const { address } = await session.account()
  session.output.data({ address }, address)
}

async function keep({ text, output, keystoreFile, password }: Session, key: Hex): Promise<void> {
  const { address } = privateKeyToAccount(key)
  const first = await password(text.newPassword)
  if (first === '') throw new CliError(EXIT.key, 'key_password', text.emptyPassword)
  if (first !== (await password(text.samePassword))) throw new CliError(EXIT.key, 'key_password', text.otherPassword)
  await writeKeystore(keystoreFile, key, first)
  output.note(text.keyWritten(keystoreFile))
  output.data({ address, keystore: keystoreFile }, address)
}

export interface GrantFlags {
  total?: string
  perDay?: string
  maxMonth?: string
  maxGpuHour?: string
  maxHours?: string
  days?: string
  provider?: string[]
  may?: string
}

const DAY_SECONDS = 86_400

/** Grants a key of the purse: a new one, whose private key is printed once, or one that is named. One that has a grant gets other limits. */
export async function grant(session: Session, key: string | undefined, flags: GrantFlags): Promise<void> {
  const { text, output } = session
  const limits = limitsOf(session, flags)
  const privateKey = key === undefined ? generatePrivateKey() : undefined
  const address = privateKey === undefined ? addressOf(session, key) : privateKeyToAccount(privateKey).address
  const { owner, purse } = await ownPurse(session)
  const { keys } = await readPurse(owner, purse)
  const isKnown = keys.some((one) => !one.isRevoked && isAddressEqual(one.key, address))
  await session.confirm(text.confirmGrant(address, usd(limits.totalWei), usd(limits.refillWei ?? 0n), timeOf(limits.validUntil)))
  const { hash } = await (isKnown ? changeKey : grantKey)(owner, purse, address, limits, {
    onSent: session.onSent,
    signal: session.signal,
  })
  session.paid(text.granted(address, hash))
  output.note(text.granted(address, hash))
  const lines = [...(privateKey === undefined ? [] : [`RACKFAIR_KEY=${privateKey}`]), `RACKFAIR_PURSE=${purse}`]
  output.data({ address, purse, ...(privateKey && { privateKey }), hash }, lines.join('\n'))
}

export async function listKeys(session: Session): Promise<void> {
  const { text, output } = session
  const { owner, purse } = await ownPurse(session)
  const { keys } = await readPurse(owner, purse)
  output.data(
    { purse, keys },
    keys.length === 0
      ? text.noKeys
      : table(
          text.heads.keys,
          keys.map((key) => rowOf(key, text)),
        ),
  )
}

export async function revoke(session: Session, key: string): Promise<void> {
  const { text, output } = session
  const address = addressOf(session, key)
  const { owner, purse } = await ownPurse(session)
  const { hash } = await revokeKey(owner, purse, address, { onSent: session.onSent, signal: session.signal })
  session.paid(text.revoked(address, hash))
  output.note(text.revoked(address, hash))
  output.data({ address, purse, hash }, address)
}

function rowOf(key: PurseKey, text: Session['text']): string[] {
  const isOver = key.isRevoked || key.validUntil < Date.now() / 1000
  return [
    ...[key.key, isOver ? text.keyStates.over : text.keyStates.valid, usd(key.leftWei), usd(key.totalWei), usd(key.refillWei)],
    ...[timeOf(key.validUntil), key.rights.join(' ')],
  ]
}

function limitsOf(session: Session, flags: GrantFlags): KeyLimits {
  const { text } = session
  const totalWei = amountOf(session, flags.total)
  if (totalWei === undefined) throw new CliError(EXIT.usage, 'bad_request', text.needTotal)
  const providers = flags.provider?.map((one) => addressOf(session, one))
  const rights = flags.may?.split(',') as PurseRight[] | undefined
  if (rights?.some((right) => !PURSE_RIGHTS.includes(right)))
    throw new CliError(EXIT.usage, 'bad_request', text.badRights(PURSE_RIGHTS.join(',')))
  return {
    ...{ totalWei, providers, rights },
    refillWei: amountOf(session, flags.perDay),
    maxMonthWei: amountOf(session, flags.maxMonth),
    maxGpuHourWei: amountOf(session, flags.maxGpuHour),
    maxTermHours: flags.maxHours === undefined ? undefined : wholeOf(session, flags.maxHours),
    validUntil: Math.floor(Date.now() / 1000) + wholeOf(session, flags.days ?? '30') * DAY_SECONDS,
  }
}

function addressOf({ text }: Session, value: string | undefined): Address {
  if (value === undefined || !isAddress(value)) throw new CliError(EXIT.usage, 'bad_request', text.badAddress(value ?? ''))
  return value
}
