import { describe, expect, test } from 'vitest'
import { APP_LIMITS } from '../AppSpec.ts'
import { readPasted } from './readPasted.ts'

const REDIS = { image: 'docker.io/library/redis:latest', env: {}, secrets: [], ports: [], volumes: [] }
const problemsOf = (text: string) => readPasted(text).problems.map(({ field, code, line }) => `${line ?? '-'} ${field} ${code}`)

describe('a flag', () => {
  test.each<[string, string, string]>([
    ['-d', '-d', 'name_ignored'],
    ['--detach', '--detach', 'name_ignored'],
    ['-i', '-i', 'name_ignored'],
    ['--interactive', '--interactive', 'name_ignored'],
    ['-t', '-t', 'name_ignored'],
    ['--tty=true', '--tty', 'name_ignored'],
    ['-itd', '-itd', 'name_ignored'],
    ['-q', '-q', 'name_ignored'],
    ['--rm', '--rm', 'always_restarted'],
    ['--init', '--init', 'walls'],
    ['--name x', '--name x', 'name_ignored'],
    ['--name=x', '--name x', 'name_ignored'],
    ['-h x', '-h x', 'name_ignored'],
    ['-hx', '-h x', 'name_ignored'],
    ['-h=x', '-h x', 'name_ignored'],
    ['--label a=b', '--label a=b', 'name_ignored'],
    ['--pull always', '--pull always', 'machine_decides'],
    ['--restart=always', '--restart always', 'always_restarted'],
    ['--gpus all', '--gpus all', 'machine_decides'],
    ['-m 1g', '-m 1g', 'machine_decides'],
    ['--shm-size=1g', '--shm-size 1g', 'machine_decides'],
    ['--health-cmd "curl x"', '--health-cmd curl x', 'probe_ignored'],
    ['--cap-drop ALL', '--cap-drop ALL', 'walls'],
  ])('`%s` is noted and has no effect', (flag, field, code) => {
    const { spec, problems, notes } = readPasted(`docker run ${flag} redis`)
    expect(problems).toEqual([])
    expect(spec).toEqual(REDIS)
    expect(notes).toStrictEqual([{ field, code, line: 1 }])
  })

  test.each(['--init=false', '--privileged=false', '--rm=false'])('`%s` turns the flag off', (flag) =>
    expect(readPasted(`docker run ${flag} redis`)).toMatchObject({ spec: REDIS, notes: [], problems: [] }),
  )

  test.each<[string, string]>([
    ['--privileged', '--privileged no_privilege'],
    ['--privileged=true', '--privileged no_privilege'],
    ['--device /dev/kvm', '--device /dev/kvm no_privilege'],
    ['--pid=host', '--pid host no_privilege'],
    ['--volumes-from other', '--volumes-from other host_path'],
  ])('`%s` is refused', (flag, problem) => {
    const { spec, problems } = readPasted(`docker run ${flag} redis`)
    expect(spec).toBeUndefined()
    expect(problems.map(({ field, code, line }) => `${line} ${field} ${code}`)).toEqual([`1 ${problem}`])
  })

  test.each<[string, string]>([
    ['--frob', '--frob'],
    ['--frob=1', '--frob'],
    ['-z', '-z'],
    ['-zx', '-zx'],
    ['-dz', '-z'],
    ['-zd', '-zd'],
    ['-dtz', '-z'],
    ['--', '--'],
    ['-', '-'],
  ])('`%s` is refused as unknown, and the rest is not read', (flag, field) => {
    const { draft, problems } = readPasted(`docker run -u 1 ${flag} --privileged redis`)
    expect(problems).toStrictEqual([{ field, code: 'unsupported', line: 1 }])
    expect(draft).toEqual({ user: '1' })
  })

  test.each(['-dp 8080:80', '-dp8080:80', '-dp=8080:80', '-itdp 8080:80', '-d -p 8080:80'])(
    '`%s` publishes a port, whichever switches precede the letter',
    (flags) => {
      const { spec, notes, problems } = readPasted(`docker run ${flags} nginx`)
      expect(problems).toEqual([])
      expect(spec?.ports).toMatchObject([{ port: 80 }])
      expect(notes.map(({ field }) => field)).toContain('-d')
    },
  )

  test.each<[string, string]>([
    ['docker run -e', '1 -e missing'],
    ['docker run -de', '1 -e missing'],
    ['docker run --env', '1 -e missing'],
    ['docker run \\\n  --name', '2 --name missing'],
  ])('%j lacks its value', (text, problem) => expect(problemsOf(text)).toEqual([problem]))

  test('is reported with a truncated value', () => {
    const long = 'x'.repeat(100)
    expect(readPasted(`docker run --name ${long} redis`).notes[0]?.field).toBe(`--name ${long.slice(0, 80)}`)
  })

  test('is reported at the line of its value', () => {
    expect(problemsOf('docker run \\\n  --device \\\n  /dev/kvm \\\n  redis')).toEqual(['3 --device /dev/kvm no_privilege'])
    expect(problemsOf('docker run \\\n  --device=/dev/kvm \\\n  redis')).toEqual(['2 --device /dev/kvm no_privilege'])
  })

  test('after the image is an argument of the application', () =>
    expect(readPasted('docker run redis -p 80 --privileged').spec).toEqual({ ...REDIS, args: ['-p', '80', '--privileged'] }))
})

