import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { BlockList } from 'node:net'
import { networkInterfaces } from 'node:os'
import { runCommand } from '../../foundation/runCommand.ts'

const SERVER = `
const [address, ...ports] = process.argv.slice(1)
for (const port of ports)
  require('node:http')
    .createServer((question, answer) => answer.end('outside ' + port + ' asked by ' + question.socket.remoteAddress))
    .listen(Number(port), '0.0.0.0', () => console.log(port))
const resolver = require('node:dgram').createSocket('udp4')
resolver.on('message', (question, { port, address: from }) => {
  const end = question.indexOf(0, 12) + 5
  const header = Buffer.concat([question.subarray(0, 2), Buffer.from('81800001000100000000', 'hex')])
  const isAddress = question.readUInt16BE(end - 4) === 1
  if (!isAddress) header.writeUInt16BE(0, 6)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
  resolver.send(Buffer.concat([header, question.subarray(12, end), ...(isAddress ? [record] : [])]), port, from)
})
resolver.bind(53, '0.0.0.0', () => console.log('names'))
`
const UP_MS = 60_000
const FIRST_OCTET = 2
const LAST_OCTET = 249

/**
 * A fake internet in a network namespace: one public, one private and one link-local address that all answer on the given ports with
 * the client's address. They are also resolvers that return the public address for every name. Nothing reaches the real network, and
 * nothing is left behind if setup fails.
 */
export async function startFakeOutside(ports: readonly number[], upMs = UP_MS) {
  const tag = randomBytes(4).toString('hex')
  const name = `rfout${tag}`
  const host = `rfh${tag}`
  const addresses = addressesOf(freeOctet())
  const run = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await runCommand('ip', args)
    if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
  }
  let child: ChildProcess | undefined
  const close = async () => {
    child?.kill('SIGKILL')
    await runCommand('ip', ['link', 'del', host])
    await runCommand('ip', ['netns', 'del', name])
  }
  try {
    await run('netns', 'add', name)
    await run('link', 'add', host, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    await run('link', 'set', host, 'up')
    await run('-n', name, 'link', 'set', 'eth0', 'up')
    await run('-n', name, 'link', 'set', 'lo', 'up')
    for (const address of Object.values(addresses)) {
      await run('addr', 'add', address.replace(/\.2$/, '.1/30'), 'dev', host)
      await run('-n', name, 'addr', 'add', `${address}/30`, 'dev', 'eth0')
    }
    await run('-n', name, 'route', 'add', 'default', 'via', addresses.public.replace(/\.2$/, '.1'))
    child = spawn('ip', ['netns', 'exec', name, process.execPath, '-e', SERVER, addresses.public, ...ports.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await untilUp(child, ports.length + 1, upMs)
  } catch (error) {
    await close()
    throw error
  }
  return {
    ...addresses,
    hostAddress: addresses.public.replace(/\.2$/, '.1'),
    /** Answers at one more address, which this machine routes only there until `close`. */
    async answerAt(address: string) {
      await run('-n', name, 'addr', 'add', `${address}/32`, 'dev', 'eth0')
      await run('route', 'add', `${address}/32`, 'dev', host)
    },
    close,
  }
}

function untilUp(child: ChildProcess, ports: number, upMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the outside world is not up after ${upMs} ms`)), upMs)
    let up = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      up += String(chunk).trim().split('\n').length
      if (up >= ports) resolve()
    })
    child.on('error', reject)
    child.once('exit', (code) => reject(new Error(`ip netns exec ended with ${code}`)))
    child.once('close', () => clearTimeout(timer))
  })
}

/** An octet such that this machine is in none of the networks derived from it. */
export function freeOctet(interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces()): number {
  const taken = new BlockList()
  for (const { family, cidr } of Object.values(interfaces).flatMap((all) => all ?? [])) {
    const [address, bits] = cidr?.split('/') ?? []
    if (family === 'IPv4' && address && bits) taken.addSubnet(address, Number(bits))
  }
  const count = LAST_OCTET - FIRST_OCTET + 1
  const start = randomInt(count)
  for (let step = 0; step < count; step += 1) {
    const octet = FIRST_OCTET + ((start + step) % count)
    const ends = Object.values(addressesOf(octet)).flatMap((address) => [address, address.replace(/\.2$/, '.1')])
    if (!ends.some((address) => taken.check(address))) return octet
  }
  throw new Error('no address is free to try the isolation with: this machine is in all of 192.168.0.0/16')
}

const addressesOf = (octet: number) => ({
  public: `44.${octet}.7.2`,
  private: `192.168.${octet}.2`,
  linkLocal: `169.254.${octet}.2`,
})
