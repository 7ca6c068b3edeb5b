import { describe, expect, test } from 'vitest'
import { readPasted } from './readPasted.ts'

const compose = (line: string) => `services: {a: {image: redis, ${line}}}`
const docker = (flag: string) => `docker run ${flag} redis`
const pod = (fields: string) =>
  `apiVersion: v1\nkind: Pod\nspec: {restartPolicy: Always, ${fields}, containers: [{image: redis}]}`
const container = (fields: string) =>
  `apiVersion: v1\nkind: Pod\nspec: {restartPolicy: Always, containers: [{image: redis, ${fields}}]}`

/** How a setting ends: what is said of it, apart from what the format says of itself. */
const fateOf = (text: string): string => {
  const { problems, notes } = readPasted(text)
  const said = [
    ...problems.map(({ code }) => code),
    ...notes.filter(({ field }) => field !== 'spec.restartPolicy').map(({ code }) => code),
  ]
  return [...new Set(said)].join(' ')
}

describe('a setting has the same fate in every format:', () => {
  test.each<[string, string, string[]]>([
    [
      'memory',
      'machine_decides',
      [
        compose('mem_limit: 1g'),
        compose('deploy: {resources: {limits: {memory: 1g}}}'),
        docker('-m 1g'),
        container('resources: {limits: {memory: 1Gi}}'),
      ],
    ],
    ['shared memory', 'machine_decides', [compose('ipc: host'), docker('--ipc host'), pod('hostIPC: true')]],
    [
      'limits',
      'machine_decides',
      [compose('ulimits: {nofile: 1}'), docker('--ulimit nofile=1'), compose('pids_limit: 9'), docker('--pids-limit 9')],
    ],
    [
      'GPUs',
      'machine_decides',
      [
        compose('gpus: all'),
        docker('--gpus all'),
        container('resources: {limits: {nvidia.com/gpu: 1}}'),
        compose('devices: [/dev/dri]'),
        docker('--device /dev/kfd'),
        compose('runtime: nvidia'),
        docker('--runtime=nvidia'),
      ],
    ],
    [
      'the platform',
      'machine_decides',
      [compose('platform: linux/amd64'), docker('--platform linux/amd64'), pod('runtimeClassName: nvidia')],
    ],
    [
      'pulling',
      'machine_decides',
      [compose('pull_policy: always'), docker('--pull always'), container('imagePullPolicy: Always')],
    ],
    [
      'a restart',
      'always_restarted',
      [
        compose('restart: always'),
        compose('deploy: {restart_policy: {condition: any}}'),
        docker('--restart always'),
        docker('--rm'),
      ],
    ],
    [
      'health',
      'probe_ignored',
      [
        compose('healthcheck: {test: [CMD, a]}'),
        docker('--health-cmd a'),
        docker('--health-start-period 1s'),
        container('livenessProbe: {exec: {command: [a]}}'),
      ],
    ],
    [
      'stopping',
      'no_effect',
      [
        compose('stop_grace_period: 1m'),
        compose('stop_signal: SIGINT'),
        docker('--stop-timeout 60'),
        docker('--stop-signal SIGINT'),
        pod('terminationGracePeriodSeconds: 60'),
      ],
    ],
    [
      'names',
      'no_effect',
      [
        compose('container_name: a'),
        compose('hostname: a'),
        docker('--name a'),
        docker('-h a'),
        pod('hostname: a'),
        container('name: a'),
      ],
    ],
    [
      'labels',
      'no_effect',
      [compose('labels: {a: b}'), docker('-l a=b'), compose('annotations: {a: b}'), docker('--annotation a=b')],
    ],
    [
      'DNS and hosts',
      'no_effect',
      [
        compose('dns: [1.1.1.1]'),
        compose('extra_hosts: ["a:1.2.3.4"]'),
        docker('--dns 1.1.1.1'),
        docker('--add-host a:1.2.3.4'),
        pod('dnsConfig: {nameservers: [1.1.1.1]}'),
        pod('hostAliases: [{ip: 1.2.3.4}]'),
      ],
    ],
    [
      'a terminal',
      'no_effect',
      [
        compose('tty: true'),
        docker('-t'),
        container('tty: true'),
        compose('stdin_open: true'),
        docker('-i'),
        container('stdin: true'),
      ],
    ],
    [
      'logs',
      'no_effect',
      [compose('logging: {driver: json-file}'), docker('--log-driver json-file'), docker('--log-opt max-size=1m')],
    ],
    [
      'groups',
      'no_effect',
      [compose('group_add: [video]'), docker('--group-add video'), pod('securityContext: {supplementalGroups: [1]}')],
    ],
    ['a network', 'no_effect', [compose('networks: [web]'), docker('--network web'), docker('--network-alias a')]],
    [
      'a root that cannot be written',
      'writable',
      [compose('read_only: true'), docker('--read-only'), container('securityContext: {readOnlyRootFilesystem: true}')],
    ],
    [
      'less privilege',
      'walls',
      [
        compose('cap_drop: [ALL]'),
        docker('--cap-drop ALL'),
        container('securityContext: {capabilities: {drop: [ALL]}}'),
        compose('security_opt: ["no-new-privileges:true"]'),
        docker('--security-opt no-new-privileges'),
      ],
    ],
    [
      'a capability that is there',
      '',
      [compose('cap_add: [CHOWN]'), docker('--cap-add CHOWN'), container('securityContext: {capabilities: {add: [CHOWN]}}')],
    ],
    [
      'a capability that can be missed',
      'not_granted',
      [
        compose('cap_add: [SYS_NICE]'),
        docker('--cap-add=SYS_NICE'),
        container('securityContext: {capabilities: {add: [SYS_NICE]}}'),
      ],
    ],
    [
      'a capability that breaks walls',
      'no_privilege',
      [
        compose('cap_add: [SYS_ADMIN]'),
        docker('--cap-add SYS_ADMIN'),
        container('securityContext: {capabilities: {add: [SYS_ADMIN]}}'),
      ],
    ],
    [
      'privileges',
      'no_privilege',
      [compose('privileged: true'), docker('--privileged'), container('securityContext: {privileged: true}')],
    ],
    [
      'namespaces of the host',
      'no_privilege',
      [
        compose('network_mode: host'),
        docker('--net=host'),
        pod('hostNetwork: true'),
        compose('pid: host'),
        docker('--pid host'),
        pod('hostPID: true'),
      ],
    ],
    [
      'the kernel',
      'no_privilege',
      [compose('sysctls: {a: 1}'), docker('--sysctl a=1'), pod('securityContext: {sysctls: [{name: a, value: "1"}]}')],
    ],
    [
      'the engine',
      'host_path',
      [
        compose('volumes: ["/var/run/docker.sock:/var/run/docker.sock"]'),
        docker('-v /var/run/docker.sock:/var/run/docker.sock'),
        pod('volumes: [{name: d, hostPath: {path: /var/run/docker.sock}}]'),
      ],
    ],
    [
      'a file of values',
      'file_not_read',
      [compose('env_file: .env'), docker('--env-file .env'), container('envFrom: [{secretRef: {name: s}}]')],
    ],
    [
      'another container',
      'one_service',
      [
        compose('depends_on: [db]'),
        docker('--link db'),
        compose('volumes_from: [db]'),
        docker('--volumes-from db'),
        pod('initContainers: [{name: a}]'),
      ],
    ],
    [
      'several copies',
      'one_copy',
      [
        compose('scale: 2'),
        compose('deploy: {replicas: 3}'),
        'apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 2, template: {spec: {containers: [{image: redis}]}}}',
        'version: "2.0"\nservices: {a: {image: redis}}\ndeployment: {a: {x: {count: 2}}}',
      ],
    ],
    [
      'a port of the machine itself',
      'closed_port',
      [
        compose('ports: ["127.0.0.1:6379:6379"]'),
        compose('ports: [{target: 6379, host_ip: 127.0.0.1}]'),
        compose('expose: ["6379"]'),
        docker('-p 127.0.0.1:6379:6379'),
        docker('--expose 6379'),
        container('ports: [{containerPort: 6379, hostIP: 127.0.0.1}]'),
        'version: "2.0"\nservices: {a: {image: redis, expose: [{port: 6379, to: [{service: b}]}]}}\nprofiles: {}\ndeployment: {}',
      ],
    ],
    [
      'a folder of the host',
      'empty_folder',
      [
        compose('volumes: ["./d:/d"]'),
        compose('volumes: [{type: bind, source: ./d, target: /d}]'),
        docker('-v ./d:/d'),
        docker('--mount type=bind,src=/d,dst=/d'),
        container('volumeMounts: [{name: d, mountPath: /d}]').replace(
          'containers:',
          'volumes: [{name: d, hostPath: {path: /d}}], containers:',
        ),
      ],
    ],
    [
      'a file of the host',
      'host_file',
      [
        compose('volumes: ["./a.yml:/a.yml"]'),
        docker('-v ./a.yml:/a.yml'),
        container('volumeMounts: [{name: d, mountPath: /a.yml, subPath: a.yml}]').replace(
          'containers:',
          'volumes: [{name: d, configMap: {name: d}}], containers:',
        ),
      ],
    ],
  ])('%s', (_, fate, texts) => {
    for (const text of texts) expect([text, fateOf(text)]).toEqual([text, fate])
  })
})

