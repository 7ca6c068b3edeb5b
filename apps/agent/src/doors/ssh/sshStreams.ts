import { Duplex } from 'node:stream'
import { encodeJson } from '@rackfair/protocol/frames'
import type { SshAccess } from '@rackfair/protocol/workspaceAnswers'
import { sshKeysRequest, sshRequest } from '@rackfair/protocol/workspaceRequests'
import type { AdmittedSession } from '../owner/createOwnerAdmission.ts'
import { parseRequest } from '../workspace/parseRequest.ts'
import type { WorkspaceChannel, WorkspaceHandler } from '../workspace/WorkspaceChannel.ts'
import type { SshKeys } from './createSshKeys.ts'
import type { SshServer } from './createSshServer.ts'

/** The kind `ssh`: a connection to the SSH server of an order, for providers that have no port open for it. */
export function createSshHandler(server: Pick<SshServer, 'serve'>): WorkspaceHandler {
  return async (orderId, request, channel) => {
    parseRequest(sshRequest, request)
    await server.serve(orderId, socketOf(channel))
  }
}

/** The kind `sshKeys`: which public keys may sign in to an order, and where. */
export function createSshKeysHandler(options: {
  keys: SshKeys
  server: Pick<SshServer, 'endRemoved'>
  place: Pick<SshAccess, 'host' | 'port' | 'fingerprint' | 'hostKey'>
}) {
  const { keys, server, place } = options
  return ({ user, key }: AdmittedSession): WorkspaceHandler =>
    async (orderId, raw, channel) => {
      const request = parseRequest(sshKeysRequest, raw)
      if (request.op === 'add') keys.add(orderId, request.key, { wallet: user, registeredBy: key })
      if (request.op === 'remove') {
        keys.remove(orderId, request.fingerprint)
        server.endRemoved(orderId)
      }
      const access: SshAccess = { keys: keys.list(orderId, user), user: `order-${orderId}`, ...place }
      await channel.write(encodeJson(access))
    }
}

/** A stream of a workspace as a socket that the SSH server takes. */
function socketOf(channel: WorkspaceChannel): Duplex {
  const { incoming, signal } = channel
  const chunks = incoming[Symbol.asyncIterator]()
  const socket = new Duplex({
    read() {
      chunks.next().then(
        ({ done, value }) => void this.push(done ? null : value),
        () => this.destroy(),
      )
    },
    write(chunk: Buffer, _encoding, done) {
      channel.write(chunk).then(
        () => done(),
        (error: Error) => done(error),
      )
    },
  })
  const leave = () => socket.destroy()
  signal.addEventListener('abort', leave, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', leave))
  if (signal.aborted) leave()
  return socket
}
