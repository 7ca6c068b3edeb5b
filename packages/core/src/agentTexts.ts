/**
 * What an agent signs with its operator key to prove a connection to the platform. `challenge` is the platform's random hex, and
 * `platform` the origin that the agent is configured for: another platform cannot use the signature to log in as the agent.
 */
export function formatAgentChallenge(facts: { chainId: number; provider: string; platform: string; challenge: string }): string {
  const { chainId, provider, platform, challenge } = facts
  return `rackfair agent\nchain: ${chainId}\nprovider: ${provider.toLowerCase()}\nplatform: ${platform}\nchallenge: ${challenge}`
}

/** What an agent signs when it is asked at its registered address who it is. `challenge` is the asker's random hex. */
export function formatGatewayProof(facts: { chainId: number; provider: string; challenge: string }): string {
  return `rackfair gateway\nchain: ${facts.chainId}\nprovider: ${facts.provider.toLowerCase()}\nchallenge: ${facts.challenge}`
}

/** What a buyer signs to open a protected application at the provider's gateway. `nonce` is the gateway's random hex. */
export function formatGatewaySignIn(facts: { orderId: bigint; origin: string; nonce: string; time: number }): string {
  return `rackfair visit\norder: ${facts.orderId}\norigin: ${facts.origin}\nnonce: ${facts.nonce}\ntime: ${facts.time}`
}
