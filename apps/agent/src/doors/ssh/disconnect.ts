import type { Connection } from 'ssh2'

/** RFC 4253, section 11.1. */
const MESSAGE_DISCONNECT = 1
const BY_APPLICATION = 11

/** What the library keeps of a connection: its own `end` sends no text. */
interface Internals {
  _sock: { writable: boolean }
  _protocol: {
    _packetRW: {
      write: { allocStartKEX: number; alloc(size: number, force: true): Buffer; finalize(packet: Buffer, force: true): Buffer }
    }
    _cipher: { encrypt(packet: Buffer): void }
  }
}

/** Sends the last message of a connection, if it can still be sent. OpenSSH's client prints the text. */
export function disconnect(client: Connection, why: string): void {
  const { _sock: socket, _protocol: protocol } = client as unknown as Internals
  if (!socket.writable) return
  try {
    send(protocol, why)
  } catch {
    // The protocol has failed before.
  }
}

function send(protocol: Internals['_protocol'], why: string): void {
  const text = Buffer.from(why)
  const { write } = protocol._packetRW
  const at = write.allocStartKEX
  const packet = write.alloc(1 + 4 + 4 + text.length + 4, true)
  packet.fill(0, at, at + 1 + 4 + 4)
  packet[at] = MESSAGE_DISCONNECT
  packet.writeUInt32BE(BY_APPLICATION, at + 1)
  packet.writeUInt32BE(text.length, at + 5)
  text.copy(packet, at + 9)
  packet.writeUInt32BE(0, at + 9 + text.length)
  protocol._cipher.encrypt(write.finalize(packet, true))
}
