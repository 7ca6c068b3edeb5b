import { setTimeout as sleep } from 'node:timers/promises'
import { parseAnnouncedKeys } from '@rackfair/protocol/agentTexts'
import type { WorkspacePlace } from '@rackfair/protocol/workspace'
import WebSocket from 'ws'
import type { VisitorWire } from './openWorkspace.ts'

/** The platform's answer about a provider's workspaces, once its agent has announced them. */
export async function placeOf(platformUrl: string, provider: string) {
  for (;;) {
    const answer = await fetch(`${platformUrl}/v1/cp/${provider}/workspace`).catch(() => undefined)
    const place = answer?.ok ? ((await answer.json()) as WorkspacePlace) : undefined
    const keys = place?.keys && parseAnnouncedKeys(place.keys.text)
    if (place?.url && keys) return { ...place, url: place.url, agent: keys }
    await sleep(50)
  }
}

/** A visitor's WebSocket to the platform. */
export async function visitPlatform(url: string): Promise<VisitorWire & { socket: WebSocket }> {
  const socket = new WebSocket(url)
  const early: Uint8Array[] = []
  let message: ((bytes: Uint8Array) => void) | undefined
  let closed: ((code: string) => void) | undefined
  let ended: string | undefined
  socket.on('message', (data: Buffer) => (message ? message(new Uint8Array(data)) : early.push(new Uint8Array(data))))
  socket.on('close', (_, reason) => {
    ended = String(reason) || 'stream_interrupted'
    closed?.(ended)
  })
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    socket,
    send: (bytes) => new Promise((resolve, reject) => socket.send(bytes, (error) => (error ? reject(error) : resolve()))),
    close: () => socket.close(),
    listen(onMessage, onClosed) {
      message = onMessage
      closed = onClosed
      for (const bytes of early.splice(0)) onMessage(bytes)
      if (ended !== undefined) onClosed(ended)
    },
  }
}
