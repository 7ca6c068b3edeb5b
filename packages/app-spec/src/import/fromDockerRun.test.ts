import { describe, expect, test } from 'vitest'
import { APP_LIMITS } from '../AppSpec.ts'
import { readPasted } from './readPasted.ts'

const REDIS = { image: 'docker.io/library/redis:latest', env: {}, secrets: [], ports: [], volumes: [] }
const problemsOf = (text: string) => readPasted(text).problems.map(({ field, code, line }) => `${line ?? '-'} ${field} ${code}`)

describe('a flag', () => {
  test.each<[string, string, string]>([
    ['-d', '-d', 'no_effect'],
    ['--detach', '--detach', 'no_effect'],
    ['-i', '-i', 'no_effect'],
    ['--interactive', '--interactive', 'no_effect'],
    ['-t', '-t', 'no_effect'],
    ['--tty=true', '--tty', 'no_effect'],
    ['-q', '-q', 'no_effect'],
    ['--rm', '--rm', 'always_restarted'],
    ['--init', '--init', 'walls'],
    ['--name x', '--name x', 'no_effect'],
    ['--name=x', '--name x', 'no_effect'],
    ['-h x', '-h x', 'no_effect'],
    ['-hx', '-h x', 'no_effect'],
    ['-h=x', '-h x', 'no_effect'],
    ['--label a=b', '--label a=b', 'no_effect'],
    ['--pull always', '--pull always', 'machine_decides'],
    ['--restart=always', '--restart always', 'always_restarted'],
    ['--gpus all', '--gpus all', 'machine_decides'],
    ['-m 1g', '-m 1g', 'machine_decides'],
    ['--health-cmd "curl x"', '--health-cmd curl x', 'probe_ignored'],
    ['--cap-drop ALL', '--cap-drop ALL', 'walls'],
    ['--cap-add SYS_PTRACE', '--cap-add SYS_PTRACE', 'not_granted'],
    ['--security-opt seccomp=unconfined', '--security-opt seccomp=unconfined', 'not_granted'],
    ['--security-opt no-new-privileges', '--security-opt no-new-privileges', 'walls'],
    ['--device /dev/kfd', '--device /dev/kfd', 'machine_decides'],
    ['--device=/dev/dri/renderD128:/dev/dri/renderD128', '--device /dev/dri/renderD128:/dev/dri/renderD128', 'machine_decides'],
    ['--device nvidia.com/gpu=all', '--device nvidia.com/gpu=all', 'machine_decides'],
    ['--ipc=host', '--ipc host', 'machine_decides'],
    ['--read-only', '--read-only', 'writable'],
    ['-P', '-P', 'name_ports'],
    ['--publish-all', '--publish-all', 'name_ports'],
    ['--env-file .env', '--env-file .env', 'file_not_read'],
    ['--add-host=host.docker.internal:host-gateway', '--add-host host.docker.internal:host-gateway', 'no_effect'],
    ['--health-retries 3', '--health-retries 3', 'probe_ignored'],
    ['--no-healthcheck', '--no-healthcheck', 'probe_ignored'],
    ['--network web', '--network web', 'no_effect'],
    ['--network-alias x', '--network-alias x', 'no_effect'],
    ['--tmpfs /tmp', '--tmpfs /tmp', 'no_effect'],
    ['--expose 53/udp', '--expose 53/udp', 'closed_port'],
    ['-p 127.0.0.1:6379:6379', '-p 127.0.0.1:6379:6379', 'closed_port'],
    ['-p [::1]:6379:6379', '-p [::1]:6379:6379', 'closed_port'],
    ['--publish=192.168.1.5:80:80', '-p 192.168.1.5:80:80', 'closed_port'],
    ['--userns=keep-id:uid=1000', '--userns keep-id:uid=1000', 'walls'],
    ['--pids-limit 100', '--pids-limit 100', 'machine_decides'],
  ])('`%s` is noted and has no effect', (flag, field, code) => {
    const { spec, problems, notes } = readPasted(`docker run ${flag} redis`)
    expect(problems).toEqual([])
    expect(spec).toEqual(REDIS)
    expect(notes).toStrictEqual([{ field, code, line: 1 }])
  })

  test.each([
    ...[
      '--init=false',
      '--privileged=false',
      '--rm=false',
      '--network bridge',
      '--net=default',
      '--ipc private',
      '--cap-add CHOWN',
      '--',
    ],
    ...['--pid ""', '--userns=""', '--cap-add=cap_net_bind_service'],
  ])('`%s` turns the flag off', (flag) =>
    expect(readPasted(`docker run ${flag} redis`)).toMatchObject({ spec: REDIS, notes: [], problems: [] }),
  )

  test.each<[string, string]>([
    ['--privileged', '--privileged no_privilege'],
    ['--privileged=true', '--privileged no_privilege'],
    ['--device /dev/kvm', '--device /dev/kvm no_privilege'],
    ['--pid=host', '--pid host no_privilege'],
    ['--network host', '--network host no_privilege'],
    ['--net=container:db', '--net container:db no_privilege'],
    ['--network none', '--network none unsupported'],
    ['--cap-add=ALL', '--cap-add ALL no_privilege'],
    ['--device /dev/net/tun', '--device /dev/net/tun no_privilege'],
    ['--volumes-from other', '--volumes-from other one_service'],
    ['--link db', '--link db one_service'],
    ['--secret a', '--secret a other_file'],
    ['--sysctl a=b', '--sysctl a=b no_privilege'],
  ])('`%s` is refused', (flag, problem) => {
    const { spec, problems } = readPasted(`docker run ${flag} redis`)
    expect(spec).toBeUndefined()
    expect(problems.map(({ field, code, line }) => `${line} ${field} ${code}`)).toEqual([`1 ${problem}`])
  })

  test.each<[string, string]>([
    ['--frob', '--frob'],
    ['--frob=1', '--frob'],
    ['--frob a', '--frob'],
    ['--frob a -e B=1', '--frob'],
    ['-z', '-z'],
    ['-zx', '-zx'],
    ['-dz', '-z'],
    ['-', '-'],
  ])('`%s` is refused as unknown, and the rest is read', (flag, field) => {
    const { draft, problems } = readPasted(`docker run -u 1 ${flag} --privileged redis:7 -p 80`)
    expect(problems).toStrictEqual([
      { field, code: 'unsupported', line: 1 },
      { field: '--privileged', code: 'no_privilege', line: 1 },
    ])
    expect(draft).toMatchObject({ user: '1', image: 'redis:7', args: ['-p', '80'] })
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
    [`-u \${ID:-1000}`, { user: '1000' }],
  ])('is set with `%s`', (flags, expected) =>
    expect(readPasted(`docker run ${flags} redis`).spec).toEqual({ ...REDIS, ...expected }),
  )

  test.each<[string, string[]]>([
    ['docker run redis $A', ['1 $A no_value']],
    [`docker run redis a \\\n b\${A}`, [`2 b\${A} no_value`]],
    ['docker run redis $A $B', ['1 $A no_value', '1 $B no_value']],
    [`docker run redis $A${'x'.repeat(100)}`, [`1 $A${'x'.repeat(78)} no_value`]],
    ['docker run $A', ['1 image no_value']],
    ['docker run "$(cat image)"', ['1 image no_value']],
    ['docker run $(cat flags) redis', ['1 shell syntax']],
    ['docker run `cat flags` redis', ['1 shell syntax']],
    ['docker run -u $(id -u):$(id -g) redis', ['1 -u $(id -u):$(id -g) no_value']],
    ['docker run --entrypoint "" redis', ['1 --entrypoint no_command']],
    ['docker run -u $A redis', ['1 -u $A no_value']],
    ['docker run -w $PWD redis', ['1 -w $PWD no_value']],
    ['docker run -p 80:$PORT redis', ['1 -p 80:$PORT no_value']],
    ['docker run -p $IP:80:80 redis', ['1 -p $IP:80:80 no_value']],
    ['docker run --entrypoint $A redis', ['1 --entrypoint $A no_value']],
    ['docker run -v data:$A redis', ['1 -v data:$A no_value']],
    ['docker run --mount type=volume,dst=$A redis', ['1 --mount type=volume,dst=$A no_value']],
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
    ['-e A=1 -e A=2', '2'],
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
    ['-e A=x$B', '-e A=x$B'],
    ['-e A=$B/x', '-e A=$B/x'],
    ['-e A=$B$C', '-e A=$B$C'],
    ['-e A=$(openssl rand -hex 32)', '-e A=$(openssl rand -hex 32)'],
    ['-e "A=`id`"', '-e A=`id`'],
    ['-e A=1 -e A', '-e A'],
  ])('becomes a secret where a part of it is not known: `%s`', (flags, field) => {
    const { spec, notes } = readPasted(`docker run ${flags} redis`)
    expect(spec).toEqual({ ...REDIS, secrets: ['A'] })
    expect(notes).toEqual([{ field, code: 'became_secret', line: 1 }])
  })

  test.each<[string, string]>([
    ['-e $A=x', '-e $A=x no_value'],
    ['-e $A', '-e $A no_value'],
    ['-e =x', '-e =x invalid'],
  ])('is refused with `%s`', (flags, problem) => {
    const { spec, notes } = readPasted(`docker run ${flags} redis`)
    expect(spec).toBeUndefined()
    expect(problemsOf(`docker run ${flags} redis`)).toEqual([`1 ${problem}`])
    expect(notes).toEqual([])
  })
})

