import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { type LocalAgent, samplesFolder } from './agent.ts'
import { SAMPLE_PROVIDERS, type SampleProvider } from './sampleProviders.ts'

/** Ports of this machine's own agent, from its gateway's on: orders, applications, SSH. */
export const OWN_PORTS = 302
/** The same of a sample: few of its orders run at once. */
const ORDER_PORTS = 20
const SAMPLE_PORTS = 222

/** The gateways of all samples, after the ports of this machine's own agent. */
export const samplePorts = (gatewayPort: number): number[] =>
  SAMPLE_PROVIDERS.map((_, index) => gatewayPort + OWN_PORTS + SAMPLE_PORTS * index)

/** The last port that a sample may open. */
export const lastSamplePort = (gatewayPort: number): number =>
  gatewayPort + OWN_PORTS + SAMPLE_PORTS * SAMPLE_PROVIDERS.length - 1

/** The agents of `--sample`, each with its own key and a configuration that simulates its hardware. Those of an earlier start are kept. */
export function placeSamples(stateDir: string, gatewayPort: number): LocalAgent[] {
  const ports = samplePorts(gatewayPort)
  return SAMPLE_PROVIDERS.map((sample, index) => {
    const { name, nodes, prices } = sample
    const dir = join(samplesFolder(stateDir), name)
    const port = ports[index] as number
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    writeDraft(join(dir, 'config.json'), sample)
    return {
      ...{ name, dir, gatewayPort: port, providerKey: keyIn(join(dir, 'provider.key')) },
      choices: [
        ...['--name', name, '--nodes', String(nodes), '--gateway-port-range', `${port + 1}-${port + ORDER_PORTS}`],
        ...['--cpu-price', prices.cpu, '--memory-price', prices.memory, '--disk-price', '0.02'],
        ...(prices.gpu === undefined ? [] : ['--gpu-price', prices.gpu]),
      ],
    }
  })
}

/** The configuration that `init` completes. Images are prepared by this machine's own agent, which shares them with the samples. */
function writeDraft(file: string, { hardware, region }: SampleProvider): void {
  if (!existsSync(file))
    writeFileSync(file, JSON.stringify({ sampleHardware: hardware, region, prepareImages: [] }), { mode: 0o600 })
}

function keyIn(file: string): Hex {
  if (!existsSync(file)) writeFileSync(file, `${generatePrivateKey()}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim() as Hex
}
