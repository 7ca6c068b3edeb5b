import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { freePorts } from '@rackfair/testkit'
import { axios } from 'acme-client'
import { vi } from 'vitest'

const missing = ['pebble', 'pebble-challtestsrv', 'openssl'].filter((name) => spawnSync('which', [name]).status !== 0)
/** Why there can be no authority on this machine; undefined if there can. */
export const whyNoPebble =
  missing.length > 0 ? `skipped: there is no ${missing.join(', ')}; apt-get install pebble openssl` : undefined

export interface StartPebbleOptions {
  folder: string
  /** Where it asks names by TLS, for the address that its DNS gives. */
  tlsPort: number
  /** Where it asks them by HTTP; by default where nobody answers. */
  httpPort?: number
  /** The DNS that it asks, instead of one of its own. */
  dns?: string
  /** Where it listens; this machine by default. */
  host?: string
  /** Where all names lead. */
  namesLeadTo?: string
  /** What runs a program: `nsenter` into another network, for instance. */
  inside?: readonly string[]
}
export type StartedPebble = Awaited<ReturnType<typeof startPebble>>

/** A real authority and a DNS for it. This process trusts the authority until it is closed. */
export async function startPebble(options: StartPebbleOptions) {
  const { folder, tlsPort, httpPort = 1, host = '127.0.0.1', namesLeadTo = host, inside = [] } = options
  const [port, management, dnsPort, dnsManagement] = (await freePorts(4)) as [number, number, number, number]
  const [key, certificate] = [join(folder, 'ca.key'), join(folder, 'ca.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=pebble'],
      ...['-addext', `subjectAltName=IP:${host}`, '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  )
  const listenAddress = `${host}:${port}`
  const managementListenAddress = `${host}:${management}`
  const config = { pebble: { listenAddress, managementListenAddress, certificate, privateKey: key, httpPort, tlsPort } }
  const file = join(folder, 'pebble.json')
  writeFileSync(file, JSON.stringify(config))
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' }
  const run = ([program, ...args]: string[]): ChildProcess => {
    const [first = '', ...rest] = [...inside, program as string, ...args]
    return spawn(first, rest, { env, stdio: 'ignore' })
  }
  const { dns = `${host}:${dnsPort}` } = options
  const children = [run(['pebble', '-config', file, '-dnsserver', dns])]
  if (options.dns === undefined)
    children.push(
      run([
        ...['pebble-challtestsrv', '-dns01', dns, '-management', `${host}:${dnsManagement}`],
        ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '', '-defaultIPv4', namesLeadTo],
      ]),
    )
  const { httpsAgent } = axios.defaults
  axios.defaults.httpsAgent = new Agent({ ca: readFileSync(certificate) })
  const root = await vi.waitFor(async () => (await axios.get(`https://${managementListenAddress}/roots/0`)).data as string, {
    timeout: 60_000,
    interval: 20,
  })
  const rootFile = join(folder, 'root.pem')
  writeFileSync(rootFile, root)
  return {
    ...{ directory: `https://${listenAddress}/dir`, rootFile, dns },
    /** Changes what its DNS says. */
    setDns: (path: string, body: object) => axios.post(`http://${host}:${dnsManagement}/${path}`, body),
    async close(): Promise<void> {
      axios.defaults.httpsAgent = httpsAgent
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
    },
  }
}