describe('a port', () => {
  test.each<[string, object, string[]]>([
    ['-p 5432:5432', { protocol: 'tcp', port: 5432 }, []],
    ['-p5432', { protocol: 'tcp', port: 5432 }, []],
    ['--publish=15432:5432', { protocol: 'tcp', port: 5432 }, ['-p 15432:5432 outside_port']],
    ['-p 53:53/udp', { protocol: 'udp', port: 53 }, []],
    ['-p 0.0.0.0:22:22', { protocol: 'tcp', port: 22 }, []],
    ['-p $PORT:22', { protocol: 'tcp', port: 22 }, ['-p $PORT:22 outside_port']],
    ['-p 22 -p 22:22', { protocol: 'tcp', port: 22 }, []],
    ['-p 127.0.0.1:22:22 -p 22', { protocol: 'tcp', port: 22 }, ['-p 127.0.0.1:22:22 closed_port']],
    ['-p 8080:80', { protocol: 'http', port: 80 }, ['-p 8080:80 outside_port']],
  ])('is read from `%s`', (flag, port, notes) => {
    const read = readPasted(`docker run ${flag} redis`)
    expect(read.spec).toEqual({ ...REDIS, ports: [port] })
    expect(read.notes.map(({ field, code }) => `${field} ${code}`)).toEqual(notes)
  })

  test.each<[string, string]>([
    ['-p x', '-p x invalid'],
    ['-p 8000-8016:8000-8016', '-p 8000-8016:8000-8016 too_many'],
    ['-p 80/sctp', '-p 80/sctp invalid'],
    ['-p localhosts:80:80', '-p localhosts:80:80 invalid'],
    ['--expose 0', '--expose 0 invalid'],
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
    ['-v d:/data:z', '-v d:/data:z'],
    ['-v d:/data/', '-v d:/data/'],
    ['--mount type=tmpfs,dst=/data', '--mount type=tmpfs,dst=/data'],
  ])('is kept on the order’s disk with `%s`', (flag, field) => {
    const { spec, notes } = readPasted(`docker run ${flag} redis`)
    expect(spec).toEqual({ ...REDIS, volumes: ['/data'] })
    expect(notes).toEqual([{ field, code: 'one_disk', line: 1 }])
  })

  test.each<[string, string[]]>([
    ['-v /srv:/data', ['empty_folder']],
    ['-v ./a:/data', ['empty_folder']],
    ['-v a/b:/data', ['empty_folder']],
    ['-v .a:/data', ['empty_folder']],
    ['-v ~/.cache/x:/data', ['empty_folder']],
    ['-v $PWD:/data', ['empty_folder']],
    ['-v "$(pwd)/a b":/data', ['empty_folder']],
    [`-v "\${HOME}/x:/data:ro"`, ['empty_folder', 'writable']],
    ["-v 'C:\\Users\\me:/data'", ['empty_folder']],
    ['-v d:/data:ro', ['one_disk', 'writable']],
    ['--mount type=bind,src=/srv,dst=/data', ['empty_folder']],
    ['--mount src=d,dst=/data,readonly', ['one_disk', 'writable']],
    ['--mount src=d,dst=/data,ro', ['one_disk', 'writable']],
    ['--mount src=d,dst=/data,readonly=false', ['one_disk']],
  ])('is one with `%s` as well', (flag, notes) => {
    const read = readPasted(`docker run ${flag} redis`)
    expect(read).toMatchObject({ spec: { volumes: ['/data'] }, problems: [] })
    expect(read.notes.map(({ code }) => code)).toEqual(notes)
  })

  test.each<[string, string]>([
    ['-v /var/run/docker.sock:/var/run/docker.sock', 'host_path'],
    ['-v /:/host', 'host_path'],
    ['-v ./a.yml:/etc/a.yml', 'host_file'],
    ['-v :/data', 'invalid'],
    ['-v d:/data:foo', 'invalid'],
    ['-v data', 'invalid'],
    ['-v d:', 'invalid'],
    ['-v /proc/x', 'no_privilege'],
    ['--mount type=image,src=a,dst=/data', 'unsupported'],
    ['--mount src=d,dst=/data,volume-driver=nfs', 'unsupported'],
    ['--mount src=d', 'invalid'],
  ])('is refused with `%s`', (flag, code) => {
    const { spec, problems } = readPasted(`docker run ${flag} redis`)
    expect(spec).toBeUndefined()
    expect(problems).toEqual([{ field: flag, code, line: 1 }])
  })
})

