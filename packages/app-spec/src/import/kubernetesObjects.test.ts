import { expect, test } from 'vitest'
import { readPasted } from './readPasted.ts'

const CONTAINER = 'spec.template.spec.containers.0'

/** In JavaScript, an object that cannot become text. */
const OBJECT = '{toString: 1}'

test.each<[string, string]>([
  [`image: ${OBJECT}`, `${CONTAINER}.image`],
  [`image: a, args: [${OBJECT}]`, `${CONTAINER}.args`],
  [`image: a, env: [{name: ${OBJECT}, value: x}]`, `${CONTAINER}.env.0`],
  [`image: a, env: [{name: A, value: ${OBJECT}}]`, `${CONTAINER}.env.0.value`],
  [`image: a, ports: [{containerPort: ${OBJECT}}]`, `${CONTAINER}.ports.0`],
  [`image: a, securityContext: {runAsUser: ${OBJECT}}`, `${CONTAINER}.securityContext.runAsUser`],
  [`image: a, securityContext: {runAsUser: 1, runAsGroup: ${OBJECT}}`, `${CONTAINER}.securityContext.runAsUser`],
])('refuses an object instead of a string: `%s`', (container, field) =>
  expect(readPasted(`kind: Deployment\nspec: {template: {spec: {containers: [{${container}}]}}}`).problems).toEqual([
    { field, code: 'invalid', line: 2 },
  ]),
)

test('refuses an object instead of the name of a port or a volume', () => {
  const { spec, problems } = readPasted(
    `kind: Deployment\nspec: {template: {spec: {volumes: [{name: ${OBJECT}}], containers: [{image: a, ports: [{containerPort: 1, name: ${OBJECT}}]}]}}}`,
  )
  expect(problems).toEqual([])
  expect(spec?.ports).toEqual([{ protocol: 'tcp', port: 1 }])
})

test('refuses a mount of a volume without a name', () =>
  expect(
    readPasted(
      `kind: Deployment\nspec: {template: {spec: {containers: [{image: a, volumeMounts: [{name: ${OBJECT}, mountPath: /a}]}]}}}`,
    ).problems,
  ).toEqual([{ field: `${CONTAINER}.volumeMounts.0.name`, code: 'missing', line: 2 }]))
