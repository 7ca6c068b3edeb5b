import { APP_LIMITS } from '../AppSpec.ts'
import { fromApplicationYaml, isApplicationYaml } from './applicationYaml.ts'
import type { Beside } from './Beside.ts'
import { fromAkash, isAkash } from './fromAkash.ts'
import { fromAppYaml } from './fromAppYaml.ts'
import { fromCompose } from './fromCompose.ts'
import { fromDockerRun, hasDockerRun } from './fromDockerRun.ts'
import { fromKubernetes } from './fromKubernetes.ts'
import { isKubernetesObject } from './kubernetesObjects.ts'
import type { Path } from './paths.ts'
import { isRecord, type Pasted, type PastedKind } from './Reading.ts'
import { readYaml } from './readYaml.ts'

/**
 * Reads what the user has at hand: what kubectl takes and prints, a compose file, a `docker run` line, an SDL file of Akash,
 * or a saved specification. The format is detected. Nothing is dropped: each field is taken, noted as having no effect here, or refused by
 * name. What it names and does not have is in `wanted`; whoever has it gives it in `beside`.
 *
 * @example readPasted('docker run -p 6379:6379 redis:7').spec
 */
export function readPasted(pasted: string, beside: Beside = {}): Pasted {
  const text = withoutFence(pasted)
  if (isScript(text.slice(0, APP_LIMITS.bytes)))
    return text.length > APP_LIMITS.bytes ? empty('docker', 'too_large') : fromDockerRun(text, beside)
  const { documents, lineOf, problems } = readYaml(text)
  const used = documents.flatMap((document, index) => (document === null || document === undefined ? [] : [index]))
  const first = documents[used[0] ?? 0]
  const kind: PastedKind = isApplicationYaml(first)
    ? 'app'
    : isAkash(first)
      ? 'sdl'
      : isRecord(first) && 'services' in first
        ? 'compose'
        : documents.some(isKubernetesObject)
          ? 'kubernetes'
          : 'app'
  if (problems.length > 0) return { ...empty(kind), problems }
  if (used.length === 0) return empty(kind, 'missing')
  if (kind === 'kubernetes') return fromKubernetes(documents, lineOf, beside)
  const lineOfFirst = (path: Path) => lineOf(path, used[0])
  const read = isApplicationYaml(first)
    ? fromApplicationYaml(first, lineOfFirst)
    : { app: fromAppYaml, compose: fromCompose, sdl: fromAkash }[kind as 'app' | 'compose' | 'sdl'](first, lineOfFirst, beside)
  const more = used.slice(1).map((index) => {
    const line = lineOf([], index)
    return { field: `document ${index + 1}`, code: 'one_service' as const, ...(line === undefined ? {} : { line }) }
  })
  if (more.length === 0) return read
  const { spec: _, application: __, ...rest } = read
  return { ...rest, problems: [...read.problems, ...more] }
}

const empty = (kind: PastedKind, code?: 'missing' | 'too_large'): Pasted => ({
  ...{ kind, draft: {}, problems: code ? [{ field: '', code }] : [], notes: [], wanted: [], values: {} },
})

/** A text that was copied with the marks of a code block around it. The lines keep their numbers. */
const withoutFence = (text: string): string =>
  text.replace(/^(\s*)(?:```|~~~)[\w-]*[ \t]*(?=\r?\n|$)/, '$1').replace(/(^|\n)[ \t]*(?:```|~~~)\s*$/, '$1')

/** Whether a text is commands rather than YAML: its first line is no field, no entry and no mark of a document. */
function isScript(text: string): boolean {
  const first = text.split('\n').find((line) => !/^\s*(?:#|$)/.test(line)) ?? ''
  return !/^\s*(?:---|%|-\s|[{[]|["']?[\w./-]+["']?\s*:(?:\s|$))/.test(first) && hasDockerRun(text)
}
