import { type DoorAgentMessage, MAX_DOMAINS_SAID } from '@rackfair/protocol/door'

/** How long an edge may take to look a domain up. */
const EDGE_MS = 15_000
/** Between two messages: an edge ends the connection of an agent that says more than five things a second. */
const SAY_MS = 300

/** The edges that send visitors of renters' domains: tells each what there is, and knows which has found a domain to point here. */
export function createDomainEdges(edgeMs = EDGE_MS) {
  const edges = new Map<object, ReturnType<typeof createSpeaker>>()
  /** The edges that send visitors of a domain. */
  const served = new Map<string, Set<object>>()
  const asking = new Map<string, (edge: object, isServed: boolean) => void>()
  return {
    /** The names below which orders have theirs. */
    names: () => [...edges.values()].map(({ name }) => name),
    isServed: (domain: string): boolean => (served.get(domain)?.size ?? 0) > 0,
    /** No order has it now. */
    forget(domain: string): void {
      served.delete(domain)
      for (const { say } of edges.values()) say(domain)
    },
    /** Resolves once an edge sends its visitors, all say that they do not, or they take too long. One of a domain at a time. */
    announce(domain: string, order: string): Promise<boolean> {
      return new Promise((resolve) => {
        const open = new Set<object>(edges.keys())
        const end = (isServed: boolean) => {
          clearTimeout(deadline)
          asking.delete(domain)
          resolve(isServed)
        }
        const deadline = setTimeout(() => end(false), edgeMs)
        asking.set(domain, (edge, isServed) => {
          open.delete(edge)
          if (isServed || open.size === 0) end(isServed)
        })
        for (const { say } of edges.values()) say(domain, order)
      })
    },
    /** Asks the edges again that have not found a domain. */
    repeat(domain: string, order: string): void {
      for (const [edge, { say }] of edges) if (!served.get(domain)?.has(edge)) say(domain, order)
    },
    /** An edge sends visitors, those of orders below `name`. */
    came(edge: object, name: string, send: (message: DoorAgentMessage) => void): void {
      edges.get(edge)?.close()
      for (const all of served.values()) all.delete(edge)
      edges.set(edge, createSpeaker(name, send))
    },
    /** What an edge found of a domain that an order has. */
    said(edge: object, domain: string, isServed: boolean): void {
      const all = served.get(domain) ?? new Set()
      if (isServed) all.add(edge)
      else all.delete(edge)
      served.set(domain, all)
      asking.get(domain)?.(edge, isServed)
    },
    close(): void {
      for (const { close } of edges.values()) close()
    },
  }
}

/** Says to an edge what is newest of each domain, as fast as it listens. */
function createSpeaker(name: string, send: (message: DoorAgentMessage) => void) {
  const waiting = new Map<string, string | undefined>()
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    const said = [...waiting].slice(0, MAX_DOMAINS_SAID)
    if (said.length === 0) return
    for (const [domain] of said) waiting.delete(domain)
    const add = said.flatMap(([domain, order]) => (order === undefined ? [] : { domain, order }))
    send({ type: 'domains', add, remove: said.flatMap(([domain, order]) => (order === undefined ? domain : [])) })
    timer = setTimeout(flush, SAY_MS).unref()
  }
  return {
    name,
    /** An order for a domain that there is; none for one that there is not any more. */
    say(domain: string, order?: string): void {
      waiting.set(domain, order)
      if (!timer) flush()
    },
    close: () => clearTimeout(timer),
  }
}
