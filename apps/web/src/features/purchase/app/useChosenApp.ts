import { presetFit } from '@rackfair/rules/node/fit'
import type { NodeFacts } from '@rackfair/rules/node/node'
import type { ProviderTakes } from '@rackfair/rules/node/takes'
import type { Preset } from '@rackfair/rules/presets'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { environmentDefaults, environmentToSend, isEnvironmentWrong } from '../../../entities/deployment/environmentFields.ts'
import { useFitText } from '../../../entities/node/fit/useFitText.ts'
import { presetsQuery } from '../../../entities/order/queries.ts'
import { useTakesText } from '../../../entities/provider/takes/useTakesText.ts'

const OWN = 'own'

/** An application of the buyer's own, as it is described before the payment. */
export interface Draft {
  /** Empty where it is described once the machine is paid. */
  pasted: string
  /** What it is called, what is signed, the same as a file, and its values; undefined while something is missing or the provider does not take it. */
  ready: { title: string; app: string; yaml: string; values: Record<string, string> } | undefined
}

/** The application that is to start by itself once the machine is paid. The address names it (`run=`), so that a link can bring it along. */
export function useChosenApp(machine: Omit<NodeFacts, 'id' | 'cpuModel'>, takes: ProviderTakes | undefined) {
  const [params, setParams] = useSearchParams()
  const presets = useQuery(presetsQuery).data ?? []
  const fitText = useFitText()
  const takesText = useTakesText(takes)
  const [typed, setTyped] = useState<{ name: string; values: Record<string, string> }>()
  const [draft, setDraft] = useState<Draft>()
  const isOwn = params.get('run') === OWN
  const noOwn = takesText.blocksOwn()
  const named = presets.find(({ name }) => name === params.get('run'))
  const lacks = (preset: Preset) => fitText.lacks(presetFit(preset, machine)) || takesText.blocksPreset(preset) || undefined
  const problem = isOwn ? noOwn : named && lacks(named)
  const app = problem === undefined ? named : undefined
  const values = app && (typed?.name === app.name ? typed.values : environmentDefaults(app.settings))
  return {
    /** As the address has it; empty where nothing is to start. */
    value: isOwn ? OWN : (named?.name ?? ''),
    /** An application of one's own. */
    isOwn: isOwn && problem === undefined,
    draft: isOwn && problem === undefined ? draft : undefined,
    setDraft,
    /** Why the application that the address names does not run here. */
    problem,
    /** Undefined where nothing is to start. */
    app,
    /** What its first deploy waits for. */
    wait: app && takesText.builtFirst(app),
    options: presets.map((preset) => ({ preset, runs: lacks(preset) === undefined })),
    own: { value: OWN, runs: noOwn === undefined },
    choose: (name: string) =>
      setParams(
        (before) => {
          if (name === '') before.delete('run')
          else before.set('run', name)
          return before
        },
        { replace: true },
      ),
    values: values ?? {},
    setValues: (next: Record<string, string>) => setTyped(app && { name: app.name, values: next }),
    /** A setting that the application needs is missing or wrong. */
    isWrong: app !== undefined && isEnvironmentWrong(app.settings, values ?? {}),
    /** The settings as they are sent. */
    env: () => (app ? environmentToSend(app.settings, values ?? {}) : {}),
  }
}

export type ChosenApp = ReturnType<typeof useChosenApp>