describe('the command that is started', () => {
  test.each<[string, object]>([
    ['-u 1000', { user: '1000' }],
    ['-u1000:1000', { user: '1000:1000' }],
    ['--user=bob', { user: 'bob' }],
    ['-w /srv', { workdir: '/srv' }],
    ['--workdir /srv', { workdir: '/srv' }],
    ['--entrypoint "/bin/my sh"', { command: ['/bin/my sh'] }],
  ])('is set with `%s`', (flags, expected) =>
    expect(readPasted(`docker run ${flags} redis`).spec).toEqual({ ...REDIS, ...expected }),
  )

  test.each<[string, string[]]>([
    ['docker run redis $A', ['1 $A no_value']],
    [`docker run redis a \\\n b\${A}`, [`2 b\${A} no_value`]],
    ['docker run redis $A $B', ['1 $A no_value', '1 $B no_value']],
    [`docker run redis $A${'x'.repeat(100)}`, [`1 $A${'x'.repeat(78)} no_value`]],
    ['docker run $A', ['1 image no_value', '1 image invalid']],
    ['docker run -u $A redis', ['1 -u $A no_value']],
    ['docker run -w $PWD redis', ['1 -w $PWD no_value']],
    ['docker run -p $PORT:80 redis', ['1 -p $PORT:80 no_value']],
    ['docker run --entrypoint $A redis', ['1 --entrypoint $A no_value']],
    ['docker run -v $PWD:/data redis', ['1 -v $PWD:/data host_path']],
    ['docker run --mount type=volume,dst=$A redis', ['1 --mount type=volume,dst=$A host_path']],
    ['docker run -u /bob redis', ['1 -u /bob invalid']],
    ['docker run \\\n  -w srv redis', ['2 -w srv invalid']],
    ['docker run Redis', ['1 image invalid']],
    ['docker run -p 80', ['- image missing']],
    [`docker run redis \\\n${' x'.repeat(APP_LIMITS.words + 1)}`, ['2 args too_many']],
    [`docker run redis a \\\n ${'x'.repeat(APP_LIMITS.wordLength + 1)}`, ['1 args too_large']],
  ])('is refused with %j', (text, problems) => {
    expect(readPasted(text).spec).toBeUndefined()
    expect(problemsOf(text)).toEqual(problems)
  })

  test('a missing image has no line number', () =>
    expect(readPasted('docker run').problems).toStrictEqual([{ field: 'image', code: 'missing' }]))
})

describe('an environment value', () => {
  test.each<[string, string]>([
    ['-e A=x', 'x'],
    ['-eA=x', 'x'],
    ['-e=A=x', 'x'],
    ['--env=A=x', 'x'],
    ['--env A=x=y', 'x=y'],
    ['-e A=', ''],
    ["-e 'A=$B'", '$B'],
    ["-e 'A=$undefined'", '$undefined'],
    ['-e A=\\$B', '$B'],
  ])('is taken from `%s`', (flag, value) => expect(readPasted(`docker run ${flag} redis`).spec?.env).toEqual({ A: value }))

  test.each<[string, string]>([
    ['-e A', '-e A'],
    ['--env=A', '-e A'],
    ['-e A=$A', '-e A=$A'],
    [`-e A=\${B}`, `-e A=\${B}`],
    ['-e "A=$B"', '-e A=$B'],
  ])('becomes a secret with `%s`', (flag, field) => {
    const { spec, notes } = readPasted(`docker run ${flag} redis`)
    expect(spec).toEqual({ ...REDIS, secrets: ['A'] })
    expect(notes).toEqual([{ field, code: 'became_secret', line: 1 }])
  })

  test.each<[string, string]>([
    ['-e A=x$B', '-e A=x$B no_value'],
    ['-e A=$B/x', '-e A=$B/x no_value'],
    ['-e A=$B$C', '-e A=$B$C no_value'],
    ['-e $A=x', '-e $A=x no_value'],
    ['-e A=1 -e A=2', '-e A=2 duplicate'],
    ['-e 1A=x', '-e 1A=x invalid'],
    ['-e =x', '-e =x invalid'],
  ])('is refused with `%s`', (flags, problem) => {
    const { spec, notes } = readPasted(`docker run ${flags} redis`)
    expect(spec).toBeUndefined()
    expect(problemsOf(`docker run ${flags} redis`)).toEqual([`1 ${problem}`])
    expect(notes).toEqual([])
  })
})

