import type { ExplainedMutation } from './explainedMutations.ts'

/** The parts of Stryker's report that are used. */
export interface MutationReport {
  files: Readonly<Record<string, { source: string; mutants: readonly Mutant[] }>>
}

interface Mutant {
  mutatorName: string
  replacement?: string
  status: string
  location: { start: Position; end: Position }
}

interface Position {
  line: number
  column: number
}

interface Judgement {
  /** The counts in one line. */
  line: string
  /** Mutations that no test detected and nobody has explained, one line each. */
  survivors: string[]
  /** Why the room fails. */
  problem?: string
}

const NOTICED = new Set(['Killed', 'Timeout', 'RuntimeError', 'CompileError'])
const UNNOTICED = new Set(['Survived', 'NoCoverage'])

/**
 * How many mutations of a room its tests detected. Survivors count as not detected, explained or not; an explanation only removes them from
 * the list of open work, and has to match a survivor, so that none outlives its reason.
 */
export function judgeMutations(
  { name, cwd, atLeast }: { name: string; cwd: string; atLeast?: number },
  report: MutationReport,
  explained: readonly ExplainedMutation[],
): Judgement {
  const mutants = Object.entries(report.files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n')
    return mutants.map((mutant) => ({ ...mutant, path: `${cwd}/${file}`, text: lines[mutant.location.start.line - 1] ?? '' }))
  })
  const noticed = mutants.filter(({ status }) => NOTICED.has(status)).length
  const survived = mutants.filter(({ status }) => UNNOTICED.has(status))
  const fits = (mutant: (typeof survived)[number], { file, line, becomes }: ExplainedMutation) =>
    mutant.path === file && mutant.text.includes(line) && (becomes === undefined || mutant.replacement === becomes)
  const open = survived.filter((mutant) => !explained.some((one) => fits(mutant, one)))
  const changed = new Set(mutants.map(({ path }) => path))
  const stale = explained.filter((one) => changed.has(one.file) && !survived.some((mutant) => fits(mutant, one)))

  const all = noticed + survived.length
  const score = all === 0 ? 0 : (100 * noticed) / all
  const problems = [
    ...(all === 0 ? [`${name}: nothing was changed`] : []),
    ...(atLeast !== undefined && score < atLeast
      ? [`${name}: ${score.toFixed(1)} % of ${all} mutations are noticed, ${atLeast} % are wanted`]
      : []),
    ...stale.map(({ file, line }) => `${name}: the survivor that was explained is none any more: ${file}: ${line}`),
  ]
  return {
    line: `${name}: ${all} mutations, ${noticed} noticed (${score.toFixed(1)} %), ${survived.length} survived, ${survived.length - open.length} of them explained`,
    survivors: open.map(
      ({ path, location: { start, end }, mutatorName, replacement = '', status, text }) =>
        `${path}:${start.line}:${start.column} ${mutatorName}${status === 'NoCoverage' ? ', never run' : ''}: ${text
          .slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined)
          .trim()} -> ${replacement.split('\n')[0]}`,
    ),
    ...(problems.length > 0 ? { problem: problems.join('\n') } : {}),
  }
}
