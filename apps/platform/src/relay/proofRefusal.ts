import { formatAgentChallenge } from '@rackfair/protocol/agentTexts'
import type { AgentMessage } from '@rackfair/protocol/relay'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { isSignedBy } from '@rackfair/sdk'
import type { PublicClient } from 'viem'
import type { Database } from '../store/openStore.ts'

export type Hello = Extract<AgentMessage, { type: 'hello' }> & { provider: LowerCaseAddress }

/** An agent's proof of its key: the account in lower case, and this connection's challenge, signed. */
interface Proof {
  operator: LowerCaseAddress
  challenge: string
  signature: string
}

interface Judge {
  db: Database
  chainId: number
  origins: readonly string[]
  client: PublicClient
}

/** Why an agent is not the one it claims to be, as a sentence for its operator. `undefined` if it is. */
export async function proofRefusal(judge: Judge, hello: Hello, proof: Proof): Promise<string | undefined> {
  const { provider, platform } = hello
  const row = await judge.db.selectFrom('provider').select('operator').where('address', '=', provider).executeTakeFirst()
  if (!row) return 'this provider is not registered, or its registration is not indexed yet'
  if (proof.operator !== row.operator && proof.operator !== provider) return 'this key is not the operator of the provider'
  if (!judge.origins.includes(platform))
    return `this platform is not ${platform}; an agent names ${judge.origins[0]} in its configuration, or its operator adds --public-url ${platform}`
  const text = formatAgentChallenge({ chainId: judge.chainId, provider, platform, challenge: proof.challenge })
  const isTheirs = await isSignedBy(judge.client, proof.operator, text, proof.signature)
  return isTheirs ? undefined : 'the proof is not signed by this key'
}
