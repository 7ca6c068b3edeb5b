import { get } from 'node:http'
import { connect } from 'node:net'
import type { Probe } from '../RunSpec.ts'

const TIMEOUT_MS = 3000

/** One probe of an application from the host: an HTTP answer from 200 to 399, as Kubernetes takes it, or a TCP connection. */
export function probeAddress(address: string, probe: Exclude<Probe, { kind: 'exec' | 'started' }>): Promise<boolean> {
  return new Promise((resolve) => {
    if (probe.kind === 'tcp') {
      const socket = connect({ host: address, port: probe.port, timeout: TIMEOUT_MS })
      const end = (up: boolean) => {
        socket.destroy()
        resolve(up)
      }
      socket
        .once('connect', () => end(true))
        .once('error', () => end(false))
        .once('timeout', () => end(false))
      return
    }
    // In all, not between two bytes: the order is locked while its application is looked at.
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    get({ host: address, port: probe.port, path: probe.path, signal, agent: false }, (response) => {
      const { statusCode = 0 } = response
      resolve(statusCode >= 200 && statusCode < 400)
      response.destroy()
    }).once('error', () => resolve(false))
  })
}
