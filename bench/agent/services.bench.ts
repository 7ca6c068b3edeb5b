import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { applicationText } from '@rackfair/app-spec/services/applicationText'
import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import { visit } from '@rackfair/testkit'
import { runCommand } from '../../apps/agent/src/foundation/runCommand.ts'
import { podmanPaths } from '../../apps/agent/src/runtime/engine/podmanService.ts'
import { unmountBelow } from '../../apps/agent/src/runtime/engine/removeEngine.ts'
import { debianTar } from '../../apps/agent/src/testing/ownImageBase.ts'
import { packLayer, startRegistry } from '../../apps/agent/src/testing/startRegistry.ts'
import { percentile, table } from '../platform/table.ts'
import { agentToMeasure } from './startedAgent.ts'

/**
 * A web application with Debian's PostgreSQL and redis, images present: from the signed text to the first answer through the gateway, beside the same
 * three by `podman` by hand. What each further service adds to the memory of agent and engine, what the agent does while nobody asks, and for how
 * long nginx is away while it is updated.
 */
const ROUNDS = 5
const IDLE_MS = 60_000
const SETTLE_MS = 10_000
const LIMIT_MS = 180_000
const [GOAL_TIMES, GOAL_MEGABYTES, GOAL_DOWN_MS] = [1.3, 25, 1000]
const BIN = '/usr/lib/postgresql/15/bin'
const DB_LINE = `${BIN}/initdb -D /tmp/data -A trust > /dev/null; exec ${BIN}/postgres -D /tmp/data -k /tmp -c listen_addresses=*`
const HEALTHY = [`${BIN}/pg_isready`, '-h', '127.0.0.1']
const WEB = `
import http.server, socket
def ask(host, port, words, size):
  with socket.create_connection((host, port), 5) as s:
    s.sendall(words)
    return s.recv(size).decode().strip()
class Page(http.server.BaseHTTPRequestHandler):
  def log_message(self, *_): pass
  def do_GET(self):
    text = ask('db', 5432, bytes.fromhex('0000000804d2162f'), 1) + ask('cache', 6379, b'PING\\r\\n', 7)
    self.send_response(200)
    self.end_headers()
    self.wfile.write(text.encode())
http.server.HTTPServer(('', 8000), Page).serve_forever()
`
const ANSWER = /[NS]\+PONG/

const registry = await startRegistry()
const folder = mkdtempSync('/tmp/rf-services-')
const bench = await agentToMeasure((config) => ({
  ...config,
  ownImages: { ...config.ownImages, localRegistries: [registry.host] },
}))
const { market } = bench
const { buyer, peer, provider } = market
const image = (name: string) => `${registry.host}/bench/${name}:1`
const paths = podmanPaths(`${market.data}/engine`, market.config().instance)

const podman = async (...words: string[]) => {
  const places = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--tmpdir', join(folder, 'tmp')]
  const args = [
    ...places,
    '--storage-driver',
    'overlay',
    '--cgroup-manager',
    'cgroupfs',
    '--network-config-dir',
    join(folder, 'net'),
    ...words,
  ]
  const { code, stdout, stderr } = await runCommand('podman', args, { timeoutMs: LIMIT_MS })
  if (code !== 0) throw new Error(`podman ${words.join(' ')}: ${stderr}`)
  return stdout.trim()
}

const DB = { image: image('db'), check: { command: HEALTHY, every: 1 } }
const CACHE = { image: image('cache') }
const text = (services: object) => {
  const { application, problems } = parseApplication({ services })
  if (!application) throw new Error(JSON.stringify(problems))
  return applicationText(application)
}
const webOf = (after: object) => ({ image: image('web'), ports: [{ protocol: 'http', port: 8000 }], after })
const THREE = text({ web: webOf({ db: 'healthy', cache: 'started' }), db: DB, cache: CACHE })

