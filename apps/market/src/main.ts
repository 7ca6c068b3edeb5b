import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { privateKeyToAddress } from 'viem/accounts'
import { builtProgram } from '../../../scripts/build/builtProgram.ts'
import { ensureSystemPackages } from '../../../scripts/systemPackages.mjs'
import { type AgentOptions, agentProcess, haltAgents, hasRun, machineAgent, prepareAgent, samplesFolder } from './agent.ts'
import { buildWeb } from './buildWeb.ts'
import { chainProcess } from './chain.ts'
import { chainStateFile, keepSaved, type SavedChain } from './chainState.ts'
import { checkPorts } from './checkPorts.ts'
import { claimState } from './claimState.ts'
import { contractsOfOlderMarket, deployContracts, type LocalMarket } from './deployContracts.ts'
import { devServerProcess } from './devServer.ts'
import { configureEdge, edgeProcess, howToTrust, placeEdge } from './edge.ts'
import { keepCompact } from './keepCompact.ts'
import { forgetState, keepAside } from './marketState.ts'
import { monitorProcess, placeMonitors } from './monitors.ts'
import { platformProcess } from './platform.ts'
import { print } from './print.ts'
import { type Options, readOptions } from './readOptions.ts'
import { Supervisor } from './Supervisor.ts'
import { placeSamples } from './samples.ts'

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

