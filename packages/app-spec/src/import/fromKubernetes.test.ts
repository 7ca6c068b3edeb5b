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
    ['name: web', 'name', 'no_effect'],
    ['imagePullPolicy: Always', 'imagePullPolicy', 'machine_decides'],
    ['resources: {limits: {memory: 1Gi}}', 'resources', 'machine_decides'],
    ['livenessProbe: {tcpSocket: {port: 1}}', 'livenessProbe', 'probe_ignored'],
    ['startupProbe: {exec: {command: [a]}}', 'startupProbe', 'probe_ignored'],
    ['readinessProbe: {tcpSocket: {port: 1}}', 'readinessProbe', 'probe_ignored'],
    ['readinessProbe: {httpGet: {port: 1}}', 'readinessProbe', 'probe_ignored'],
    ['readinessProbe: {httpGet: {path: 1}}', 'readinessProbe', 'probe_ignored'],
    ['readinessProbe: {httpGet: 1}', 'readinessProbe', 'probe_ignored'],
    ['readinessProbe: x', 'readinessProbe', 'probe_ignored'],
    ['securityContext: {runAsNonRoot: true}', 'securityContext.runAsNonRoot', 'walls'],
    ['securityContext: {fsGroup: 1}', 'securityContext.fsGroup', 'walls'],
    ['securityContext: {seccompProfile: {type: RuntimeDefault}}', 'securityContext.seccompProfile', 'walls'],
    ['securityContext: {capabilities: {drop: [ALL]}}', 'securityContext.capabilities.drop', 'walls'],
    ['securityContext: {capabilities: {add: [SYS_NICE]}}', 'securityContext.capabilities.add.0', 'not_granted'],
    ['securityContext: {allowPrivilegeEscalation: true}', 'securityContext.allowPrivilegeEscalation', 'not_granted'],
    ['securityContext: {readOnlyRootFilesystem: true}', 'securityContext.readOnlyRootFilesystem', 'writable'],
    ['securityContext: {runAsGroup: 5}', 'securityContext.runAsGroup', 'no_effect'],
    ['ports: [{containerPort: 22, hostIP: 127.0.0.1}]', 'ports.0.hostIP', 'closed_port'],
    ['ports: [{containerPort: 22, hostIP: "::1"}]', 'ports.0.hostIP', 'closed_port'],
    ['tty: true', 'tty', 'no_effect'],
    ['envFrom: [{configMapRef: {name: c}}]', 'envFrom.0.configMapRef', 'file_not_read'],
    ['envFrom: [{secretRef: {name: c}}]', 'envFrom.0.secretRef', 'file_not_read'],
  ])('in a container: `%s`', (container, field, code) => {
    const { spec, notes } = readPasted(deployment({ container }))
    expect(spec).toEqual(WEB)
    expect(notes).toStrictEqual([{ field: `${CONTAINER}.${field}`, code, line: 9 }])
  })

  test.each<[string, string, string]>([
    ['restartPolicy: Always,', 'restartPolicy', 'always_restarted'],
    ['nodeSelector: {a: b},', 'nodeSelector', 'machine_decides'],
    ['tolerations: [{operator: Exists}],', 'tolerations', 'machine_decides'],
    ['runtimeClassName: nvidia,', 'runtimeClassName', 'machine_decides'],
    ['terminationGracePeriodSeconds: 5,', 'terminationGracePeriodSeconds', 'no_effect'],
    ['securityContext: {fsGroup: 1},', 'securityContext.fsGroup', 'walls'],
    ['securityContext: {runAsGroup: 5},', 'securityContext.runAsGroup', 'no_effect'],
    ['serviceAccountName: x,', 'serviceAccountName', 'not_granted'],
    ['hostIPC: true,', 'hostIPC', 'machine_decides'],
    ['affinity: {nodeAffinity: {a: b}},', 'affinity', 'machine_decides'],
    ['imagePullSecrets: [{name: r}],', 'imagePullSecrets', 'name_registry'],
    ['dnsPolicy: None,', 'dnsPolicy', 'no_effect'],
  ])('in a pod: `%s`', (pod, field, code) => {
    const { spec, notes } = readPasted(deployment({ pod }))
    expect(spec).toEqual(WEB)
    expect(notes).toStrictEqual([{ field: `${POD}.${field}`, code, line: 6 }])
  })

  test.each(['strategy: {type: Recreate}', 'revisionHistoryLimit: 1', 'selector: {matchLabels: {a: b}}', 'paused: true'])(
    'in a Deployment: `%s`',
    (spec) =>
      expect(readPasted(deployment({ spec }))).toMatchObject({
        spec: WEB,
        notes: [{ field: `spec.${spec.split(':')[0]}`, code: 'no_effect', line: 4 }],
      }),
  )

  test('in a Deployment of several copies', () =>
    expect(readPasted(deployment({ spec: 'replicas: 2' }))).toMatchObject({
      spec: WEB,
      notes: [{ field: 'spec.replicas', code: 'one_copy', line: 4 }],
    }))

  test('in its metadata', () => {
    const text = deployment({}).replace('spec:', 'metadata: {name: a, namespace: b, labels: {c: d}, annotations: {e: f}}\nspec:')
    const { spec, notes } = readPasted(text.replace('template: {', 'template: {metadata: {labels: {c: d}}, '))
    expect(spec).toEqual(WEB)
    expect(notes.map(({ field, code, line }) => `${line} ${field} ${code}`)).toEqual([
      '3 metadata.name no_effect',
      '3 metadata.namespace no_effect',
      '3 metadata.labels no_effect',
      '3 metadata.annotations no_effect',
      '6 spec.template.metadata no_effect',
    ])
  })
})