const link = (orderId: bigint) => `${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`
const page = async (orderId: bigint) => {
  const answer = await visit(link(orderId)).catch(() => undefined)
  return { ok: answer?.status === 200, said: (await answer?.text().catch(() => '')) ?? '' }
}
const until = async (orderId: bigint, wanted: RegExp) => {
  const began = performance.now()
  while (!wanted.test((await page(orderId)).said)) {
    if (performance.now() - began > LIMIT_MS)
      throw new Error(`order ${orderId} does not answer: ${JSON.stringify(peer.statuses.at(-1))}`)
    await sleep(10)
  }
}
/** Asks again where the agent takes no more requests of the order for now. */
const ask = async (request: Parameters<typeof buyer.sign>[0]) => {
  for (;;) {
    const { deployment } = await peer.deploy(await buyer.sign(request))
    if (deployment) return deployment.id
    await sleep(1000)
  }
}
const deploy = (orderId: bigint, app: string) => ask({ orderId, deployId: OWN_APP_DEPLOY_ID, provider, app })
const clean = async (orderId: bigint) => peer.phase(await ask({ orderId, deployId: 0, provider }), 'Cleaned')

/** From the signed text to the first answer. */
async function byAgent(orderId: bigint): Promise<number> {
  const request = await buyer.sign({ orderId, deployId: OWN_APP_DEPLOY_ID, provider, app: THREE })
  const began = performance.now()
  await peer.deploy(request)
  await until(orderId, ANSWER)
  const taken = performance.now() - began
  await clean(orderId)
  return taken
}

/** The same three as their compose file has them: the web application once the database is healthy. */
async function byHand(): Promise<number> {
  const began = performance.now()
  // As many cores together as the order bought.
  const hosts = ['--cpuset-cpus', '0', '--network', 'bench', '--add-host', 'db:10.254.78.3', '--add-host', 'cache:10.254.78.4']
  await podman('run', '-d', '--name', 'db', ...hosts, '--ip', '10.254.78.3', image('db'))
  await podman('run', '-d', '--name', 'cache', ...hosts, '--ip', '10.254.78.4', image('cache'))
  while (!(await podman('exec', 'db', ...HEALTHY).then(Boolean, () => false))) await sleep(10)
  await podman('run', '-d', '--name', 'web', ...hosts, '--ip', '10.254.78.2', image('web'))
  while (
    !ANSWER.test(
      await fetch('http://10.254.78.2:8000/').then(
        (answer) => answer.text(),
        () => '',
      ),
    )
  )
    await sleep(10)
  const taken = performance.now() - began
  await podman('rm', '-f', '-t', '0', 'web', 'db', 'cache')
  return taken
}

/** Processes of the agent and its engine, by what their command lines name; what runs in containers is not among them. */
function ours(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    const words = read(`/proc/${pid}/cmdline`)
    return words.includes(market.file) || (words.includes(paths.run) && /podman|conmon/.test(words))
  })
}
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
/** Memory that is theirs alone, and their part of what they share. */
const megabytes = () =>
  ours().reduce((sum, pid) => sum + Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0), 0) / 1024
/** Milliseconds of processor time, with children that have ended. */
const processor = () =>
  ours().reduce((sum, pid) => {
    const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ').slice(11, 15).map(Number) ?? []
    return sum + 10 * fields.reduce((all, one) => all + one, 0)
  }, 0)

/** Memory, and processor time of each idle second, with an application running. */
async function idle(orderId: bigint, app: string): Promise<{ memory: number; busy: number }> {
  await deploy(orderId, app)
  await until(orderId, /./)
  await sleep(SETTLE_MS)
  const before = processor()
  await sleep(IDLE_MS)
  const busy = (processor() - before) / (IDLE_MS / 1000)
  const memory = megabytes()
  await clean(orderId)
  return { memory, busy }
}

/** The longest time without an answer while nginx is replaced by its next version. */
async function update(orderId: bigint): Promise<number> {
  const nginx = (version: string) =>
    text({ app: { image: image('nginx'), ports: [{ protocol: 'http', port: 8080, ready: '/' }], env: { VERSION: version } } })
  await deploy(orderId, nginx('one'))
  await until(orderId, /nginx one/)
  await deploy(orderId, nginx('two'))
  let [lastAt, longest] = [performance.now(), 0]
  for (let isNew = false; !isNew; ) {
    const { ok, said } = await page(orderId)
    if (!ok || !said.includes('nginx')) continue
    longest = Math.max(longest, performance.now() - lastAt)
    lastAt = performance.now()
    isNew = said.includes('two')
  }
  await clean(orderId)
  return longest
}