async function main(options: Options): Promise<void> {
  const startedAt = Date.now()
  const claim = await claimState(options.stateDir)
  let supervisor = new Supervisor(print, claim.setChildren)
  let leaveChain = () => {}
  let stopping = false
  let samples: Promise<void> | undefined
  const stop = async (code: number) => {
    if (stopping) return
    stopping = true
    leaveChain()
    if (supervisor.isEmpty) {
      claim.release()
      process.exit(code)
    }
    print.step('Stopping ...')
    await supervisor.stop()
    await samples
    claim.release()
    print.step('Everything is stopped. The state is kept; "npm start" picks up from here.')
    process.exit(code)
  }
  const startSamples = async (ofAll: AgentOptions, { fund }: LocalMarket) => {
    const agents = placeSamples(options.stateDir, options.gatewayPort)
    for (const { providerKey } of agents) await fund(privateKeyToAddress(providerKey))
    let starting = Promise.resolve()
    for (const agent of agents) {
      const [isReady] = await Promise.all([prepareAgent(ofAll, agent, print), starting])
      if (stopping) return
      if (!isReady) throw new Error(`${agent.name} could not be prepared; the lines above say why.`)
      starting = supervisor.start(agentProcess(ofAll, agent, print))
    }
    await starting
    print.step(`${agents.length} sample providers are up: their hardware is only simulated, what they run is real.`)
  }
  const startMonitors = async (market: LocalMarket, rpcUrl: string) => {
    if (market.monitorKeys.length === 0) return
    const [program, monitors] = await Promise.all([builtProgram('monitor'), placeMonitors(options.stateDir, market.monitorKeys)])
    if (stopping) return
    await Promise.all(monitors.map((monitor) => supervisor.start(monitorProcess({ program, market, rpcUrl, monitor }))))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
  // Without a terminal there is nobody to read, but everything still has to be stopped.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

  try {
    await checkPorts({
      '--port': options.port,
      '--rpc-port': options.rpcPort,
      ...(options.agent ? { '--gateway-port': options.gatewayPort } : {}),
      ...(options.edgePort === undefined ? {} : { '--edge-port': options.edgePort }),
    })
    if (options.reset) forgetState(options.stateDir)

    const provider = options.agent
      ? await ensureSystemPackages({ purpose: 'provider', install: options.install, log: print.step })
      : undefined
    if (provider && !provider.ok) print.step(`No provider on this machine: ${provider.reason}`)

    print.step('Starting the chain ...')
    const stateFile = chainStateFile(options.stateDir)
    const rpcUrl = `http://127.0.0.1:${options.rpcPort}`
    const startChain = () => supervisor.start(chainProcess({ port: options.rpcPort, stateFile }))
    const [web, platformProgram, agentProgram] = await Promise.all([
      options.dev ? undefined : buildWeb(root, () => print.step('Building the web app (once for these sources) ...')),
      builtProgram('platform'),
      builtProgram('agent'),
      startChain(),
    ])
    const older = await contractsOfOlderMarket(options.stateDir, rpcUrl)
    if (older.length > 0) {
      await supervisor.stop()
      if (stopping) return
      await haltAgents({ program: agentProgram, stateDir: options.stateDir }, print)
      print.step(olderMarket(older, options.stateDir, keepAside(options.stateDir, new Date())))
      supervisor = new Supervisor(print, claim.setChildren)
      await startChain()
    }
    leaveChain = keepChain({ rpcUrl, stateFile }, supervisor)
    const market = await deployContracts({
      root,
      stateDir: options.stateDir,
      rpcUrl,
      monitors: options.monitors,
      say: print.step,
    })

    print.step('Starting the platform ...')
    const platformPort = options.dev ? options.port + 1 : options.port
    const platformUrl = `http://127.0.0.1:${platformPort}`
    const startPlatform = () =>
      supervisor.start(
        platformProcess({
          program: platformProgram,
          market,
          rpcUrl,
          port: platformPort,
          stateDir: options.stateDir,
          web,
          pagePort: options.port,
          siteFile: options.siteFile,
        }),
      )
    const ofAll = { program: agentProgram, market, rpcUrl, platformUrl, imagesDir: options.imagesDir }
    const agent = machineAgent(options.stateDir, options.gatewayPort, market)
    const { stateDir, edgePort } = options
    const edgeProgram = edgePort === undefined ? '' : await builtProgram('edge')
    const edge = provider?.ok && edgePort !== undefined ? await placeEdge(edgeProgram, { stateDir, edgePort }, agent) : undefined
    configureEdge(agent, edge)
    const prepare = () => {
      print.step('Preparing this machine as a provider ...')
      return prepareAgent(ofAll, agent, print)
    }
    // Only a machine new to the market needs prices from the platform.
    const [isPrepared] = await Promise.all([provider?.ok && hasRun(agent) ? prepare() : undefined, startPlatform()])
    if (options.dev) await supervisor.start(devServerProcess({ root, port: options.port, platformUrl }))

    if (provider?.ok) {
      if (!(isPrepared ?? (await prepare())))
        throw new Error(
          'This machine could not be prepared as a provider; the lines above say why. "npm start -- --no-agent" starts without it.',
        )
      if (edge) await supervisor.start(edgeProcess(edgeProgram, edge, { rpcUrl, access: market.deployment.access }))
      await supervisor.start(agentProcess(ofAll, agent, print))
      if (edge) print.step(howToTrust(edge))
      // The market is usable before they are up. Those of an earlier start may have orders and keep running.
      if (options.sample || existsSync(samplesFolder(options.stateDir)))
        samples = startSamples(ofAll, market).catch((error: Error) => {
          if (!stopping) print.step(`A sample provider is missing: ${error.message}`)
        })
    }
    // Started without waiting: an epoch they do not observe simply does not count.
    void startMonitors(market, rpcUrl).catch((error: unknown) => print.step(`A monitor is missing: ${String(error)}`))
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    print.step(`The market is up after ${seconds} s. Ctrl-C stops it.\n\n    http://127.0.0.1:${options.port}\n`)
  } catch (error) {
    if (!stopping) console.error(`\n${error instanceof Error ? error.message : error}\n`)
    await stop(1)
  }
}

/** Saves the chain while it runs, and keeps it small. Returns a function that ends both. */
function keepChain(chain: SavedChain, supervisor: Supervisor): () => void {
  const stopSaving = keepSaved(chain)
  const stopCompacting = keepCompact(chain.rpcUrl, () => {
    print.line('chain', 'restarts without its old empty blocks')
    return supervisor.restart('chain')
  })
  return () => {
    stopSaving()
    stopCompacting()
  }
}

function olderMarket(contracts: readonly string[], stateDir: string, kept: string): string {
  return `${stateDir} holds a market of another version of Rackfair: ${contracts.join(', ')} on its chain ${contracts.length === 1 ? 'is' : 'are'} not what this version deploys.
  Nothing was deleted: that market, with its orders, databases, keys and data, is now in ${kept}, and a new one begins.
  To continue with it, stop this one, move those files back and start the version that made them.`
}

try {
  await main(
    readOptions(
      process.argv.slice(2).filter((word) => word !== 'start'),
      root,
    ),
  )
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n"npm start -- --help" lists the options.`)
  process.exit(1)
}
