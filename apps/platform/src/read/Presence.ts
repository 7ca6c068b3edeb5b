import type { Database } from '../store/openStore.ts'

/** An agent that was silent for three heartbeats is offline. */
export const ONLINE_SECONDS = 90

/** When each provider's agent was last heard, by any process of the platform. */
export class Presence {
  private readonly db: Database
  private readonly clock: () => number
  private readonly seen = new Map<string, number>()
  private readonly shown = new Map<string, boolean>()

  /** `clock` answers Unix milliseconds. */
  constructor(db: Database, clock: () => number) {
    this.db = db
    this.clock = clock
  }

  lastSeen(provider: string): number | null {
    return this.seen.get(provider) ?? null
  }

  isOnline(provider: string): boolean {
    return (this.seen.get(provider) ?? 0) > Math.floor(this.clock() / 1000) - ONLINE_SECONDS
  }

  online(): number {
    return [...this.seen.keys()].filter((provider) => this.isOnline(provider)).length
  }

  /** Reads the heartbeats again. Answers the providers that now look different. */
  async refresh(): Promise<string[]> {
    const rows = await this.db.selectFrom('heartbeat').select(['provider', 'lastSeen']).execute()
    const changed = new Set<string>()
    for (const { provider, lastSeen } of rows) {
      if (this.seen.get(provider) !== lastSeen) changed.add(provider)
      this.seen.set(provider, lastSeen)
    }
    for (const provider of this.seen.keys()) {
      const online = this.isOnline(provider)
      if (this.shown.get(provider) !== online) changed.add(provider)
      this.shown.set(provider, online)
    }
    return [...changed]
  }
}
