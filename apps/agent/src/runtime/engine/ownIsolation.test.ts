import { once } from 'node:events'
import { whyItRests } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../foundation/runCommand.ts'
import { debianLayer } from '../../testing/ownImageBase.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { startRegistry, type TestRegistry, whyNoRegistry } from '../../testing/startRegistry.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { startFakeOutside } from './fakeOutside.ts'

const NEIGHBOUR = 9n
const reason = whyNoContainers() ?? whyNoRegistry() ?? whyItRests('own isolation')
const ALLOWANCE = { cores: 0.5, memoryBytes: 256 * 2 ** 20, diskBytes: 2 * 2 ** 30 }

/** Each is attempted as root inside, which can do more than a user of the image. */
const REFUSED: readonly [string, string][] = [
  ['making a device', 'mknod /sda b 8 0 && head -c1 /sda'],
  ['a mount', 'mount -t tmpfs x /mnt'],
  ['a mount in a chroot', 'chroot / mount -t proc p /mnt'],
  ['a network of its own making', 'ip link add x type dummy'],
  ['another address', 'ip address add 10.1.2.3/24 dev eth0'],
  ['writing to /sys', 'echo 1 > /sys/x'],
  ['another host name in the kernel', 'echo x > /proc/sys/kernel/hostname'],
  ['the keys of the kernel', 'echo b > /proc/sysrq-trigger'],
  ['the names of the engine', 'echo 1.2.3.4 x > /etc/hosts'],
  ['the resolvers of the engine', 'echo nameserver 1.2.3.4 > /etc/resolv.conf'],
  ['the memory of the machine', '[ -n "$(head -c 1 /proc/kcore)" ]'],
  ['raw sockets', 'python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"'],
  ['frames of the network', 'python3 -c "import socket; socket.socket(17, 3, 0)"'],
  ['sockets of virtual machines', 'python3 -c "import socket; socket.socket(40, 1)"'],
  ['sockets of ciphers', 'python3 -c "import socket; socket.socket(38, 5)"'],
  ['more files than its share', 'python3 -c "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (2**21, 2**21))"'],
]
/** Multithreaded, like servers: what a runtime denies the first program, it may allow to a command run by exec. */
const THREADED =
  'import threading, time; one = threading.Thread(target=print, args=("a thread",), kwargs={"flush": True}); one.start(); time.sleep(1e9)'
const CALLS = {
  ...{ setns: 308, pivot_root: 155, keyctl: 250, add_key: 248, bpf: 321, userfaultfd: 323, io_uring_setup: 425 },
  ...{
    perf_event_open: 298,
    open_tree: 428,
    move_mount: 429,
    fsopen: 430,
    open_by_handle_at: 304,
    kexec_load: 246,
    init_module: 175,
  },
}

