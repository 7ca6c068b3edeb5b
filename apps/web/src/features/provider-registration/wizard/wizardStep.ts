export type WizardStep = 0 | 1 | 2 | 3

/** What decides about the wizard: whether the wallet's provider exists, and how many nodes it lists. */
export interface WizardFacts {
  registered: boolean
  nodes: number
  /** Whether the minimum stands behind its promises; undefined until it is known. */
  pledged: boolean | undefined
}

/** The step that the address asks for (`?step=1` to `4`), or the one where the work was left; never past what is registered. */
export function wizardStep(asked: string | undefined, facts: WizardFacts): WizardStep {
  if (!facts.registered) return 0
  if (asked === '1' || asked === '2' || asked === '3' || asked === '4') return (Number(asked) - 1) as WizardStep
  if (facts.nodes === 0) return 1
  return facts.pledged ? 3 : 2
}
