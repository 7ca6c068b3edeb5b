import { describe, expect, test } from 'vitest'
import { readPasted } from './readPasted.ts'

const POD = 'spec.template.spec'
const CONTAINER = `${POD}.containers.0`
const WEB = { image: 'docker.io/acme/web:1', env: {}, secrets: [], ports: [], volumes: [] }

/** A Deployment with one field more in its container, its pod or its spec, each on a line of its own: 9, 6 and 4. */
const deployment = ({ container = '', pod = '', spec = '' }) => `apiVersion: apps/v1
kind: Deployment
spec:
  ${spec}
  template: {spec: {
    ${pod}
    containers: [{
      image: acme/web:1,
      ${container}
    }]}}
`
const problemsOf = (text: string) => readPasted(text).problems.map(({ field, code, line }) => `${line} ${field} ${code}`)

describe('a field without effect is noted', () => {
  test.each<[string, string, string]>([
    ['name: web', 'name', 'name_ignored'],
    ['imagePullPolicy: Always', 'imagePullPolicy', 'machine_decides'],
    ['resources: {limits: {memory: 1Gi}}', 'resources', 'machine_decides'],
    ['livenessProbe: {}', 'livenessProbe', 'probe_ignored'],
    ['startupProbe: {}', 'startupProbe', 'probe_ignored'],
    ['readinessProbe: {tcpSocket: {port: 1}}', 'readinessProbe', 'probe_ignored'],
    ['readinessProbe: {httpGet: {port: 1}}', 'readinessProbe', 'probe_ignored'],
    ['readinessProbe: {httpGet: {path: 1}}', 'readinessProbe', 'probe_ignored'],
    ['readinessProbe: {httpGet: 1}', 'readinessProbe', 'probe_ignored'],
    ['readinessProbe: null', 'readinessProbe', 'probe_ignored'],
    ['readinessProbe: x', 'readinessProbe', 'probe_ignored'],
    ['securityContext: {runAsNonRoot: true}', 'securityContext.runAsNonRoot', 'walls'],
    ['securityContext: {fsGroup: 1}', 'securityContext.fsGroup', 'walls'],
    ['securityContext: {seccompProfile: {}}', 'securityContext.seccompProfile', 'walls'],
    ['securityContext: {capabilities: {drop: [ALL]}}', 'securityContext.capabilities.drop', 'walls'],
  ])('in a container: `%s`', (container, field, code) => {
    const { spec, notes } = readPasted(deployment({ container }))
    expect(spec).toEqual(WEB)
    expect(notes).toStrictEqual([{ field: `${CONTAINER}.${field}`, code, line: 9 }])
  })

  test.each<[string, string, string]>([
    ['restartPolicy: Always,', 'restartPolicy', 'always_restarted'],
    ['nodeSelector: {a: b},', 'nodeSelector', 'machine_decides'],
    ['tolerations: [],', 'tolerations', 'machine_decides'],
    ['runtimeClassName: nvidia,', 'runtimeClassName', 'machine_decides'],
    ['terminationGracePeriodSeconds: 5,', 'terminationGracePeriodSeconds', 'machine_decides'],
    ['securityContext: {fsGroup: 1},', 'securityContext.fsGroup', 'walls'],
    ['volumes: [{name: d, persistentVolumeClaim: {}}],', 'volumes.0.persistentVolumeClaim', 'one_disk'],
    ['volumes: [{name: d, emptyDir: {}}],', 'volumes.0.emptyDir', 'one_disk'],
  ])('in a pod: `%s`', (pod, field, code) => {
    const { spec, notes } = readPasted(deployment({ pod }))
    expect(spec).toEqual(WEB)
    expect(notes).toStrictEqual([{ field: `${POD}.${field}`, code, line: 6 }])
  })

  test.each(['strategy: {type: Recreate}', 'revisionHistoryLimit: 1', 'selector: {}'])('in a Deployment: `%s`', (spec) =>
    expect(readPasted(deployment({ spec }))).toMatchObject({
      spec: WEB,
      notes: [{ field: `spec.${spec.split(':')[0]}`, code: 'name_ignored', line: 4 }],
    }),
  )

  test('in its metadata', () => {
    const text = deployment({}).replace('spec:', 'metadata: {name: a, namespace: b, labels: {}, annotations: {}}\nspec:')
    const { spec, notes } = readPasted(text.replace('template: {', 'template: {metadata: {}, '))
    expect(spec).toEqual(WEB)
    expect(notes.map(({ field, code, line }) => `${line} ${field} ${code}`)).toEqual([
      '3 metadata.name name_ignored',
      '3 metadata.namespace name_ignored',
      '3 metadata.labels name_ignored',
      '3 metadata.annotations name_ignored',
      '6 spec.template.metadata name_ignored',
    ])
  })
})