try {
  // Debian's podman takes no layers that are packed as zstd.
  const layers = [packLayer(readFileSync(await debianTar()))]
  await registry.push('bench/web', '1', { layers, config: { Cmd: ['python3', '-uc', WEB], User: 'www-data' } })
  await registry.push('bench/db', '1', { layers, config: { Cmd: ['sh', '-ec', DB_LINE], User: 'postgres' } })
  const redis = { Cmd: ['redis-server', '--protected-mode', 'no', '--save', ''], User: 'redis', WorkingDir: '/tmp' }
  await registry.push('bench/cache', '1', { layers, config: redis })
  const serve = `mkdir /tmp/www; echo "nginx $VERSION" > /tmp/www/index.html
    printf 'daemon off; pid /tmp/pid; events {} http { access_log off; server { listen 8080; root /tmp/www; } }' > /tmp/conf; exec nginx -c /tmp/conf`
  await registry.push('bench/nginx', '1', { layers, config: { Cmd: ['sh', '-ec', serve] } })
  for (const name of ['web', 'db', 'cache']) await podman('pull', '-q', '--tls-verify=false', image(name))
  await podman('network', 'create', '--disable-dns', '--subnet', '10.254.78.0/24', 'bench')
  await bench.start()
  const orderId = await buyer.buy(provider, 1n)
  await byAgent(orderId)
  await byHand()

  const taken: [number[], number[]] = [[], []]
  // Alternating, so that other load on this machine slows both.
  for (let round = 0; round < ROUNDS; round += 1) {
    taken[0].push(await byAgent(orderId))
    taken[1].push(await byHand())
  }
  const [agent = 0, hand = 0] = taken.map((all) => percentile(all, 0.5))
  const spread = (all: readonly number[]) => `${(Math.min(...all) / 1000).toFixed(1)} to ${(Math.max(...all) / 1000).toFixed(1)}`
  table(
    ['web, PostgreSQL and redis, to the first answer', 'median s', 'from ... to', 'times podman', `goal ${GOAL_TIMES}`],
    [
      ['podman by hand', (hand / 1000).toFixed(1), spread(taken[1]), '1.00', ''],
      [
        'the agent',
        (agent / 1000).toFixed(1),
        spread(taken[0]),
        (agent / hand).toFixed(2),
        agent / hand <= GOAL_TIMES ? 'met' : 'missed',
      ],
    ],
  )

  const caches = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`cache-${name}`, CACHE]))
  const one = await idle(orderId, text({ web: { ...webOf({}), args: ['python3', '-m', 'http.server', '8000'] } }))
  const three = await idle(orderId, THREE)
  const seven = await idle(orderId, text({ web: webOf({ db: 'healthy', cache: 'started' }), db: DB, cache: CACHE, ...caches }))
  const each = (seven.memory - three.memory) / Object.keys(caches).length
  table(
    ['an idle order', 'memory of agent and engine', 'processor, ms a second'],
    [
      ['of one service', `${one.memory.toFixed(0)} MB`, one.busy.toFixed(1)],
      ['of three', `${three.memory.toFixed(0)} MB`, three.busy.toFixed(1)],
      ['of seven', `${seven.memory.toFixed(0)} MB`, seven.busy.toFixed(1)],
    ],
  )
  console.log(
    `\nEach further service: ${each.toFixed(1)} MB, goal ${GOAL_MEGABYTES}: ${each <= GOAL_MEGABYTES ? 'met' : 'missed'}\n`,
  )

  const down: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) down.push(await update(orderId))
  const longest = percentile(down, 0.5)
  const verdict = longest <= GOAL_DOWN_MS ? 'met' : 'missed'
  table(
    ['nginx while it is updated, longest time without an answer', 'median ms', 'worst ms', `goal ${GOAL_DOWN_MS} ms`],
    [['image present', longest.toFixed(0), Math.max(...down).toFixed(0), verdict]],
  )
} finally {
  await podman('rm', '-f', '-a', '-t', '0').catch(() => {})
  await podman('network', 'rm', '-f', 'bench').catch(() => {})
  await bench.close()
  await registry.close()
  unmountBelow(folder)
  rmSync(folder, { recursive: true, force: true })
}
