/** What strangers may take of an edge. */
export interface EdgeLimits {
  /** Visitors of one provider at once. */
  connections: number
  /** Of these, from one network: an IPv4 address, or an IPv6 /64. */
  perNetwork: number
  /** New connections of one network to one provider, in a second. */
  newPerSecond: number
  /** Visitors who have not said yet whom they visit; agents that have not proved yet whose they are; dialled connections without a ticket. */
  unknown: number
  /** Of each of these, from one network. */
  unknownPerNetwork: number
  /** Agents at once. */
  agents: number
  /** Connections that one agent may keep waiting. */
  spares: number
  /** What one provider's visitors may send and receive in a calendar month (UTC), in bytes. */
  monthlyBytes: number
}

export const EDGE_LIMITS: EdgeLimits = {
  connections: 512,
  perNetwork: 64,
  newPerSecond: 20,
  unknown: 2048,
  unknownPerNetwork: 128,
  agents: 4096,
  spares: 32,
  monthlyBytes: Number.POSITIVE_INFINITY,
}

/** In milliseconds. */
export interface EdgeTimes {
  /** Within it a visitor says whom to visit, and a dialled connection its ticket. */
  nameMs: number
  /** Within it an agent proves whose it is. */
  helloMs: number
  /** How long a visitor waits for the agent's connection. */
  ticketMs: number
  /** How long a visitor waits for an agent that is away: less than `nameMs`. */
  awayMs: number
  /** An agent that is silent for longer is gone. */
  silenceMs: number
  /** How long a connection lives of which one side has ended and the other does nothing. */
  halfOpenMs: number
  /** Between two counts of the bytes. */
  countMs: number
}
