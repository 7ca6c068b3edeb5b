import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'

/** A client gives up a call that is silent for a minute. */
const TELL_MS = 10_000

/** Tells a client that asked for it that a call is going on, and how far it is. `end` it with the call. */
export function progressOf({
  _meta,
  sendNotification,
}: Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>) {
  const progressToken = _meta?.progressToken
  let progress = 0
  let latest = ''
  const send = () => {
    if (progressToken === undefined) return
    progress += 1
    const params = { progressToken, progress, ...(latest === '' ? {} : { message: latest }) }
    // A client that has gone ends the call itself.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  const timer = setInterval(send, TELL_MS)
  return {
    tell(message: string) {
      latest = message
      send()
    },
    end: () => clearInterval(timer),
  }
}
