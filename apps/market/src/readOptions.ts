import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { edgePorts } from './edge.ts'
import { lastSamplePort, OWN_PORTS, samplePorts } from './samples.ts'

export interface Options {
  port: number
  rpcPort: number
  gatewayPort: number
  stateDir: string
  /** Where built images are kept; several markets may share it. */
  imagesDir: string
  /** Links of the installation, see the guide for operators. */
  siteFile: string | undefined
  reset: boolean
  /** Adds further providers with simulated hardware. */
  sample: boolean
  agent: boolean
  /** The first port of an edge that gives applications names with TLS. */
  edgePort: number | undefined
  monitors: boolean
  install: boolean
  dev: boolean
}

/** Reads the command line. Throws an Error whose message is meant for a person. */
export function readOptions(args: readonly string[], root: string): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '3000' },
      'rpc-port': { type: 'string', default: '8545' },
      'gateway-port': { type: 'string', default: '7070' },
      state: { type: 'string', default: join(root, '.rackfair') },
      images: { type: 'string', default: join(root, '.rackfair', 'images') },
      site: { type: 'string' },
      reset: { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
      edge: { type: 'boolean', default: false },
      'edge-port': { type: 'string', default: '9443' },
      'no-agent': { type: 'boolean', default: false },
      'no-monitors': { type: 'boolean', default: false },
      'no-install': { type: 'boolean', default: false },
      dev: { type: 'boolean', default: false },
    },
  })
  const options = {
    port: portOf(values.port, '--port'),
    rpcPort: portOf(values['rpc-port'], '--rpc-port'),
    gatewayPort: portOf(values['gateway-port'], '--gateway-port'),
    stateDir: resolve(values.state),
    imagesDir: resolve(values.images),
    siteFile: values.site === undefined ? undefined : resolve(values.site),
    reset: values.reset,
    sample: values.sample,
    agent: !values['no-agent'],
    edgePort: values.edge ? portOf(values['edge-port'], '--edge-port') : undefined,
    monitors: !values['no-monitors'],
    install: !values['no-install'],
    dev: values.dev,
  }
  const { port, rpcPort, gatewayPort, sample, edgePort } = options
  if (new Set([port, rpcPort, gatewayPort]).size < 3) throw new Error('The three ports must differ.')
  if (sample && !options.agent) throw new Error('--sample needs what --no-agent leaves out: its providers run containers here.')
  if (sample && (lastSamplePort(gatewayPort) > 65_535 || samplePorts(gatewayPort).some((one) => one === port || one === rpcPort)))
    throw new Error(
      `--sample takes ${samplePorts(gatewayPort).join(', ')} for the gateways of its providers; choose others with --gateway-port.`,
    )
  if (edgePort !== undefined) checkEdge(options, edgePort)
  if (['/', homedir(), root].includes(options.stateDir))
    throw new Error(`--state ${values.state} would mix state with other files.`)
  return options
}

function checkEdge({ port, rpcPort, gatewayPort, agent, sample }: Options, edgePort: number): void {
  if (!agent) throw new Error('--edge needs what --no-agent leaves out: it leads to applications that run here.')
  const ports = Object.values(edgePorts(edgePort))
  const lastOfAgents = sample ? lastSamplePort(gatewayPort) : gatewayPort + OWN_PORTS - 1
  const isTaken = (one: number) => one === port || one === rpcPort || (one >= gatewayPort && one <= lastOfAgents) || one > 65_535
  if (ports.some(isTaken) || edgePort < 1024)
    throw new Error(`--edge takes ${ports[0]} to ${ports.at(-1)}, which are not all free here; choose others with --edge-port.`)
}

function portOf(text: string, flag: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new Error(`${flag} takes a port from 1 to 65535, not "${text}".`)
  return port
}