describe('a field is refused', () => {
  test.each<[string, string]>([
    ['securityContext: {privileged: true}', 'securityContext.privileged no_privilege'],
    ['securityContext: {capabilities: {add: [X]}}', 'securityContext.capabilities.add.0 no_privilege'],
    ['securityContext: {capabilities: {keep: [X]}}', 'securityContext.capabilities.keep unsupported'],
    ['securityContext: {procMount: x}', 'securityContext.procMount no_privilege'],
    ['securityContext: 1', 'securityContext invalid'],
    ['securityContext: {runAsUser: -1}', 'securityContext.runAsUser invalid'],
    ['lifecycle: {postStart: {exec: {command: [a]}}}', 'lifecycle unsupported'],
    ['args: ["x$(B)y"], env: [{name: B, valueFrom: {secretKeyRef: {}}}]', 'args.0 no_value'],
    ['args: [a, 1]', 'args invalid'],
    ['args: a', 'args invalid'],
    ['workingDir: srv', 'workingDir invalid'],
    ['env: {}', 'env invalid'],
    ['env: [1]', 'env.0 invalid'],
    ['env: [{name: A, value: 1}]', 'env.0.value invalid'],
    ['env: [{name: A, value: 0x1}]', 'env.0.value invalid'],
    ['env: [{name: A, value: true}]', 'env.0.value invalid'],
    ['env: [{name: A, valueFrom: {other: {}}}]', 'env.0.valueFrom.other unsupported'],
    ['env: [{name: A, valueFrom: 1}]', 'env.0.valueFrom invalid'],
    ['env: [{name: A=B, value: x}]', 'env.0 invalid'],
    ['env: [{value: x}]', 'env.0 invalid'],
    ['env: [{name: A, key: x}]', 'env.0.key unsupported'],
    ['ports: {}', 'ports invalid'],
    ['ports: [{containerPort: 0}]', 'ports.0 invalid'],
    ['ports: [{containerPort: 1, protocol: SCTP}]', 'ports.0.protocol unsupported'],
    ['volumeMounts: {}', 'volumeMounts invalid'],
    ['volumeMounts: [{mountPath: a}]', 'volumeMounts.0.name missing'],
    ['volumeMounts: [{name: x, mountPath: /a}]', 'volumeMounts.0.name missing'],
  ])('in a container: `%s`', (container, problem) => {
    expect(readPasted(deployment({ container })).spec).toBeUndefined()
    expect(problemsOf(deployment({ container }))).toEqual([`9 ${CONTAINER}.${problem}`])
  })

  test.each<[string, string]>([
    ['initContainers: [{name: a}],', 'initContainers one_service'],
    ['hostNetwork: true,', 'hostNetwork no_privilege'],
    ['hostPID: true,', 'hostPID no_privilege'],
    ['volumes: {},', 'volumes invalid'],
    ['volumes: [{name: d, hostPath: {path: /}}],', 'volumes.0.hostPath host_path'],
    ['volumes: [{name: d, hostPath: {path: /var/run/docker.sock}}],', 'volumes.0.hostPath host_path'],
    ['volumes: [{name: d, other: {}}],', 'volumes.0.other unsupported'],
    ['volumes: [1],', 'volumes.0 invalid'],
  ])('in a pod: `%s`', (pod, problem) => {
    expect(readPasted(deployment({ pod })).spec).toBeUndefined()
    expect(problemsOf(deployment({ pod }))).toEqual([`6 ${POD}.${problem}`])
  })

  test.each<[string, string]>([
    ['completions: 1', 'completions unsupported'],
    ['backoffLimit: 1', 'backoffLimit unsupported'],
  ])('in a Deployment: `%s`', (spec, problem) => expect(problemsOf(deployment({ spec }))).toEqual([`4 spec.${problem}`]))

  test.each<[string, string[]]>([
    ['kind: Deployment\nspec: 1', ['2 spec invalid']],
    ['kind: Deployment\nspec: {template: 1}', ['2 spec.template invalid']],
    ['kind: Deployment\nspec: {template: {spec: 1}}', ['2 spec.template.spec invalid']],
    ['kind: Deployment\nspec: {template: {spec: {containers: {}}}}', [`2 ${POD}.containers invalid`]],
    ['kind: Deployment\nspec: {template: {spec: {containers: [1]}}}', [`2 ${CONTAINER} invalid`]],
    ['kind: Deployment\nmetadata: {foo: 1}', ['2 metadata.foo unsupported']],
    ['kind: Deployment\napiVersion: batch/v1', ['2 apiVersion unsupported']],
    ['kind: Job\napiVersion: apps/v1', ['2 apiVersion unsupported']],
    ['kind: Widget', ['1 Widget unsupported']],
    ['kind: NetworkPolicy\n---\nkind: Deployment', ['1 NetworkPolicy unsupported']],
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
    ['env: [{name: A, value: x}, {name: A, value: y}]', { env: { A: 'y' } }],
    ['env: [{name: A.b-c, value: x}, {name: 1A, value: y}]', { env: { '1A': 'y', 'A.b-c': 'x' } }],
    ['env: [{name: A, value: "1"}, {name: B, value: "$(A)-$(C)-$$(A)"}]', { env: { A: '1', B: '1-$(C)-$(A)' } }],
    ['env: [{name: A, value: "1"}], args: ["x$(A)y", "$(B)"]', { env: { A: '1' }, args: ['x1y', '$(B)'] }],
    ['command: [], args: []', {}],
    ['command: null, args: null', {}],
    ['livenessProbe: {}, readinessProbe: null, resources: {}, lifecycle: {}, envFrom: []', {}],
    ['terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File, imagePullPolicy: IfNotPresent', {}],
    ['securityContext: {capabilities: {add: [CAP_CHOWN, NET_BIND_SERVICE]}}', {}],
    ['ports: [{containerPort: 22}, {containerPort: 22, name: again}]', { ports: [{ protocol: 'tcp', port: 22 }] }],
    ['ports: [{containerPort: 22, hostIP: 0.0.0.0}]', { ports: [{ protocol: 'tcp', port: 22 }] }],
    ['securityContext: {runAsUser: 1000}', { user: '1000' }],
    ['securityContext: {runAsUser: 0, runAsGroup: 0}', { user: '0:0' }],
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
    ['automountServiceAccountToken: false, serviceAccountName: default, serviceAccount: default,', {}],
    ['automountServiceAccountToken: true, enableServiceLinks: true, schedulerName: default-scheduler,', {}],
    ['hostNetwork: false, hostPID: false, hostIPC: false, initContainers: [], volumes: [],', {}],
    ['dnsPolicy: ClusterFirst, terminationGracePeriodSeconds: 30, tolerations: [], affinity: {},', {}],
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

describe('the readiness probe', () => {
  const read = (container: string, probe: string) => {
    const one = readPasted(deployment({ container: `${container}, readinessProbe: ${probe}` }))
    // The order of fields does not matter.
    const turned = readPasted(deployment({ container: `readinessProbe: ${probe}, ${container}` }))
    expect(turned.spec).toEqual(one.spec)
    expect(one.problems).toEqual([])
    return { ports: one.spec?.ports, notes: one.notes.map(({ field, code }) => `${field.split('.').at(-1)} ${code}`) }
  }

  test.each<[string, string, object[]]>([
    [
      'ports: [{containerPort: 8080}, {containerPort: 22}]',
      '{httpGet: {path: /up, port: 8080}}',
      [
        { protocol: 'http', port: 8080, ready: '/up' },
        { protocol: 'tcp', port: 22 },
      ],
    ],
    [
      'ports: [{containerPort: 22, name: http}]',
      '{httpGet: {path: /up, port: http}}',
      [{ protocol: 'http', port: 22, ready: '/up' }],
    ],
    [
      'ports: [{containerPort: 22, name: http}]',
      '{httpGet: {path: /up, port: "22"}}',
      [{ protocol: 'http', port: 22, ready: '/up' }],
    ],
    // Who is asked for a page serves one.
    [
      'ports: [{containerPort: 8501}, {containerPort: 4567}]',
      '{httpGet: {path: /up, port: 4567}}',
      [
        { protocol: 'http', port: 4567, ready: '/up' },
        { protocol: 'tcp', port: 8501 },
      ],
    ],
    [
      'ports: [{containerPort: 80}]',
      '{httpGet: {port: 80, scheme: HTTP}, periodSeconds: 3}',
      [{ protocol: 'http', port: 80, ready: '/' }],
    ],
  ])('is asked where the file says: `%s`, %s', (container, probe, ports) =>
    expect(read(container, probe)).toEqual({ ports, notes: [] }),
  )

  test.each([
    '{httpGet: {path: /up, port: 9404}}',
    '{httpGet: {path: /up, port: management}}',
    '{httpGet: {path: /up, port: 1234}}',
    '{httpGet: {path: /up, port: other}}',
    '{httpGet: {path: /up}}',
    '{httpGet: {path: up, port: http}}',
    '{httpGet: {path: /up, port: http, scheme: HTTPS}}',
    '{httpGet: {path: /up, port: http, host: example.com}}',
    '{httpGet: {path: /up, port: http, httpHeaders: [{name: A, value: b}]}}',
    '{tcpSocket: {port: http}}',
    '{exec: {command: [cat, /up]}}',
  ])('is noted where the page cannot be asked so: %s', (probe) =>
    expect(read('ports: [{containerPort: 8080, name: http}, {containerPort: 9404, name: management}]', probe)).toEqual({
      ports: [
        { protocol: 'http', port: 8080 },
        { protocol: 'tcp', port: 9404 },
      ],
      notes: ['readinessProbe probe_ignored'],
    }),
  )
})

describe('user and group', () => {
  test.each<[pod: string, container: string, user: string | undefined]>([
    ['{runAsUser: 33}', '{runAsUser: 1000}', '1000'],
    ['{runAsUser: 33, runAsGroup: 34}', '{runAsUser: 1000}', '1000:34'],
    ['{runAsUser: 33, runAsGroup: 34}', '{runAsGroup: 5}', '33:5'],
    ['{runAsGroup: 34}', '{runAsUser: 0}', '0:34'],
    ['{runAsUser: 33}', '{}', '33'],
    ['{fsGroup: 1}', '{runAsNonRoot: true}', undefined],
  ])('of a pod with %s and a container with %s are merged by field, in any order', (pod, container, user) => {
    const own = `containers: [{image: acme/web:1, securityContext: ${container}}]`
    for (const fields of [`securityContext: ${pod}, ${own}`, `${own}, securityContext: ${pod}`])
      expect(readPasted(`kind: Deployment\nspec: {template: {spec: {${fields}}}}`).spec?.user).toBe(user)
  })
})

describe('a volume', () => {
  const mounted = (volume: string, mount: string) =>
    readPasted(
      deployment({
        container: `volumeMounts: [{name: d, mountPath: ${mount}}]`,
        pod: volume === '' ? '' : `volumes: [{name: d, ${volume}}],`,
      }),
    )

  test.each<[string, string, string[]]>([
    ['emptyDir: {}', '/d', ['one_disk']],
    ['persistentVolumeClaim: {claimName: x}', '/data/', ['one_disk']],
    ['persistentVolumeClaim: {claimName: x}', '/d, subPath: a', ['one_disk']],
    ['persistentVolumeClaim: {claimName: x}', '/d, readOnly: true', ['one_disk', 'writable']],
    ['emptyDir: {medium: Memory}', '/scratch', ['one_disk']],
    ['configMap: {name: c}', '/etc/app', ['empty_folder']],
    ['secret: {secretName: c}', '/certs, readOnly: true', ['empty_folder']],
    ['hostPath: {path: /srv/data}', '/d', ['empty_folder']],
    ['nfs: {server: a, path: /b}', '/d', ['empty_folder']],
  ])('of `%s` at %s is a folder on the order’s disk', (volume, mount, notes) => {
    const read = mounted(volume, mount)
    expect(read.problems).toEqual([])
    expect(read.spec?.volumes).toEqual([mount.replace(/,.*|\/(?=,|$)/g, '')])
    expect(read.notes.map(({ code }) => code)).toEqual(notes)
  })

  test.each<[string, string]>([
    ['emptyDir: {medium: Memory}', '/dev/shm'],
    ['hostPath: {path: /dev/shm}', '/dev/shm'],
    ['hostPath: {path: /etc/localtime}', '/etc/localtime'],
  ])('of `%s` at %s is there anyway', (volume, mount) =>
    expect(mounted(volume, mount)).toMatchObject({ spec: { volumes: [] }, problems: [] }),
  )

  test.each<[string, string, string]>([
    ['configMap: {name: c}', '/etc/app/app.yaml, subPath: app.yaml', 'host_file'],
    ['hostPath: {path: /srv/app.conf}', '/etc/app.conf', 'host_file'],
    ['hostPath: {path: /dev/snd}', '/snd', 'host_path'],
    ['hostPath: {path: /}', '/host', 'host_path'],
  ])('of `%s` at %s is refused', (volume, mount, code) => expect(mounted(volume, mount).problems).toMatchObject([{ code }]))
})

describe('what kubectl prints is read:', () => {
  const container = '{image: acme/web:1, name: web, ports: [{containerPort: 80}]}'
  const spec = { ...WEB, ports: [{ protocol: 'http', port: 80 }] }
  const template = `{metadata: {creationTimestamp: null, labels: {app: web}}, spec: {containers: [${container}]}}`

  test.each<[string, string]>([
    [
      'Deployment',
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: {creationTimestamp: null}\nspec: {template: ${template}, strategy: {}}\nstatus: {}`,
    ],
    ['StatefulSet', `apiVersion: apps/v1\nkind: StatefulSet\nspec: {serviceName: a, template: ${template}}`],
    ['DaemonSet', `apiVersion: apps/v1\nkind: DaemonSet\nspec: {updateStrategy: {}, template: ${template}}`],
    ['ReplicaSet', `apiVersion: apps/v1\nkind: ReplicaSet\nspec: {replicas: 1, template: ${template}}`],
    ['ReplicationController', `apiVersion: v1\nkind: ReplicationController\nspec: {replicas: 3, template: ${template}}`],
    [
      'Pod',
      `apiVersion: v1\nkind: Pod\nmetadata: {uid: 1, resourceVersion: "2"}\nspec: {containers: [${container}], restartPolicy: Always}\nstatus: {phase: Running}`,
    ],
    [
      'List',
      `apiVersion: v1\nkind: List\nmetadata: {resourceVersion: ""}\nitems:\n- {apiVersion: v1, kind: Service}\n- {apiVersion: v1, kind: Pod, spec: {containers: [${container}]}}`,
    ],
    [
      'DeploymentList',
      `apiVersion: apps/v1\nkind: DeploymentList\nitems: [{apiVersion: apps/v1, kind: Deployment, spec: {template: ${template}}}]`,
    ],
  ])('%s', (_, text) => expect(readPasted(text)).toMatchObject({ spec, problems: [] }))

  test.each<[string, string]>([
    [
      'CronJob',
      `apiVersion: batch/v1\nkind: CronJob\nspec: {schedule: "* * * * *", jobTemplate: {metadata: {name: a}, spec: {template: {spec: {restartPolicy: OnFailure, containers: [${container}]}}}}}`,
    ],
    ['Pod that is not restarted', `apiVersion: v1\nkind: Pod\nspec: {containers: [${container}], restartPolicy: Never}`],
    [
      'Pod that is restarted after a failure',
      `apiVersion: v1\nkind: Pod\nspec: {restartPolicy: OnFailure, containers: [${container}]}`,
    ],
  ])('%s, as a job', (_, text) => {
    const read = readPasted(text)
    expect(read).toMatchObject({ spec: { ...spec, job: 'keep' }, problems: [] })
    expect(read.notes.map(({ code }) => code)).toContain('runs_once')
  })

  test('whose defaults say nothing', () => {
    const read = readPasted(`apiVersion: apps/v1
kind: Deployment
metadata: {creationTimestamp: "2026-11-27T00:00:00Z", generation: 1, namespace: default, resourceVersion: "9", uid: a}
spec:
  progressDeadlineSeconds: 600
  revisionHistoryLimit: 10
  replicas: 1
  strategy: {}
  template:
    metadata: {creationTimestamp: null}
    spec:
      containers:
      - {image: "acme/web:1", imagePullPolicy: IfNotPresent, resources: {}, terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File}
      dnsPolicy: ClusterFirst
      schedulerName: default-scheduler
      securityContext: {}
      serviceAccount: default
      serviceAccountName: default
      terminationGracePeriodSeconds: 30
      priority: 0
      preemptionPolicy: PreemptLowerPriority
      enableServiceLinks: true
status: {replicas: 1}
`)
    expect(read).toMatchObject({ spec: WEB, problems: [], notes: [] })
  })

  test('several objects in any order, with a note for each of the others', () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}'
    const workload = `apiVersion: apps/v1\nkind: Deployment\nspec: {template: ${template}}`
    for (const text of [
      `${service}\n---\n${workload}`,
      `${workload}\n---\n${service}`,
      `---\n---\n${service}\n---\n${workload}\n---\n`,
    ]) {
      const read = readPasted(text)
      expect(read).toMatchObject({ spec, problems: [] })
      expect(read.notes).toContainEqual({
        field: 'Service s',
        code: 'no_effect',
        line: 1 + text.slice(0, text.indexOf(service)).split('\n').length - 1,
      })
    }
  })

  test('the ports of a Service where the container names none, and values of a ConfigMap', () => {
    const read = readPasted(`kind: Pod
metadata: {labels: {app: web, tier: a}}
spec:
  containers:
  - image: acme/web:1
    env: [{name: LEVEL, valueFrom: {configMapKeyRef: {name: c, key: level}}}, {name: KEY, valueFrom: {secretKeyRef: {name: s, key: k}}}]
    envFrom: [{configMapRef: {name: c}, prefix: P_}, {secretRef: {name: s}}]
---
kind: Service
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}, {port: 53, protocol: UDP}]}
---
kind: Service
spec: {selector: {app: other}, ports: [{port: 1234}]}
---
kind: ConfigMap
metadata: {name: c}
data: {level: info}
---
kind: Secret
metadata: {name: s}
data: {TOKEN: eA==}
`)
    expect(read.problems).toEqual([])
    expect(read.spec).toMatchObject({
      ports: [
        { protocol: 'http', port: 8080 },
        { protocol: 'udp', port: 53 },
      ],
      env: { LEVEL: 'info', P_level: 'info' },
      secrets: ['KEY', 'TOKEN'],
    })
  })

  test('but only one workload', () => {
    const workload = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec: {template: ${template}}`
    const read = readPasted(`${workload}\n---\n${workload}\n---\n${workload}`)
    expect(read.problems).toEqual([{ field: 'Deployment w', code: 'one_service', line: 6 }])
    expect(read.draft.image).toBe('acme/web:1')
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
    ['selector: {matchLabels: {a: b}}', ['4 spec.selector no_effect']],
    ['suspend: false', []],
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