test('refuses an environment value that is a secret as well', () =>
  expect(problemsOf('docker run -e A=1 -e A redis')).toEqual(['1 -e A duplicate']))

describe('a port', () => {
  test.each<[string, object, string[]]>([
    ['-p 5432:5432', { protocol: 'tcp', port: 5432 }, []],
    ['-p5432', { protocol: 'tcp', port: 5432 }, []],
    ['--publish=15432:5432', { protocol: 'tcp', port: 5432 }, ['-p 15432:5432 outside_port']],
    ['--expose 53/udp', { protocol: 'udp', port: 53 }, []],
    ['-p 8080:80', { protocol: 'http', port: 80 }, ['-p 8080:80 outside_port']],
  ])('is read from `%s`', (flag, port, notes) => {
    const read = readPasted(`docker run ${flag} redis`)
    expect(read.spec).toEqual({ ...REDIS, ports: [port] })
    expect(read.notes.map(({ field, code }) => `${field} ${code}`)).toEqual(notes)
  })

  test.each<[string, string]>([
    ['-p x', '-p x invalid'],
    ['-p 8000-8010:8000-8010', '-p 8000-8010:8000-8010 invalid'],
    ['--expose 0', '--expose 0 invalid'],
    ['-p 22 -p 2222:22', '-p 2222:22 duplicate'],
  ])('is refused with `%s`', (flags, problem) => expect(problemsOf(`docker run ${flags} redis`)).toEqual([`1 ${problem}`]))
})

describe('a volume', () => {
  test.each<[string, string]>([
    ['-v /data', '-v /data'],
    ['-v data:/data', '-v data:/data'],
    ['-v d:/data', '-v d:/data'],
    ['-v my_data-1.x:/data:rw', '-v my_data-1.x:/data:rw'],
    ['--volume=data:/data', '-v data:/data'],
    ['--mount type=volume,src=d,target=/data', '--mount type=volume,src=d,target=/data'],
    ['--mount source=d,dst=/data', '--mount source=d,dst=/data'],
    ['--mount destination=/data', '--mount destination=/data'],
  ])('is kept on the order’s disk with `%s`', (flag, field) => {
    const { spec, notes } = readPasted(`docker run ${flag} redis`)
    expect(spec).toEqual({ ...REDIS, volumes: ['/data'] })
    expect(notes).toEqual([{ field, code: 'one_disk', line: 1 }])
  })

  test.each<[string, string]>([
    ['-v /srv:/data', 'host_path'],
    ['-v ./a:/data', 'host_path'],
    ['-v a/b:/data', 'host_path'],
    ['-v .a:/data', 'host_path'],
    ['-v :/data', 'host_path'],
    ['-v d:/data:ro', 'unsupported'],
    ['-v d:/data:z', 'unsupported'],
    ['-v d:/data:rw:z', 'unsupported'],
    ['-v data', 'invalid'],
    ['-v d:', 'invalid'],
    ['-v /proc/x', 'no_privilege'],
    ['--mount type=bind,src=/srv,dst=/data', 'host_path'],
    ['--mount type=tmpfs,dst=/data', 'unsupported'],
    ['--mount src=d,dst=/data,readonly', 'unsupported'],
    ['--mount src=d,dst=/data,ro', 'unsupported'],
    ['--mount src=d,dst=/data,readonly=true', 'unsupported'],
    ['--mount src=d,dst=/data,volume-driver=nfs', 'unsupported'],
    ['--mount src=d', 'invalid'],
  ])('is refused with `%s`', (flag, code) => {
    const { spec, problems, notes } = readPasted(`docker run ${flag} redis`)
    expect(spec).toBeUndefined()
    expect(problems).toEqual([{ field: flag, code, line: 1 }])
    if (code === 'host_path' || code === 'unsupported') expect(notes).toEqual([])
  })
})

test.each(['docker run-all redis', 'docker run\\\nredis', 'docker run"x" redis'])('%j is not a docker run command', (text) => {
  expect(readPasted(text).spec).toBeUndefined()
  expect(problemsOf(text)).toContain('1 shell syntax')
})

describe('the size of a command', () => {
  const padded = (length: number) => 'docker run redis'.padEnd(length)

  test('may reach the limit', () => expect(readPasted(padded(APP_LIMITS.bytes)).spec).toEqual(REDIS))

  test('may not exceed the limit', () =>
    expect(readPasted(padded(APP_LIMITS.bytes + 1))).toEqual({
      kind: 'docker',
      draft: {},
      problems: [{ field: 'shell', code: 'syntax', line: 1 }],
      notes: [],
    }))
})
