import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { runCommand } from '../runtime/runCommand.ts'

const SERVER = `const http=require('http');for(const port of process.argv.slice(1)){http.createServer((q,s)=>s.end('outside '+port+' asked by '+q.socket.remoteAddress)).listen(Number(port),'0.0.0.0',()=>console.log(port))}`

/**
 * An outside world in a network namespace: one public, one private and one link-local address that all answer on the given ports,
 * and say who asked.
 * Nothing of it reaches the real network.
 */
export async function startFakeOutside(ports: readonly number[]) {
  const tag = randomInt(1000, 9999)
  const octet = randomInt(2, 250)
  const name = `rfout${tag}`
  const host = `rfh${tag}`
  const addresses = { public: `44.${octet}.7.2`, private: `192.168.${octet}.2`, linkLocal: `169.254.${octet}.2` }
  const run = async (...args: string[]) => {
    const { code, stderr } = await runCommand('ip', args)
    if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
  }
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
  const child: ChildProcess = spawn('ip', ['netns', 'exec', name, process.execPath, '-e', SERVER, ...ports.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let up = 0
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      up += String(chunk).trim().split('\n').length
      if (up >= ports.length) resolve()
    })
  })
  return {
    ...addresses,
    hostAddress: addresses.public.replace(/\.2$/, '.1'),
    async close() {
      child.kill('SIGKILL')
      await runCommand('ip', ['link', 'del', host])
      await runCommand('ip', ['netns', 'del', name])
    },
  }
}