describe.skipIf(reason)(`an attacker who is root inside an own image (${reason ?? 'here'})`, () => {
  let registry: TestRegistry
  let market: TestRuntime
  let outside: Awaited<ReturnType<typeof startFakeOutside>>
  let neighbour = ''
  const stop: (() => unknown)[] = []

  beforeAll(async () => {
    outside = await startFakeOutside([80, 25])
    stop.unshift(() => outside.close())
    registry = await startRegistry()
    stop.unshift(() => registry.close())
    market = await setupRuntime({ resolvers: [outside.public], ownImages: { localRegistries: [registry.host] } })
    stop.unshift(() => market.close())
    const layers = [await debianLayer()]
    await registry.push('apps/shell', '1', { layers, config: { Cmd: ['sleep', 'infinity'] } })
    const serve = 'exec python3 -m http.server 8000'
    neighbour = (
      await market.runOwn(
        NEIGHBOUR,
        {
          image: `${registry.host}/apps/shell:1`,
          user: 'nobody',
          args: ['sh', '-c', serve],
          ports: [{ protocol: 'tcp', port: 8000 }],
        },
        ALLOWANCE,
      )
    ).address
  }, 600_000)
  afterAll(async () => {
    for (const one of stop) await one()
  })

  describe.each([
    ['runc', 1n, undefined],
    ['gVisor', 2n, 'gvisor'],
  ] as const)('behind %s', (_name, order, sandbox) => {
    const why = () => (sandbox ? market.runtime.whyNoGvisor : undefined)
    const inside = (line: string) => market.inside(order, line)
    const wall = (title: string, test: () => Promise<void>, timeout = 240_000) =>
      it(title, async ({ skip }) => (why() === undefined ? test() : skip(why())), timeout)

    beforeAll(async () => {
      if (why() !== undefined) return
      const given = { image: `${registry.host}/apps/shell:1`, args: ['python3', '-c', THREADED] }
      await market.runOwn(order, { ...given, ...(sandbox ? { sandbox } : {}) }, ALLOWANCE)
    }, 120_000)

    wall('it is root, and runs where it was asked to', async () => {
      expect((await inside('id -u')).output).toBe('0\n')
      const host = (await runCommand('uname', ['-r'])).stdout
      expect((await inside('uname -r')).output).toBe(sandbox ? '4.4.0\n' : host)
      expect((await market.runtime.find(order))?.sandboxed).toBe(sandbox !== undefined)
      const { output } = await inside(
        'cat "$RACKFAIR_AGENTS_MD"; (echo mine > "$RACKFAIR_AGENTS_MD") 2>/dev/null || echo; echo kept',
      )
      expect(output).toBe(`order ${order}\nkept\n`)
      await expect.poll(() => market.runtime.logs(order, 10)).toContain('a thread')
    })

    wall('it has the capabilities of an ordinary image and no others, and gains none', async () => {
      const { output } = await inside('grep -E "CapEff|CapBnd|NoNewPrivs|Seccomp:" /proc/self/status')
      // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, NET_BIND_SERVICE, SYS_CHROOT
      expect(output).toMatch(/CapEff:\s+00000000000404fb/)
      expect(output).toMatch(/CapBnd:\s+00000000000404fb/)
      // With gVisor, syscalls end in its own kernel, which shows no such lines for a command run by exec.
      if (sandbox) return
      expect(output).toMatch(/Seccomp:\s+2/)
      expect(output).toMatch(/NoNewPrivs:\s+1/)
      expect((await inside('unshare -U true')).code).not.toBe(0)
    })

    wall('it is refused what leads out, and takes no more than its share', async () => {
      const through: string[] = []
      for (const [what, line] of REFUSED) if ((await inside(line)).code === 0) through.push(what)
      expect(through).toEqual([])
    })

    wall('it is refused the calls of the kernel that nobody needs', async () => {
      const { output } = await inside(
        `python3 -c 'import ctypes\nlibc=ctypes.CDLL(None,use_errno=True)\nfor name,nr in ${JSON.stringify(CALLS)}.items(): print(name,libc.syscall(nr,0x10000000,0,0,0,0,0))'`,
      )
      for (const call of Object.keys(CALLS)) expect(output).toContain(`${call} -1\n`)
    })

    wall('it sees its own memory, disk and names, and no process or device of the machine', async () => {
      // Debian's ls makes a call that this gVisor does not implement; Python does not.
      const names = async (folder: string) =>
        (await inside(`python3 -c 'import os; print(" ".join(os.listdir("${folder}")))'`)).output
      expect((await names('/proc')).split(' ').filter((name) => /^\d+$/.test(name)).length).toBeLessThan(20)
      expect(await names('/dev')).toMatch(/\bnull\b/)
      expect(await names('/dev')).not.toMatch(/\b(vda|sda|loop0|kmsg|mem|kvm)\b/)
      const memory = Number((await inside("awk '/MemTotal/ {print $2}' /proc/meminfo")).output)
      expect(memory * 1024).toBeLessThanOrEqual(ALLOWANCE.memoryBytes)
      expect(Number((await inside('df -B1 --output=size / | tail -1')).output)).toBeLessThanOrEqual(ALLOWANCE.diskBytes)
      expect((await inside('cat /etc/resolv.conf')).output).toBe(`nameserver ${outside.public}\n`)
    })

    wall('it fills the disk that it bought and nothing else', async () => {
      const { output } = await inside('fallocate -l 1G /held; dd if=/dev/zero of=/big bs=1M count=2200 2>&1; rm -f /held /big')
      expect(output).toContain('No space left')
      expect((await inside('touch /etc/x /usr/bin/x && rm /etc/x /usr/bin/x')).code).toBe(0)
    })

    wall('it takes half a processor where it bought half of one', async () => {
      const burn =
        'import os,resource,time\nstart=time.time()\nfor i in range(2):\n  if os.fork()==0:\n    while time.time()-start<2: pass\n    os._exit(0)\nfor i in range(2): os.wait()'
      const used = async () => (await market.runtime.usage(order))?.processorMicros ?? 0
      const [before, began] = [await used(), performance.now()]
      await inside(`python3 -c '${burn}'`)
      const share = ((await used()) - before) / 1000 / (performance.now() - began)
      expect(share).toBeGreaterThan(0)
      expect(share).toBeLessThan(0.65)
    })

    wall('it reaches the internet, and neither machine, neighbour, private and metadata addresses, nor mail', async () => {
      const reach = async (host: string, port: number, seconds = 2) =>
        (await inside(`timeout ${seconds} bash -c 'exec 3<>/dev/tcp/${host}/${port}'`)).code === 0
      expect(await reach(outside.public, 80, 60)).toBe(true)
      const gateway = neighbour.replace(/\.\d+$/, '.1')
      for (const [host, port] of [
        [outside.hostAddress, Number(new URL(`http://${registry.host}`).port)],
        [gateway, Number(new URL(`http://${registry.host}`).port)],
        [neighbour, 8000],
        [outside.private, 80],
        [outside.linkLocal, 80],
        [outside.public, 25],
      ] as const)
        expect(await reach(host, port), `${host}:${port}`).toBe(false)
    })

    wall('it stays behind its own wall when the firewall of the machine is gone', async () => {
      await market.runtime.firewall.remove()
      try {
        expect((await inside(`timeout 2 bash -c 'exec 3<>/dev/tcp/${neighbour}/8000'`)).code).not.toBe(0)
      } finally {
        await market.runtime.check()
      }
    })

    wall('its terminal, its commands, its files and its loopback are reached, its data outlives a restart', async () => {
      const { stdin, stdout, exitCode } = await market.runtime.exec(order, ['sh', '-c', 'cat > /kept; echo $X; exit 5'], {
        env: { X: 'y' },
      })
      stdin.end('data')
      let said = ''
      for await (const chunk of stdout) said += chunk
      expect([said, await exitCode]).toEqual(['y\n', 5])
      await market.runtime.stop(order)
      await market.runtime.start(order)
      const { stream } = await market.runtime.terminal(
        order,
        ['sh', '-c', 'cat /kept; while [ "$(stty size)" = "0 0" ]; do sleep 0.1; done; stty size'],
        { columns: 80, rows: 24 },
      )
      let shown = ''
      for await (const chunk of stream) shown += chunk
      expect(shown.replaceAll('\r', '')).toContain('data24 80\n')
      const files = await market.runtime.fileServer(order)
      // The first packet of the protocol, and the version in the reply.
      files.stdin.write(Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]))
      const [answer] = await Promise.race([once(files.stdout, 'data'), files.exitCode.then(() => [Buffer.alloc(5)])])
      expect((answer as Buffer)[4]).toBe(2)
      files.closeTerminals()
    })

    wall('it takes no more memory than it bought', async () => {
      await inside("python3 -c 'b = bytearray(600 * 2**20); print(len(b))'").then(({ code }) => expect(code).not.toBe(0))
      if (sandbox) {
        // To the machine, gVisor is one program: it ends with everything in it. The engine can learn of it after the command did.
        await expect.poll(async () => (await market.runtime.find(order))?.running, { timeout: 30_000 }).toBe(false)
        await market.runtime.start(order)
      }
      expect((await market.runtime.find(order))?.running).toBe(true)
      expect((await market.inside(NEIGHBOUR, 'echo runs')).output).toBe('runs\n')
    })

    wall('its volumes are its own on either side of a change of runtime', async () => {
      const image = `${registry.host}/apps/shell:1`
      const given = { image, volumes: ['/data'] }
      await market.runOwn(5n, given, ALLOWANCE)
      await market.inside(5n, 'mkdir /data/a && touch /data/a/b && ln -s /etc/passwd /data/a/c && chown -hR 1000:100 /data/a')
      await market.runtime.remove(5n, { wipe: true, keepVolumes: true })
      await market.runOwn(5n, { ...given, ...(sandbox ? { sandbox } : {}) }, { ...ALLOWANCE, deploymentId: 'second' })
      const owners =
        'import os\nfor name in ("", "a", "a/b", "a/c"):\n  found = os.lstat("/data/" + name)\n  print(found.st_uid, found.st_gid)'
      const { output } = await market.inside(5n, `python3 -c '${owners}'; setpriv --reuid 1000 touch /data/a/d && echo wrote`)
      expect(output).toBe('0 0\n1000 100\n1000 100\n1000 100\nwrote\n')
      await market.runtime.remove(5n, { wipe: true })
    })

    // Last, because it may end its own container.
    wall(
      'it forks without end, and the machine and the neighbour go on',
      async () => {
        const bomb =
          'import os,signal\nn=0\ntry:\n  while n<6000:\n    if os.fork()==0: signal.pause()\n    n+=1\nexcept OSError: print("refused",n)'
        expect((await inside('echo runs')).output).toBe('runs\n')
        const { output } = await inside(`python3 -c '${bomb}'`)
        // Where it runs out of memory before, it is ended instead.
        expect(Number(/refused (\d+)/.exec(output)?.[1] ?? 0)).toBeLessThan(2048)
        expect((await runCommand('true', [])).code).toBe(0)
        expect((await market.inside(NEIGHBOUR, 'echo runs')).output).toBe('runs\n')
        const { HostConfig } = await market.docker.getContainer(`rackfair-${market.instance}-${order}`).inspect()
        expect(HostConfig.PidsLimit).toBe(sandbox ? 4096 : 2048)
        await market.runtime.stop(order)
        await market.runtime.remove(order, { wipe: true })
        expect(await market.runtime.ordersWithData()).not.toContain(order)
      },
      300_000,
    )
  })
})
