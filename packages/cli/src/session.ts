import { readFileSync } from 'node:fs'
import { AppError } from '@rackfair/rules/errors/AppError'
import { formatCredit } from '@rackfair/rules/money'
import { connectMarket, type Market, type Renter, type SentTransaction, withAccount, withPurse } from '@rackfair/sdk'
import { openWorkspace, type Workspace } from '@rackfair/sdk/workspace'
import { type Address, type Hex, isAddress, isHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { CliError, EXIT } from './exitCodes.ts'
import { defaultKeystore, openKeystore, readKeystore } from './key/keystore.ts'
import { createWorkspaceKeys } from './key/workspaceKeys.ts'
import { ask, askHidden, canAsk } from './terminal/ask.ts'
import { createOutput, type Output } from './terminal/output.ts'
import { type Texts, textsOf } from './texts/index.ts'
import { untilIndexed } from './untilIndexed.ts'

/** Options of every command. */
export interface GlobalOptions {
  platform?: readonly string[]
  rpc?: string
  access?: string
  keystore?: string
  purse?: string
  json?: boolean
  yes?: boolean
}

/** The context of one run of the command line. */
export interface Session {
  text: Texts
  output: Output
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  market(): Promise<Market>
  /** The account of the key, without a network request. */
  account(): Promise<PrivateKeyAccount>
  /** Acts for the purse of RACKFAIR_PURSE, if there is one. */
  renter(): Promise<Renter>
  workspace(orderId: bigint): Promise<Workspace>
  keystoreFile: string
  /** Prompts for a new or an existing password. */
  password(question: string): Promise<string>
  /** Asks before money is spent. @throws CliError `not_confirmed` */
  confirm(question: string): Promise<void>
  /** Records a sent transaction, to be reported on an interrupt. */
  onSent(sent: SentTransaction): void
  /** Records what was bought or refunded. */
  paid(line: string): void
  /** Waits until the platform has read the chain up to a block; see `untilIndexed`. */
  untilIndexed(block: bigint): Promise<void>
  close(): void
}

const DEFAULT_PLATFORM = 'http://127.0.0.1:3000'
const MAX_PASSWORD_BYTES = 4096

export function createSession(options: GlobalOptions, signal: AbortSignal, spent: string[]): Session {
  const { env } = process
  const text = textsOf(env)
  const output = createOutput({ json: options.json === true })
  const keystoreFile = options.keystore ?? setting(env, 'RACKFAIR_KEYSTORE') ?? defaultKeystore(env)
  const workspaces: Workspace[] = []
  let market: Promise<Market> | undefined
  let renter: Promise<Renter> | undefined

  const password = async (question: string) => {
    if (env.RACKFAIR_PASSWORD !== undefined) return env.RACKFAIR_PASSWORD
    if (env.RACKFAIR_PASSWORD_FILE !== undefined) return readPassword(env.RACKFAIR_PASSWORD_FILE, text)
    if (!canAsk()) throw new CliError(EXIT.key, 'key_password', text.noPassword)
    return askHidden(question, signal)
  }
  let account: Promise<PrivateKeyAccount> | undefined
  const readKey = async (): Promise<Hex> => {
    const given = setting(env, 'RACKFAIR_KEY')
    if (given !== undefined) return keyOf(given, text)
    return openKeystore(readKeystore(keystoreFile), await password(text.askPassword(keystoreFile)))
  }
  const connect = () => {
    const platforms = options.platform ?? [setting(env, 'RACKFAIR_PLATFORM') ?? DEFAULT_PLATFORM]
    const platform = platforms.flatMap((one) => one.split(',').map((url) => url.trim()))
    const access = options.access ?? setting(env, 'RACKFAIR_ACCESS')
    const bad = platform.find((one) => !/^https?:\/\/[^/?#]+\/?$/.test(one))
    if (bad !== undefined) throw new CliError(EXIT.usage, 'bad_request', text.badPlatform(bad))
    if (access !== undefined && !isAddress(access)) throw new CliError(EXIT.usage, 'bad_request', text.badAddress(access))
    output.progress(text.connecting(platform.join(', ')))
    return connectMarket({ platform, rpcUrl: options.rpc ?? setting(env, 'RACKFAIR_RPC'), access: access as Address | undefined })
  }
  const session: Session = {
    ...{ text, output, signal, keystoreFile, password },
    market() {
      market ??= connect()
      return market
    },
    account() {
      account ??= readKey().then((key) => accountOf(key, text))
      return account
    },
    renter() {
      const purse = options.purse ?? setting(env, 'RACKFAIR_PURSE')
      if (purse !== undefined && !isAddress(purse)) throw new CliError(EXIT.usage, 'bad_request', text.badAddress(purse))
      renter ??= Promise.all([session.market(), session.account()]).then(([found, own]) => {
        const acting = withAccount(found, own)
        return purse === undefined ? acting : withPurse(acting, purse)
      })
      return renter
    },
    async workspace(orderId) {
      const found = await session.renter()
      output.progress(text.connectingWorkspace)
      const workspace = await openWorkspace(found, orderId, { keys: createWorkspaceKeys(env) })
      workspaces.push(workspace)
      return workspace
    },
    async confirm(question) {
      if (options.yes) return
      if (!canAsk()) throw new CliError(EXIT.notConfirmed, 'not_confirmed', `${question}\n${text.needsYes}`)
      if (!/^(y|yes|是|好)$/i.test(await ask(`${question} ${text.yesNo}`, signal)))
        throw new CliError(EXIT.notConfirmed, 'not_confirmed', text.notDone)
    },
    onSent({ step, hash }) {
      spent.push(text.sent(hash))
      if (step === 'pay') output.progress(text.waitingFor(hash))
    },
    paid(line) {
      spent.splice(0, spent.length, line)
    },
    async untilIndexed(block) {
      await untilIndexed((await session.market()).api, block, signal)
    },
    close() {
      for (const workspace of workspaces) workspace.close()
    },
  }
  return session
}

/** A value of the environment. Files that it comes from may end with a carriage return or a blank, and begin with a byte order mark. */
export const setting = (env: NodeJS.ProcessEnv, name: string): string | undefined => env[name]?.trim()

/** @throws CliError `key_unreadable`, without the value */
export function keyOf(given: string, text: Texts): Hex {
  if (!isHex(given) || given.length !== 66) throw new CliError(EXIT.key, 'key_unreadable', text.badKey)
  return given
}

function readPassword(file: string, text: Texts): string {
  try {
    return readFileSync(file.trim(), 'utf8')
      .slice(0, MAX_PASSWORD_BYTES)
      .replace(/\r?\n$/, '')
  } catch (error) {
    throw new CliError(EXIT.key, 'key_password', text.badPasswordFile(file.trim(), (error as NodeJS.ErrnoException).code ?? ''))
  }
}

function accountOf(key: Hex, text: Texts) {
  try {
    return privateKeyToAccount(key)
  } catch {
    throw new CliError(EXIT.key, 'key_unreadable', text.badKey)
  }
}

/** @throws CliError if the value is not an order id. */
export function orderIdOf(value: string, text: Texts): bigint {
  if (!/^\d{1,19}$/.test(value)) throw new CliError(EXIT.usage, 'bad_request', text.badOrder(value))
  return BigInt(value)
}

/** Credit as USD for people, with cents; digits below a millionth are cut off. JSON and receipts have all of them. */
export const usd = (wei: bigint): string => formatCredit(wei, { min: 2, max: 6 })

/** Credit as USD, exactly, with cents. */
export const exactUsd = (wei: bigint): string => formatCredit(wei, { min: 2 })

/** How a failure is reported to the user: a translated sentence if there is one, and the code. */
export function sentenceOf(error: unknown, text: Texts): { code: string; message: string } {
  if (error instanceof CliError) return { code: error.code, message: error.message }
  if (error instanceof AppError) {
    // The code can be a stranger's, such as `__proto__`.
    const known = Object.hasOwn(text.errors, error.code) ? text.errors[error.code as keyof Texts['errors']] : undefined
    return { code: error.code, message: known === undefined ? error.message : `${known(error.facts)}` }
  }
  return { code: 'unknown', message: error instanceof Error ? error.message : String(error) }
}
