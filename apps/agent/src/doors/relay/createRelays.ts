import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { VisitorConnection, VisitorPeer } from '../workspace/createWorkspaceServer.ts'
import { createRelayClient, type RelayClient, type RelayOptions } from './createRelayClient.ts'

export interface RelaysOptions extends Omit<RelayOptions, 'platformUrl' | 'onDuplicate'> {
  platforms: readonly string[]
  /** Called if every platform says that another agent with this key was connected before this one ever was. None is connected to again. */
  onDuplicate: () => void
}

export type Relays = ReturnType<typeof createRelays>

/** The connections to all platforms of this agent. Each fails and recovers alone, and is believed no more than if it were the only one. */
export function createRelays({ platforms, onDuplicate, ...options }: RelaysOptions) {
  const duplicates = new Set<string>()
  const stop = () => {
    for (const { client } of clients) client.stop()
  }
  const clients: readonly { platform: string; client: RelayClient }[] = platforms.map((platformUrl) => {
    const platform = new URL(platformUrl).origin
    const client = createRelayClient({
      ...options,
      platformUrl,
      // One platform alone would be one that can stop this agent whenever it starts.
      onDuplicate() {
        duplicates.add(platform)
        if (clients.some((one) => !duplicates.has(one.platform) || one.client.wasWelcome())) return
        stop()
        onDuplicate()
      },
    })
    return { platform, client }
  })

  return {
    start(): void {
      for (const { client } of clients) client.start()
    },
    status: (deployment: DeploymentWire): void => {
      for (const { client } of clients) client.status(deployment)
    },
    /** Origins of the market's pages: the configured ones, and those that platforms name. */
    sites: () => clients.flatMap(({ client }) => client.sites()),
    connections: () => clients.map(({ platform, client }) => ({ platform, isConnected: client.isConnected() })),
    /** Who serves the visitors that each platform relays. */
    serve(join: (connection: VisitorConnection, platform: string) => VisitorPeer): void {
      for (const { platform, client } of clients) client.visitorConnection.serve(join(client.visitorConnection, platform))
    },
    stop,
  }
}
