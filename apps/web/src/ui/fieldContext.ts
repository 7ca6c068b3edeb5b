import { createContext, useContext, useId } from 'react'

export interface FieldIds {
  id: string
  describedBy: string | undefined
  invalid: boolean
}

export const FieldContext = createContext<FieldIds | undefined>(undefined)

/** What an input inside a `Field` puts on its element; works outside of one too. */
export function useFieldIds(): FieldIds {
  const own = useId()
  return useContext(FieldContext) ?? { id: own, describedBy: undefined, invalid: false }
}

export const INPUT_CLASS =
  'h-9 w-full min-w-0 rounded-md border bg-raised px-2.5 text-ink placeholder:text-ink-3 aria-invalid:border-bad border-edge disabled:bg-sunk disabled:text-ink-3'
