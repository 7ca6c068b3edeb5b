import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { privateKeyToAddress } from 'viem/accounts'
import { configOf, type LocalAgent } from './agent.ts'
import type { ProcessSpec } from './Supervisor.ts'

/** Browsers lead every name below `localhost` to their own machine. */
const ZONE = 'edge.localhost'
const PORTS = ['tls', 'plain', 'control', 'dial', 'metrics', 'raw'] as const
/** Outside of what `--reset` forgets: people have told their browsers to trust it. */
export const AUTHORITY = 'authority'

/** The edge of `--edge`, which hands visitors of names to this machine's own agent. */
export interface LocalEdge {
  dir: string
  ports: Record<(typeof PORTS)[number], number>
  /** The name below which orders have theirs. */
  domain: string
  fingerprint: string
  /** The certificate of the authority that browsers are told to trust. */
  authority: string
}

/** The ports of the edge: names with TLS at the first. */
export const edgePorts = (first: number): LocalEdge['ports'] =>
  Object.fromEntries(PORTS.map((name, at) => [name, first + at])) as LocalEdge['ports']

/** Prepares the edge, whose program file is that of `builtProgram`: its certificate, and a name for the provider that no other market on this machine has, nor the next one after `--reset`. */
export async function placeEdge(
  program: string,
  { stateDir, edgePort }: { stateDir: string; edgePort: number },
  { providerKey }: Pick<LocalAgent, 'providerKey'>,
): Promise<LocalEdge> {
  const dir = join(stateDir, 'edge')
  const provider = privateKeyToAddress(providerKey)
  const rules = rulesOf(dir)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (!existsSync(rules))
    writeFileSync(rules, JSON.stringify({ names: { [provider]: `m-${randomBytes(3).toString('hex')}` } }), { mode: 0o600 })
  const { names } = JSON.parse(readFileSync(rules, 'utf8')) as { names: Record<string, string> }
  const asking = [program, 'fingerprint', '--zone', ZONE, '--data', dir]
  const { stdout } = await promisify(execFile)(process.execPath, asking)
  return {
    ...{ dir, ports: edgePorts(edgePort), domain: `${names[provider]}.${ZONE}`, fingerprint: stdout.trim() },
    authority: join(stateDir, AUTHORITY, 'ca.pem'),
  }
}

export function edgeProcess(
  program: string,
  edge: LocalEdge,
  { rpcUrl, access }: { rpcUrl: string; access: string },
): ProcessSpec {
  const { dir, ports } = edge
  return {
    name: 'edge',
    command: process.execPath,
    args: [
      ...[program, '--zone', ZONE, '--data', dir, '--rules', rulesOf(dir), '--rpc', rpcUrl, '--access', access],
      ...['--host', '127.0.0.1', '--tls-port', `${ports.tls}`, '--plain-port', `${ports.plain}`, '--drain', '0'],
      ...['--control-port', `${ports.control}`, '--dial-port', `${ports.dial}`, '--metrics-port', `${ports.metrics}`],
      ...['--raw-ports', `${ports.raw}-${ports.raw}`],
    ],
    isReady: async () => (await fetch(`http://127.0.0.1:${ports.metrics}/healthz`, { signal: AbortSignal.timeout(5000) })).ok,
  }
}

/** Has the agent take visitors from this edge, or from none that an earlier start had. Before its `init`, which completes what is there. */
export function configureEdge(agent: LocalAgent, edge: LocalEdge | undefined): void {
  const file = configOf(agent.dir)
  const config = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { gateway?: Record<string, unknown> }) : {}
  const { gateway = {} } = config
  if (!edge && gateway.localAuthority === undefined) return
  for (const name of ['edges', 'localAuthority', 'namesPort', 'domain']) delete gateway[name]
  if (edge) {
    const { ports, domain, fingerprint, authority } = edge
    const edges = [{ host: '127.0.0.1', port: ports.control, fingerprint }]
    Object.assign(gateway, { edges, localAuthority: authority, namesPort: ports.tls, domain })
  }
  mkdirSync(agent.dir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify({ ...config, gateway }, null, 2)}\n`, { mode: 0o600 })
}

/** What a person does so that browsers and programs accept the names. */
export function howToTrust({ ports, domain, authority }: LocalEdge): string {
  return `Applications answer at names such as https://o-12.${domain}:${ports.tls}, with certificates of an authority of this machine.
  Browsers trust it after one of these, once; it can certify names below localhost and no others:

    Chromium on Linux   certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n Rackfair -i '${authority}'
    Firefox             Settings, Certificates, View Certificates, Authorities, Import
    macOS               security add-trusted-cert -k ~/Library/Keychains/login.keychain-db '${authority}'
    Windows             certutil -user -addstore Root "${authority}"
    curl, Node          --cacert '${authority}', NODE_EXTRA_CA_CERTS='${authority}'`
}

const rulesOf = (dir: string): string => join(dir, 'rules.json')