describe('a field is refused', () => {
  test.each<[string, string]>([
    ['securityContext: {privileged: true}', 'securityContext.privileged no_privilege'],
    ['securityContext: {allowPrivilegeEscalation: true}', 'securityContext.allowPrivilegeEscalation no_privilege'],
    ['securityContext: {readOnlyRootFilesystem: true}', 'securityContext.readOnlyRootFilesystem unsupported'],
    ['securityContext: {capabilities: {add: [X]}}', 'securityContext.capabilities.add no_privilege'],
    ['securityContext: {capabilities: {keep: [X]}}', 'securityContext.capabilities.keep unsupported'],
    ['securityContext: {procMount: x}', 'securityContext.procMount unsupported'],
    ['securityContext: 1', 'securityContext invalid'],
    ['securityContext: {runAsUser: -1}', 'securityContext invalid'],
    ['lifecycle: {}', 'lifecycle unsupported'],
    ['command: [a, "$(B)"]', 'command.1 unsupported'],
    ['args: ["x$(B_1)y"]', 'args.0 unsupported'],
    ['args: a', 'args invalid'],
    ['workingDir: srv', 'workingDir invalid'],
    ['env: {}', 'env invalid'],
    ['env: [1]', 'env.0 invalid'],
    ['env: [{name: A, value: 1}]', 'env.0.value invalid'],
    ['env: [{name: A, value: "x$(B_1)"}]', 'env.0.value unsupported'],
    ['env: [{name: A, valueFrom: {fieldRef: {}}}]', 'env.0.valueFrom.fieldRef unsupported'],
    ['env: [{name: A, valueFrom: 1}]', 'env.0.valueFrom invalid'],
    ['env: [{name: 1A, value: x}]', 'env.0 invalid'],
    ['env: [{value: x}]', 'env.0 invalid'],
    ['env: [{name: A, value: x}, {name: A, value: y}]', 'env.1 duplicate'],
    ['env: [{name: A, key: x}]', 'env.0.key unsupported'],
    ['ports: {}', 'ports invalid'],
    ['ports: [{containerPort: 0}]', 'ports.0 invalid'],
    ['ports: [{containerPort: 1, protocol: SCTP}]', 'ports.0.protocol unsupported'],
    ['ports: [{containerPort: 1, hostIP: x}]', 'ports.0.hostIP unsupported'],
    ['volumeMounts: {}', 'volumeMounts invalid'],
    ['volumeMounts: [{mountPath: a}]', 'volumeMounts.0 invalid'],
    ['volumeMounts: [{mountPath: /a, readOnly: true}]', 'volumeMounts.0.readOnly unsupported'],
    ['volumeMounts: [{mountPath: /a, subPath: x}]', 'volumeMounts.0.subPath unsupported'],
    ['volumeMounts: [{name: x, mountPath: /a}]', 'volumeMounts.0.name missing'],
  ])('in a container: `%s`', (container, problem) => {
    expect(readPasted(deployment({ container })).spec).toBeUndefined()
    expect(problemsOf(deployment({ container }))).toEqual([`9 ${CONTAINER}.${problem}`])
  })

  test.each<[string, string]>([
    ['initContainers: [],', 'initContainers one_service'],
    ['serviceAccountName: x,', 'serviceAccountName no_privilege'],
    ['hostNetwork: true,', 'hostNetwork no_privilege'],
    ['hostPID: true,', 'hostPID no_privilege'],
    ['hostIPC: true,', 'hostIPC no_privilege'],
    ['automountServiceAccountToken: true,', 'automountServiceAccountToken no_privilege'],
    ['affinity: {},', 'affinity unsupported'],
    ['volumes: {},', 'volumes invalid'],
    ['volumes: [{name: d, hostPath: {path: /}}],', 'volumes.0.hostPath host_path'],
    ['volumes: [{name: d, configMap: {}}],', 'volumes.0.configMap unsupported'],
    ['volumes: [1],', 'volumes.0 invalid'],
  ])('in a pod: `%s`', (pod, problem) => {
    expect(readPasted(deployment({ pod })).spec).toBeUndefined()
    expect(problemsOf(deployment({ pod }))).toEqual([`6 ${POD}.${problem}`])
  })

  test.each<[string, string]>([
    ['replicas: 2', 'replicas one_service'],
    ['replicas: "1"', 'replicas one_service'],
    ['paused: true', 'paused unsupported'],
    ['completions: 1', 'completions unsupported'],
    ['backoffLimit: 1', 'backoffLimit unsupported'],
  ])('in a Deployment: `%s`', (spec, problem) => expect(problemsOf(deployment({ spec }))).toEqual([`4 spec.${problem}`]))

  test.each<[string, string[]]>([
    ['kind: Deployment\nspec: 1', ['2 spec invalid']],
    ['kind: Deployment\nspec: {template: 1}', ['2 spec.template invalid']],
    ['kind: Deployment\nspec: {template: {spec: 1}}', ['2 spec.template.spec invalid']],
    ['kind: Deployment\nspec: {template: {spec: {containers: {}}}}', [`2 ${POD}.containers invalid`]],
    ['kind: Deployment\nspec: {template: {spec: {containers: [1]}}}', [`2 ${CONTAINER} invalid`]],
    ['kind: Deployment\nmetadata: {uid: 1}', ['2 metadata.uid unsupported']],
    ['kind: Deployment\nstatus: {}', ['2 status unsupported']],
    ['kind: Deployment\napiVersion: batch/v1', ['2 apiVersion unsupported']],
    ['kind: Job\napiVersion: apps/v1', ['2 apiVersion unsupported']],
    ['kind: StatefulSet', ['1 kind unsupported']],
    ['kind: Deployment', ['1 image missing']],
  ])('in %j', (text, problems) => expect(problemsOf(text)).toEqual(problems))

  test('without making a value of an unknown source an empty one', () =>
    expect(readPasted(deployment({ container: 'env: [{name: A, valueFrom: {fieldRef: {}}}]' })).draft).not.toHaveProperty('env'))

  test('in a second container, which is not read', () => {
    const read = readPasted(deployment({}).replace('}]}}', '}, {image: b, privileged: x}]}}'))
    expect(read.problems).toEqual([{ field: `${POD}.containers.1`, code: 'one_service', line: 10 }])
    expect(read.draft).toMatchObject({ image: 'acme/web:1' })
  })
})

