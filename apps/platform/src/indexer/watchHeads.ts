import WebSocket from 'ws'

const AGAIN_MS = 2_000

/** Calls back when the node announces a block. Only a hint to poll sooner: polling continues with or without this connection. */
export function watchHeads(url: string, ring: () => void): { close(): void } {
  let closed = false
  let socket: WebSocket | undefined
  let timer: NodeJS.Timeout | undefined
  const open = () => {
    const line = new WebSocket(url, { handshakeTimeout: 5_000 })
    socket = line
    line.on('open', () => line.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })))
    line.on('message', ring)
    line.on('error', () => undefined)
    line.on('close', () => {
      if (!closed) timer = setTimeout(open, AGAIN_MS)
    })
  }
  open()
  return {
    close() {
      closed = true
      clearTimeout(timer)
      socket?.terminate()
    },
  }
}
