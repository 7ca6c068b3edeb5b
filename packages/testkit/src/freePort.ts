import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports that systems assign to connections and to servers listening on port 0 (Linux: from 32768). */
const FIRST_PORT = 10_000
const LAST_PORT = 29_999
/** A port is claimed by binding this much above it, over UDP. */
const CLAIM_OFFSET = 32_768

/** A port of 127.0.0.1 that nothing listens on and that no other test gets while this process runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1))
    if ((await isClaimed(port)) && (await isFree(port))) return port
  }
}

/** This many different ones. */
export const freePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, freePort))

/** The first of this many, one after the other. */
export async function freePortRow(count: number): Promise<number> {
  for (;;) {
    const first = await freePort()
    const others = Array.from({ length: count - 1 }, (_, at) => first + 1 + at)
    const areFree = await Promise.all(others.map(async (port) => (await isClaimed(port)) && (await isFree(port))))
    if (areFree.every(Boolean)) return first
  }
}

/** Tests start programs seconds after choosing a port, and restart them on it: the claim ends with the process, however it exits. */
async function isClaimed(port: number): Promise<boolean> {
  const claim = createSocket('udp4')
  try {
    claim.bind({ port: port + CLAIM_OFFSET, address: '127.0.0.1', exclusive: true })
    await once(claim, 'listening')
    claim.unref()
    return true
  } catch {
    claim.close()
    return false
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}
