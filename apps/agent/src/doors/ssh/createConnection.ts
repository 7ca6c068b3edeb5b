import type { Duplex } from 'node:stream'
import type { Connection } from 'ssh2'
import { disconnect } from './disconnect.ts'

/** How long a client may take to hear why its connection ends. */
const LAST_WORD_MS = 1_000

/** A connection, from its first byte on. */
export interface SshConnection {
  /** Gives it the client that has introduced itself. */
  greeted(client: Connection): void
  /** Registers how something that the client runs is ended, and returns how that is forgotten. Ended at once if the connection is over. */
  onEnd(end: () => void): () => void
  /** Ends it, whatever its client does. A client whose keys are not exchanged yet is told nothing. */
  end(why?: string): void
  isOver(): boolean
}

/**
 * Makes the end of a connection something that is done, not asked for: from then on nothing more is read, what the client runs is ended,
 * and after a second the socket is destroyed, even if the client neither reads nor closes its side.
 */
export function createConnection(socket: Duplex): SshConnection {
  const running = new Set<() => void>()
  let client: Connection | undefined
  let isOver = false

  const endAll = () => {
    for (const end of running) end()
    running.clear()
  }
  const destroyLater = () => {
    const timer = setTimeout(() => socket.destroy(), LAST_WORD_MS)
    socket.once('close', () => clearTimeout(timer))
  }
  const end = (why?: string) => {
    if (isOver) return
    isOver = true
    endAll()
    if (!client) return void socket.destroy()
    // Thrown away: bytes left unread would turn the end into a reset, which takes the last word with it.
    socket.removeAllListeners('data')
    socket.resume()
    disconnect(client, why ?? '')
    socket.end()
    destroyLater()
  }
  socket.on('error', () => socket.destroy())
  socket.once('end', () => end())
  // The library says its own last words, such as to a client that breaks the protocol.
  socket.once('finish', destroyLater)
  socket.once('close', () => {
    isOver = true
    endAll()
  })

  return {
    greeted(introduced) {
      // Earlier, the two sides may disagree on how the text is sealed.
      introduced.once('handshake', () => {
        client = introduced
      })
      // Every client may fail at any moment; without a listener the process would end.
      introduced.on('error', () => end())
    },
    onEnd(one) {
      if (isOver) {
        one()
        return () => {}
      }
      running.add(one)
      return () => void running.delete(one)
    },
    end,
    isOver: () => isOver,
  }
}