describe('a field is accepted', () => {
  test.each<[string, object]>([
    ['command: [/bin/sh, -c]', { command: ['/bin/sh', '-c'] }],
    ['args: ["$HOME", "$()", "$(a b)"]', { args: ['$HOME', '$()', '$(a b)'] }],
    ['workingDir: /srv', { workdir: '/srv' }],
    ['env: [{name: A}]', { env: { A: '' } }],
    ['env: [{name: A, value: ""}, {name: B, value: "$C (d)"}]', { env: { A: '', B: '$C (d)' } }],
    ['securityContext: {runAsUser: 1000}', { user: '1000' }],
    ['securityContext: {runAsUser: 0, runAsGroup: 0}', { user: '0:0' }],
    ['securityContext: {runAsGroup: 5}', {}],
    ['securityContext: {privileged: false, allowPrivilegeEscalation: false, readOnlyRootFilesystem: false}', {}],
    ['ports: [{containerPort: 80}]', { ports: [{ protocol: 'http', port: 80 }] }],
    ['ports: [{containerPort: 22, protocol: TCP, name: ssh}]', { ports: [{ protocol: 'tcp', port: 22 }] }],
    ['ports: [{containerPort: 22, name: http-metrics}]', { ports: [{ protocol: 'http', port: 22 }] }],
    ['ports: [{containerPort: 443, name: https}]', { ports: [{ protocol: 'tcp', port: 443 }] }],
    ['ports: [{containerPort: 22, name: my-http}]', { ports: [{ protocol: 'tcp', port: 22 }] }],
    ['ports: [{containerPort: 443, protocol: UDP, name: http3}]', { ports: [{ protocol: 'udp', port: 443 }] }],
    ['ports: [{containerPort: 443, name: http3, protocol: UDP}]', { ports: [{ protocol: 'udp', port: 443 }] }],
    ['volumeMounts: []', {}],
  ])('of a container: `%s`', (container, expected) => {
    const { spec, notes } = readPasted(deployment({ container }))
    expect(spec).toEqual({ ...WEB, ...expected })
    expect(notes).toEqual([])
  })

  test.each<[string, object]>([
    ['automountServiceAccountToken: false,', {}],
    ['runtimeClassName: gvisor,', { sandbox: 'gvisor' }],
    ['securityContext: {runAsUser: 7},', { user: '7' }],
  ])('of a pod: `%s`', (pod, expected) => {
    const { spec, notes } = readPasted(deployment({ pod }))
    expect(spec).toEqual({ ...WEB, ...expected })
    expect(notes).toEqual([])
  })

  test('as a secret', () =>
    expect(readPasted(deployment({ container: 'env: [{name: A, valueFrom: {secretKeyRef: {}}}]' }))).toMatchObject({
      spec: { ...WEB, secrets: ['A'] },
      notes: [{ field: `${CONTAINER}.env.0`, code: 'became_secret', line: 9 }],
    }))

  test('with a note about a different host port', () =>
    expect(readPasted(deployment({ container: 'ports: [{containerPort: 22, hostPort: 2222}]' }))).toMatchObject({
      spec: { ...WEB, ports: [{ protocol: 'tcp', port: 22 }] },
      notes: [{ field: `${CONTAINER}.ports.0.hostPort`, code: 'outside_port', line: 9 }],
    }))

  test('a writable volume', () =>
    expect(
      readPasted(
        deployment({
          container: 'volumeMounts: [{name: d, mountPath: /d, readOnly: false}]',
          pod: 'volumes: [{name: d, emptyDir: {}}],',
        }),
      ).spec,
    ).toEqual({ ...WEB, volumes: ['/d'] }))
})

