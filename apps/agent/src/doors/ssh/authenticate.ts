import ssh2, { type AuthContext, type Connection, type PublicKeyAuthContext } from 'ssh2'
import type { OwnerOf } from '../owner/createOwnerOf.ts'
import type { SshConnection } from './createConnection.ts'
import type { SignInLimit } from './createSignInLimit.ts'
import type { SshKeyRow, SshKeys } from './createSshKeys.ts'
import { fingerprintOf } from './parsePublicKey.ts'

/** As many keys as one client may offer in one connection. */
const MAX_OFFERS = 16
/** As OpenSSH has it, for a network from which unknown keys came for this order. A registered key still gets in. */
const MAX_OFFERS_AFTER_FAILURES = 6

/** What a name leads to: `order-12` to the application of order 12, `order-12.db` to its service `db`. */
export interface WantedPlace {
  orderId: bigint
  service: string | undefined
}

/** Who wants to sign in. */
export interface Stranger {
  connection: SshConnection
  /** What failed sign-ins are counted under, beside their order. */
  network: string
  /** The order whose workspace it came by: whatever name its client gives, it is of no other. */
  only: bigint | undefined
}

/** Lets a client in with a key that the order's owner registered. Any other is refused, and cut off after a number of keys. */
export function authenticate(
  client: Connection,
  { connection, network, only }: Stranger,
  options: {
    keys: Pick<SshKeys, 'find'>
    ownerOf: OwnerOf
    limit: SignInLimit
    /** Returns why somebody with a good key is not let in. */
    admit: (wanted: WantedPlace, key: SshKeyRow) => string | undefined
  },
): void {
  const { keys, ownerOf, limit, admit } = options
  let offers = 0
  let hasFailed = false
  const refuse = (context: AuthContext) => {
    if (connection.isOver()) return
    const tried = `${placeOf(context.username)?.orderId ?? 'none'} ${network}`
    if (!hasFailed && context.method !== 'none') limit.failed(tried)
    hasFailed ||= context.method !== 'none'
    offers += 1
    if (offers <= (limit.isBlocked(tried) ? MAX_OFFERS_AFTER_FAILURES : MAX_OFFERS)) return context.reject(['publickey'])
    connection.end(
      'too many keys that this order does not know. Offer one that is registered in its workspace: ssh -o IdentitiesOnly=yes -i FILE',
    )
  }
  client.on('authentication', (context) => {
    if (connection.isOver()) return
    const wanted = placeOf(context.username)
    if (context.method !== 'publickey' || !wanted || (only ?? wanted.orderId) !== wanted.orderId) return refuse(context)
    const { orderId } = wanted
    const known = keys.find(orderId, fingerprintOf(context.key.data))
    if (!known) return refuse(context)
    // Says that the key is registered, as sshd does: a client signs with none that is of no use.
    if (!context.signature) return context.accept()
    if (!isSigned(context, known)) return refuse(context)
    ownerOf(orderId)
      .then((owner) => {
        if (owner !== known.wallet) return refuse(context)
        // It left, or took too long, while the chain was queried.
        if (connection.isOver()) return
        const refusal = admit(wanted, known)
        if (refusal !== undefined) return connection.end(refusal)
        if (hasFailed) limit.forgive(`${orderId} ${network}`)
        context.accept()
      })
      // The order is over, or the chain does not answer: nobody is let in.
      .catch(() => refuse(context))
  })
}

const placeOf = (username: string): WantedPlace | undefined => {
  const match = /^order-([1-9]\d{0,19})(?:\.([a-z][a-z0-9-]{0,30}))?$/.exec(username)
  return match ? { orderId: BigInt(match[1] as string), service: match[2] } : undefined
}

/** Whether the client has the private half. An RSA signature over SHA-1 counts for nothing. */
function isSigned({ key, blob, signature, hashAlgo }: PublicKeyAuthContext, { line }: SshKeyRow): boolean {
  if (!blob || !signature || (key.algo === 'ssh-rsa' && hashAlgo === undefined)) return false
  const parsed = ssh2.utils.parseKey(line)
  if (parsed instanceof Error) return false
  return parsed.verify(blob, signature, hashAlgo) === true
}
