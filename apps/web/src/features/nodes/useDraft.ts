import { useEffect, useRef, useState } from 'react'

const SETTLE_MS = 250

/**
 * A local draft of a value being typed or dragged: committed once it has been stable for a moment, and replaced when the value changes from
 * outside. `tidy` normalises what is committed; what it drops, such as a trailing space, stays in the draft.
 */
export function useDraft<Value>(
  value: Value,
  onSettle: (value: Value) => void,
  tidy: (draft: Value) => Value = (draft) => draft,
): [Value, (value: Value) => void] {
  const [draft, setDraft] = useState(value)
  const handed = useRef(JSON.stringify(value))
  const settle = useRef(onSettle)
  settle.current = onSettle
  const outside = JSON.stringify(value)
  const tidied = tidy(draft)
  const inside = JSON.stringify(tidied)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change from elsewhere replaces the draft
  useEffect(() => {
    if (outside === handed.current) return
    handed.current = outside
    setDraft(value)
  }, [outside])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the draft stands for it
  useEffect(() => {
    if (inside === handed.current) return
    const { pathname } = window.location
    const timer = setTimeout(() => {
      // The next page may still be loading while this one waits behind it.
      if (window.location.pathname !== pathname) return
      handed.current = inside
      settle.current(tidied)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [inside])

  return [draft, setDraft]
}
