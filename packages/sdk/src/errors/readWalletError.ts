import type { ErrorCode } from './ErrorCode.ts'

/** What viem's errors mean, by name: names survive bundling and a second copy of viem, `instanceof` does not. */
const BY_NAME: Readonly<Record<string, ErrorCode>> = {
  ChainMismatchError: 'wrong_network',
  SwitchChainError: 'wrong_network',
  ChainNotConfiguredError: 'wrong_network',
  ConnectorChainMismatchError: 'wrong_network',
  ConnectorNotConnectedError: 'not_connected',
  ConnectorAccountNotFoundError: 'not_connected',
  AccountNotFoundError: 'not_connected',
  ProviderDisconnectedError: 'not_connected',
  InsufficientFundsError: 'insufficient_gas',
  WaitForTransactionReceiptTimeoutError: 'transaction_timeout',
  WaitForCallsStatusTimeoutError: 'transaction_timeout',
  UnknownBundleIdError: 'transaction_unknown',
  HttpRequestError: 'rpc_unreachable',
  WebSocketRequestError: 'rpc_unreachable',
  SocketClosedError: 'rpc_unreachable',
  TimeoutError: 'rpc_unreachable',
  ContractFunctionZeroDataError: 'not_deployed_on_chain',
  WalletSilentError: 'wallet_silent',
  SentUnreadableError: 'transaction_unknown',
}

/** EIP-1193 and EIP-5792: the wallet was asked and the person said no, in a number. 5000 to 5003 are WalletConnect's, 0x6985 is Ledger's. */
const REFUSALS: ReadonlySet<string> = new Set(['4001', '5000', '5001', '5002', '5003', '5720', '27013', 'ACTION_REJECTED'])
/** The wallet, or this account in it, cannot do what was asked, whatever its person wishes. */
const UNABLE: ReadonlySet<string> = new Set([
  ...['4200', '-32601', '-32004', '5700', '5710', '5740', '5750', '5760', 'UNSUPPORTED_OPERATION', 'NOT_IMPLEMENTED'],
])
const OTHERS: Readonly<Record<string, ErrorCode>> = {
  '4900': 'not_connected',
  '4901': 'not_connected',
  '5730': 'transaction_unknown',
  INSUFFICIENT_FUNDS: 'insufficient_gas',
}
const LOCKED = '4100'

/** Words that say no with a person beside them; alone they may be anybody's. */
const WEAK_NO = /\brefus|did not (?:sign|confirm|allow)/i
const NO =
  /reject|\bden(?:y|ied|ies)\b|declin|cancel|disapprov|\babort|dismiss|(?:window|popup|modal|prompt) (?:was )?closed|closed (?:the )?(?:window|popup|modal|prompt)|not approved|did not approve|no consent|拒绝|拒絕|取消|拒否|キャンセル|거부|거절|취소|отклон|отмен|rechaz|recus|abgelehnt|abgebrochen|annul|rifiut/i
/** With these beside it a "no" is a person's, whatever else is said. */
const PERSON =
  /\busers?\b|\bowner\b|\bsigner\b|on (?:the|your) (?:device|ledger|trezor|phone)|\bby (?:you|device|hand)\b|0x6985|\b6985\b|Failure_(?:Action|Pin)Cancelled|用户|用戶|使用者|您|ユーザー|사용자|пользовател|usuario|usuário|utilisateur|utente|Benutzer|Nutzer/i
/** Ledger's status for a pressed reject button, in texts that say nothing else. */
const PRESSED_NO = /0x6985|Failure_(?:Action|Pin)Cancelled|ACTION_REJECTED|\bcode"?\s*[:=]\s*"?4001\b/i
/** Machines say no too: nodes, relays and policies. */
const MACHINE =
  /\bnode\b|network|\brpc\b|mempool|pool|sequencer|bundler|paymaster|relay|server|replacement|underpriced|nonce|\bgas\b|\bfee\b|\brates?\b|limit|quota|policy|polic|permission|access denied|origin|connection refused|ECONN|revert|contract|duplicate|insufficient|invalid|timed? ?out|not support|unsupported/i