describe('the size of shared memory is taken, as written for', () => {
  const shm = (volume: string) =>
    container('volumeMounts: [{name: d, mountPath: /dev/shm}]').replace(
      'containers:',
      `volumes: [{name: d, ${volume}}], containers:`,
    )
  test.each<[string, number | undefined, string[]]>([
    [
      'Docker',
      2 ** 30,
      [
        ...[docker('--shm-size=1g'), docker('--shm-size 1GB'), docker('--shm-size 1073741824'), docker('--shm-size 1024m')],
        ...[docker('--tmpfs /dev/shm:rw,size=1g'), docker('--mount type=tmpfs,target=/dev/shm,tmpfs-size=1073741824')],
      ],
    ],
    [
      'compose',
      2 ** 30,
      [
        ...[compose('shm_size: 1g'), compose('shm_size: "1 gb"'), compose('shm_size: 1073741824'), compose('shm_size: 1024mb')],
        ...[compose(`shm_size: "\${SHM:-1g}"`), compose('tmpfs: ["/dev/shm:size=1g"]')],
        compose('volumes: [{type: tmpfs, target: /dev/shm, tmpfs: {size: 1g}}]'),
      ],
    ],
    ['Kubernetes', 2 ** 30, [shm('emptyDir: {medium: Memory, sizeLimit: 1Gi}')]],
    ['Kubernetes in thousands', 1e9, [shm('emptyDir: {medium: Memory, sizeLimit: 1G}')]],
    ['app.yaml', 2 ** 30, ['image: redis\nsharedMemory: 1Gi\n', 'image: redis\nsharedMemory: 1073741824\n']],
    ['less than there can be', 2 ** 20, [docker('--shm-size 64k'), compose('shm_size: 1')]],
    [
      'no size at all',
      undefined,
      [docker('--shm-size 0'), compose('shm_size: 0'), compose('tmpfs: /dev/shm'), shm('emptyDir: {medium: Memory}')],
    ],
  ])('%s', (_, sharedMemory, texts) => {
    for (const text of texts) {
      const { spec, problems } = readPasted(text)
      expect([text, problems, spec?.sharedMemory, spec?.volumes]).toEqual([text, [], sharedMemory, []])
    }
  })

  test.each([docker('--shm-size=much'), compose('shm_size: -1g')])('%s is refused', (text) =>
    expect(readPasted(text).problems).toMatchObject([{ code: 'invalid' }]),
  )
})

test('null, empty and off say nothing in any format', () => {
  for (const text of [
    compose(
      'privileged: false, read_only: false, tty: false, init: false, depends_on: [], links: [], labels: {}, dns: null, healthcheck: {}',
    ),
    compose(
      'cap_add: [], devices: null, security_opt: [], sysctls: {}, network_mode: "", pid: null, env_file: [], secrets: [], configs: null',
    ),
    docker('--privileged=false --read-only=false --init=false --tty=false --network "" --pid ""'),
    pod(
      'hostNetwork: false, hostPID: false, hostIPC: false, initContainers: [], tolerations: [], securityContext: {}, volumes: null',
    ),
    container(
      'securityContext: {privileged: false, readOnlyRootFilesystem: false}, resources: {}, livenessProbe: null, envFrom: [], tty: false',
    ),
  ])
    expect([text, fateOf(text), readPasted(text).spec?.image]).toEqual([text, '', 'docker.io/library/redis:latest'])
})
