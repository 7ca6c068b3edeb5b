import { useState } from 'react'

/** Which fields show what is wrong with them: those that were changed, and all after a try to send. */
export function useJudged<Name extends string>(names: readonly Name[]) {
  const [judged, setJudged] = useState<ReadonlySet<Name>>(new Set())
  return {
    judged,
    touch: (before: Readonly<Record<Name, string>>, after: Readonly<Record<Name, string>>) =>
      setJudged((last) => new Set([...last, ...names.filter((name) => before[name] !== after[name])])),
    judgeAll: () => setJudged(new Set(names)),
    forgive: () => setJudged(new Set()),
  }
}
