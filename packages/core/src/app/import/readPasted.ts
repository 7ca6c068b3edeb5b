import { fromAppYaml } from './fromAppYaml.ts'
import { fromCompose } from './fromCompose.ts'
import { fromDockerRun } from './fromDockerRun.ts'
import { fromKubernetes } from './fromKubernetes.ts'
import { isRecord, type Pasted, type PastedKind } from './Reading.ts'
import { readYaml } from './readYaml.ts'

/**
 * Reads what the user has at hand: a Kubernetes Deployment, a compose file of one service, a `docker run` line, or a saved specification.
 * The format is detected. Nothing is dropped: each field is taken, noted as having no effect here, or refused by name.
 *
 * @example readPasted('docker run -p 6379:6379 redis:7').spec
 */
export function readPasted(text: string): Pasted {
  if (/^(?:\s|#[^\n]*\n)*(?:\$\s+)?(?:sudo\s+)?(?:docker|podman|nerdctl)\s+(?:container\s+)?run\b/.test(text))
    return fromDockerRun(text.replace(/^((?:\s|#[^\n]*\n)*)\$/, '$1'))
  const { documents, lineOf, problems } = readYaml(text)
  const [first, ...others] = documents
  const kind: PastedKind =
    isRecord(first) && 'services' in first ? 'compose' : isRecord(first) && 'kind' in first ? 'kubernetes' : 'app'
  if (problems.length > 0) return { kind, draft: {}, problems, notes: [] }
  if (first === undefined || first === null) return { kind, draft: {}, problems: [{ field: '', code: 'missing' }], notes: [] }
  const read = { app: fromAppYaml, compose: fromCompose, kubernetes: fromKubernetes, docker: fromAppYaml }[kind](first, lineOf)
  const more = others.flatMap((one, index) => {
    const line = lineOf([], index + 1)
    const name = isRecord(one) && typeof one.kind === 'string' ? one.kind.slice(0, 60) : `document ${index + 2}`
    return one === null ? [] : [{ field: name, code: 'one_service' as const, ...(line === undefined ? {} : { line }) }]
  })
  if (more.length === 0) return read
  const { spec: _, ...rest } = read
  return { ...rest, problems: [...read.problems, ...more] }
}