const CANNOT =
  /not (?:been |yet )?(?:supported|implemented|enabled)|unsupported|(?:is|are)n['’]t supported|does(?: not|n['’]t) support|can(?:not|['’]t| not) sign|unable to sign|method[^.]{0,60}(?:not|n['’]t) (?:found|exist|available|allowed|permitted|authorized|been authorized|handled|recognized)|(?:unknown|unrecognized|invalid|no such|missing or invalid\. request\(\)) method|(?:does not|doesn['’]t) (?:exist|have)[^.]{0,30}method|0x6d00|0x6e00|blind sign|enable (?:contract|blind)|feature toggled misconfigured|response has no error or result|不支持|不支援/i

/** Words of a wallet that are read; the rest of a long message is not. */
const MAX_TEXT = 1000
const MAX_PARTS = 24

interface Part {
  code: string
  name: string
  text: string
  /** Whether the words are the library's own. */
  isViems: boolean
}

/**
 * What a wallet means by what it threw, in any dialect: its number, its name and its words are read, also of what it wraps. The code is
 * undefined where nothing is understood. A person's refusal is `user_rejected`; `wallet_unable` is said only where the wallet cannot.
 *
 * @example readWalletError({ code: -32603, message: 'Ledger device: denied by the user (0x6985)' }).code // 'user_rejected'
 */
export function readWalletError(thrown: unknown): { code: ErrorCode | undefined; message: string } {
  const parts = partsOf(thrown)
  const message = parts.find(({ text }) => text !== '')?.text ?? 'The wallet gave no reason'
  return { code: meaningOf(parts), message }
}

function meaningOf(parts: readonly Part[]): ErrorCode | undefined {
  const words = parts.map(({ text }) => text).join('\n')
  // What a node answers over HTTP is no wallet's word.
  const isWallets = !parts.some(({ name }) => name === 'RpcRequestError')
  if (isWallets) {
    if (parts.some(({ code }) => UNABLE.has(code))) return 'wallet_unable'
    if (parts.some(({ code }) => code === '5720') && /duplicate|already/i.test(words)) return 'transaction_unknown'
    if (parts.some(({ code, name }) => REFUSALS.has(code) || name === 'UserRejectedRequestError')) return 'user_rejected'
    if (PRESSED_NO.test(words) || parts.some(({ text }) => (NO.test(text) || WEAK_NO.test(text)) && PERSON.test(text)))
      return 'user_rejected'
  }
  for (const { code, name } of parts) {
    const known = BY_NAME[name] ?? (isWallets ? OTHERS[code] : undefined)
    if (known) return known
    if (isWallets && code === LOCKED) return saysCannot(parts) ? 'wallet_unable' : 'wallet_locked'
  }
  if (!isWallets) return undefined
  if (CANNOT.test(words)) return 'wallet_unable'
  return parts.some(({ text }) => NO.test(text) && !MACHINE.test(text)) ? 'user_rejected' : undefined
}

/** viem has one sentence for the number of a locked wallet, of a method that is not authorized; what the wallet said is inside. */
const saysCannot = (parts: readonly Part[]): boolean => parts.some(({ text, isViems }) => !isViems && CANNOT.test(text))

/** Where wallets and libraries keep the error that they wrap. */
const INSIDE = ['cause', 'data', 'error', 'originalError', 'innerError', 'info', 'reason', 'payload', 'details'] as const

/** What was thrown and everything in it, outermost first; bounded, for what contains itself. */
function partsOf(thrown: unknown): Part[] {
  const parts: Part[] = []
  const queue: unknown[] = [thrown]
  const seen = new Set<unknown>()
  while (queue.length > 0 && parts.length < MAX_PARTS) {
    const one = queue.shift()
    if (one === null || one === undefined || seen.has(one)) continue
    seen.add(one)
    if (typeof one === 'object') {
      const fields = one as Record<string, unknown>
      parts.push({ code: codeOf(fields), name: textOf(fields.name), text: wordsOf(fields), isViems: isViems(fields) })
      queue.push(
        ...INSIDE.map((field) => fields[field]).filter((inner) => typeof inner === 'object' || typeof inner === 'string'),
      )
    } else if (typeof one !== 'function') parts.push({ code: '', name: '', text: textOf(String(one)), isViems: false })
  }
  return parts
}

function codeOf({ code, statusCode }: Record<string, unknown>): string {
  const given = typeof code === 'number' || typeof code === 'string' ? code : statusCode
  return typeof given === 'number' || typeof given === 'string' ? String(given) : ''
}

/** viem's long message repeats the arguments of the call, among them the names of our functions. */
function wordsOf({ shortMessage, message, msg, description }: Record<string, unknown>): string {
  return [shortMessage, message, msg, description].map(textOf).find((text) => text !== '') ?? ''
}

/** Only viem's errors have this field, also where it is unset. */
const isViems = (fields: Record<string, unknown>): boolean => 'metaMessages' in fields

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : '')