describe('the readiness path', () => {
  const probe = 'readinessProbe: {httpGet: {path: /up}}'

  test.each<[string, object[]]>([
    [
      'ports: [{containerPort: 8080}, {containerPort: 22}]',
      [
        { protocol: 'http', port: 8080, ready: '/up' },
        { protocol: 'tcp', port: 22 },
      ],
    ],
    ['ports: [{containerPort: 22, name: http}]', [{ protocol: 'http', port: 22, ready: '/up' }]],
    ['ports: [{containerPort: 22}]', [{ protocol: 'tcp', port: 22 }]],
    ['ports: []', []],
    ['args: [a]', []],
  ])('is kept for HTTP: `%s`', (container, ports) => {
    expect(readPasted(deployment({ container: `${container}, ${probe}` })).spec?.ports).toEqual(ports)
    expect(readPasted(deployment({ container: `${probe}, ${container}` })).spec?.ports).toEqual(ports)
  })
})

test('adds no readiness path to a port without one', () =>
  expect(readPasted(deployment({ container: 'ports: [{containerPort: 80}]' })).draft.ports).toStrictEqual([
    { protocol: 'http', port: 80 },
  ]))

describe('a Job', () => {
  const job = (spec: string) =>
    `apiVersion: batch/v1\nkind: Job\nspec:\n  ${spec}\n  template: {spec: {restartPolicy: Never, containers: [{image: acme/web:1}]}}\n`

  test.each<[string, string[]]>([
    ['completions: 1', []],
    ['parallelism: 1', []],
    ['backoffLimit: 0', ['4 spec.backoffLimit runs_once']],
    ['ttlSecondsAfterFinished: 9', ['4 spec.ttlSecondsAfterFinished runs_once']],
    ['selector: {}', ['4 spec.selector name_ignored']],
  ])('runs once with `%s`', (line, notes) => {
    const read = readPasted(job(line))
    expect(read.kind).toBe('kubernetes')
    expect(read.spec).toEqual({ ...WEB, job: 'keep' })
    expect(read.notes.map(({ field, code, line: at }) => `${at} ${field} ${code}`)).toEqual([
      ...notes,
      `5 ${POD}.restartPolicy runs_once`,
    ])
  })

  test.each<[string, string]>([
    ['completions: 2', 'completions one_service'],
    ['parallelism: 2', 'parallelism one_service'],
    ['replicas: 1', 'replicas unsupported'],
    ['strategy: {}', 'strategy unsupported'],
    ['suspend: true', 'suspend unsupported'],
  ])('is refused with `%s`', (line, problem) => expect(problemsOf(job(line))).toEqual([`4 spec.${problem}`]))
})
