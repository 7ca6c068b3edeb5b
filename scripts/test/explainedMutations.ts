/** A mutation that no test can or should notice. */
export interface ExplainedMutation {
  /** From the root. */
  file: string
  /** A part of the line that is changed. */
  line: string
  /** What stands there instead; without it, every change of the line. */
  becomes?: string
  why: string
}

/** What survives for a reason. An entry that fits no survivor fails the step. */
export const EXPLAINED_MUTATIONS: readonly ExplainedMutation[] = []
