import { existsSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../foundation/runCommand.ts'
import { killProcess } from '../../testing/killProcess.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { podmanPaths } from './podmanService.ts'

const NGINX = 2
const SHELL = 3
const TENANT = 1n
const NEIGHBOUR = 2n
const reason = whyNoContainers()

describe.skipIf(reason)(`an attacker inside a container (${reason ?? 'here'})`, () => {
  let market: TestRuntime

  beforeAll(async () => {
    market = await setupRuntime()
    await market.run(TENANT, SHELL, { cores: 0.5, memoryBytes: 256 * 2 ** 20, diskBytes: 128 * 2 ** 20 })
    await market.run(NEIGHBOUR, NGINX)
  })
  afterAll(async () => {
    await market?.close()
  })

  const inside = (line: string) => market.inside(TENANT, line)
  const python = (code: string) => inside(`python3 -c '${code}'`)

  it('cannot use more memory than it bought', async () => {
    const { code } = await python('b = bytearray(400 * 2**20); print(len(b))')
    expect(code).not.toBe(0)
    expect((await market.runtime.list()).find((one) => one.orderId === TENANT)?.running).toBe(true)
    // Memory and swap together on cgroup v1, swap alone on v2; a kernel without swap accounting has neither file.
    const swap = await inside('cat /sys/fs/cgroup/memory/memory.memsw.limit_in_bytes /sys/fs/cgroup/memory.swap.max 2>/dev/null')
    expect(['', '0', String(256 * 2 ** 20)]).toContain(swap.output.trim())
  })

  it('cannot use more processor time than it bought', async () => {
    const { output } = await python(
      'import os,resource,time\nstart=time.time()\nkids=[]\nfor i in range(2):\n  p=os.fork()\n  if p==0:\n    while time.time()-start<3: pass\n    os._exit(0)\n  kids.append(p)\nfor p in kids: os.waitpid(p,0)\nu=resource.getrusage(resource.RUSAGE_CHILDREN)\nprint("share",(u.ru_utime+u.ru_stime)/(time.time()-start))',
    )
    expect(Number(/share ([\d.]+)/.exec(output)?.[1])).toBeLessThan(0.65)
    const quota = await inside('cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu.max 2>/dev/null')
    expect(quota.output).toMatch(/^50000\b/)
  })

  it('cannot fill more disk than it bought, neither on disk nor in memory', async () => {
    expect((await inside('dd if=/dev/zero of=/home/renter/big bs=1M count=200 2>&1; rm -f /home/renter/big')).output).toContain(
      'No space left',
    )
    expect((await inside('dd if=/dev/zero of=/var/tmp/big bs=1M count=32 2>&1; rm -f /var/tmp/big')).output).toContain(
      'No space left',
    )
    expect((await inside('echo kept > /home/renter/file && cat /home/renter/file')).output).toContain('kept')
  })

  it('cannot write to its image, to /sys or to kernel settings', async () => {
    for (const path of ['/x', '/etc/x', '/usr/bin/x'])
      expect((await inside(`touch ${path} 2>&1`)).output, path).toContain('Read-only file system')
    for (const path of ['/sys/x', '/proc/sys/kernel/hostname', '/proc/sysrq-trigger'])
      expect((await inside(`echo 1 > ${path}`)).code, path).not.toBe(0)
  })

  it('has no capabilities, gains none, and finds no set-user-id program', async () => {
    const { output } = await inside('grep -E "Cap(Eff|Prm|Bnd|Amb)|NoNewPrivs|Seccomp:" /proc/self/status')
    expect(output.match(/Cap\w+:\s+0{16}/g)).toHaveLength(4)
    expect(output).toMatch(/NoNewPrivs:\s+1/)
    expect(output).toMatch(/Seccomp:\s+2/)
    expect((await inside('find / -xdev -perm /6000 -type f 2>/dev/null')).output.trim()).toBe('')
    expect((await inside('mknod /home/renter/sda b 8 0')).code).not.toBe(0)
    expect((await python('import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)')).code).not.toBe(0)
  })

  it('cannot use syscalls that break isolation', async () => {
    const calls = {
      unshare: 272,
      setns: 308,
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      keyctl: 250,
      add_key: 248,
      bpf: 321,
      ptrace: 101,
      userfaultfd: 323,
      io_uring_setup: 425,
      perf_event_open: 298,
      open_tree: 428,
      move_mount: 429,
      fsopen: 430,
      process_vm_readv: 310,
      open_by_handle_at: 304,
      kcmp: 312,
    }
    const { output } = await python(
      `import ctypes\nlibc=ctypes.CDLL(None,use_errno=True)\nfor name,nr in ${JSON.stringify(calls).replaceAll('"', '"')}.items():\n  r=libc.syscall(nr,0x10000000,0,0,0,0,0)\n  print(name,r,ctypes.get_errno())\nprint("clone_newuser",libc.syscall(56,0x10000000|17,0,0,0,0),ctypes.get_errno())\nprint("clone3",libc.syscall(435,0,0),ctypes.get_errno())`,
    )
    for (const name of Object.keys(calls)) expect(output).toContain(`${name} -1 1\n`)
    expect(output).toMatch(/clone_newuser -1 (1|38)/)
    expect(output).toContain('clone3 -1 38')
    const families = await python(
      'import socket\nfor f in (38,40,16,17):\n  try:\n    socket.socket(f,socket.SOCK_DGRAM if f!=38 else 5)\n    print(f,"open")\n  except OSError: print(f,"closed")',
    )
    expect(families.output).toContain('38 closed')
    expect(families.output).toContain('40 closed')
    expect(families.output).toContain('17 closed')
  })

  it('cannot open a blocked socket by 32-bit syscalls', async () => {
    // mov eax, 102 (socketcall); mov ebx, 1 (socket); mov ecx, its arguments; int 0x80; ret
    const { output } = await python(
      [
        'import ctypes,mmap,os,struct',
        'libc=ctypes.CDLL(None); libc.mmap.restype=ctypes.c_void_p',
        'at=libc.mmap(None,4096,7,0x62,-1,0)',
        'for family,kind in ((38,5),(40,1),(2,1)):',
        '  code=b"\\x53\\xb8\\x66\\0\\0\\0\\xbb\\1\\0\\0\\0\\xb9"+struct.pack("<I",at+64)+b"\\xcd\\x80\\x5b\\xc3"',
        '  ctypes.memmove(at,code.ljust(64,b"\\x90")+struct.pack("<III",family,kind,0),76)',
        '  child=os.fork()',
        '  if child==0:',
        '    os._exit(0 if ctypes.CFUNCTYPE(ctypes.c_int)(at)()>=0 else 1)',
        '  status=os.waitpid(child,0)[1]',
        '  print(family,"killed" if os.WIFSIGNALED(status) else "open" if status==0 else "refused",status)',
      ].join('\n'),
    )
    for (const family of [38, 40, 2]) expect(output).toMatch(new RegExp(`^${family} killed`, 'm'))
  })

  it('has its own range of user ids, apart from its neighbour’s', async () => {
    const map = async (orderId: bigint) =>
      Number((await market.inside(orderId, 'cat /proc/self/uid_map')).output.trim().split(/\s+/)[1])
    const [mine, theirs] = [await map(TENANT), await map(NEIGHBOUR)]
    expect(mine).toBeGreaterThan(100_000)
    expect(theirs).toBeGreaterThan(100_000)
    expect(Math.abs(mine - theirs)).toBeGreaterThanOrEqual(65_536)
  })

  it('sees no processes, devices or names of the host', async () => {
    expect(Number((await inside('ls /proc | grep -c "^[0-9]"')).output)).toBeLessThan(20)
    expect((await inside('ls /dev')).output).not.toMatch(/\b(vda|sda|loop0|kmsg|mem|kvm)\b/)
    expect((await inside('head -c 1 /proc/kcore | wc -c')).output).toContain('0')
    const [hosts, resolvConf] = await Promise.all(['hosts', 'resolv.conf'].map((name) => inside(`cat /etc/${name}`)))
    expect(hosts?.output.trim().split('\n')).toEqual(['127.0.0.1 localhost', '127.0.1.1 ubuntu'])
    expect(resolvConf?.output).toBe('nameserver 1.1.1.1\nnameserver 9.9.9.9\nnameserver 8.8.8.8\n')
    expect((await inside('touch /etc/hosts /etc/resolv.conf')).code).not.toBe(0)
  })

  it('sees its own memory, processors and uptime, even after lxcfs has died', async () => {
    const seen = async () => {
      const { output } = await inside(
        'awk "/MemTotal|SwapTotal/ {print \\$2}" /proc/meminfo; nproc; grep -c ^processor /proc/cpuinfo; cut -d. -f1 /proc/uptime',
      )
      const [memory, swap, processors, listed, seconds] = output.trim().split('\n').map(Number)
      return { memory, swap, processors, listed, isYoung: Number(seconds) < uptime() - 1 }
    }
    const own = { memory: 256 * 1024, swap: 0, processors: 1, listed: 1, isYoung: true }
    expect(await seen()).toEqual(own)
    const run = podmanPaths('', market.instance).run
    const pid = readFileSync(join(run, 'lxcfs.pid'), 'utf8').trim()
    killProcess(pid)
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
    expect((await inside('cat /proc/meminfo')).code).not.toBe(0)
    await market.runtime.check()
    expect(await seen()).toEqual(own)
    await market.run(3n, NGINX, { memoryBytes: 2 ** 28 })
    expect((await market.inside(3n, 'grep MemTotal /proc/meminfo')).output).toMatch(/\s262144 kB/)
    await market.runtime.remove(3n, { wipe: true })
  })

  it('does not start another image under the name of an approved one', async () => {
    const approved = await market.runtime.ensureImage(market.app(NGINX))
    const other = await market.runtime.ensureImage(market.app(SHELL))
    await market.docker.getImage(other).tag({ repo: 'localhost/rackfair/nginx', tag: 'latest' })
    expect(await market.runtime.ensureImage(market.app(NGINX))).toBe(approved)
  })

  it('leaves nothing of an order behind', async () => {
    await market.runtime.remove(TENANT, { wipe: true })
    expect(await market.runtime.ordersWithData()).not.toContain(TENANT)
    expect((await runCommand('ip', ['-br', 'link'])).stdout).not.toContain(`rf${market.instance}-1 `)
    expect((await runCommand('losetup', ['-a'])).stdout).not.toContain(`${market.data}/volumes/1/`)
  })
})