test('a place for a value that was not filled in is no value', () =>
  expect(readPasted('model=a/b\ntoken=<your token>\ndocker run -e KEY=$token -e MODEL=$model redis')).toMatchObject({
    spec: { env: { MODEL: 'a/b' }, secrets: ['KEY'] },
  }))

describe('around the command', () => {
  test('variables are used', () =>
    expect(
      readPasted(`# the model
weights=team/model
export volume="$PWD/cache"

docker run --gpus all -p 8080:80 -v $volume:/cache \\
  example/serve:1 --weights $weights
`),
    ).toMatchObject({
      problems: [],
      draft: { image: 'example/serve:1' },
      spec: { args: ['--weights', 'team/model'], volumes: ['/cache'], ports: [{ protocol: 'http', port: 80 }] },
    }))

  test.each<[string, string[]]>([
    ['docker pull redis\ndocker run redis', ['1 docker pull redis']],
    ['mkdir -p a && cd a && docker run redis', ['1 mkdir -p a', '1 cd a']],
    ['docker volume create d; docker run redis', ['1 docker volume create d']],
    ['docker network create n || true\nsudo docker run redis', ['1 docker network create n', '1 true']],
    ['curl -fsSL https://example.com/x | sh\ndocker run redis', ['1 curl -fsSL https://example.com/x', '1 sh']],
    ['docker run redis && docker logs -f redis', ['1 docker logs -f redis']],
    ['docker run redis\ndocker ps\n', ['2 docker ps']],
    ['docker run redis;', []],
    ['VAR=1 docker run redis', []],
    ['sudo -E docker run redis', []],
    ['env A=1 docker run redis', []],
    ['docker --context x run redis', []],
    ['$ docker run redis', []],
    ['> docker run redis', []],
    ['```bash\ndocker run redis\n```\n', []],
    ['docker run `\n  redis', []],
    ['docker run \\\r\n  redis\r\n', []],
    ['docker create redis', []],
    ['nerdctl run redis', []],
  ])('%j is skipped, and noted', (text, notes) => {
    const read = readPasted(text)
    expect(read).toMatchObject({ kind: 'docker', spec: REDIS, problems: [] })
    expect(read.notes.map(({ line, field, code }) => `${line} ${field}${code === 'not_run' ? '' : code}`)).toEqual(notes)
  })

  test.each<[string, string[]]>([
    ['docker run redis | sh', ['1 shell syntax']],
    ['docker run redis > log', ['1 shell syntax']],
    ['docker run redis; rm -rf /', ['1 shell syntax']],
    ['docker run redis\nrm -rf /', ['2 shell syntax']],
    ['docker run redis &', ['1 shell syntax']],
    ['docker run redis "a', ['1 shell syntax']],
    ['docker run redis\ndocker run nginx', ['2 docker run nginx one_service']],
    ['docker run redis && docker run nginx', ['1 docker run nginx one_service']],
  ])('%j is refused', (text, problems) => expect(problemsOf(text)).toEqual(problems))
})

test.each(['docker run\\\nredis', 'docker run"x" redis'])('%j is not a docker run command', (text) => {
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
      problems: [{ field: '', code: 'too_large' }],
      ...{ notes: [], wanted: [], values: {} },
    }))
})
