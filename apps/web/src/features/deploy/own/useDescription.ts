import type { Beside } from '@rackfair/app-spec/import/Beside'
import { readPasted } from '@rackfair/app-spec/import/readPasted'
import { useEffect, useMemo, useState } from 'react'
import { usePasteAnywhere } from '../../../entities/application/usePasteAnywhere.ts'
import { draftOf, keptApp } from '../../../entities/deployment/keptApp.ts'
import { type AppForm, EMPTY_FORM, formOf } from './appForm.ts'
import { readSharedLink } from './sharedLink.ts'

/** What the renter describes, in the form or by a text and what it names; it begins with what the link or the last deployment of the order has. */
export function useDescription(orderId: string) {
  const [way, setWay] = useState<'form' | 'paste'>('form')
  const [form, setForm] = useState<AppForm>(EMPTY_FORM)
  const [pasted, setPasted] = useState('')
  const [beside, setBeside] = useState<Beside>({})
  const read = useMemo(() => (pasted.trim() === '' ? undefined : readPasted(pasted, beside)), [pasted, beside])

  /** What is understood whole fills the form at once; the rest is shown with its problems, not half in the form. */
  const paste = (text: string, given: Beside = beside): boolean => {
    setPasted(text)
    setBeside(given)
    if (text.trim() === '') {
      setForm(EMPTY_FORM)
      return true
    }
    const { draft, problems, services, values: known } = readPasted(text, given)
    // The form is of one container: of several it stays empty.
    if (problems.length === 0) setForm((before) => (draft.image === undefined ? EMPTY_FORM : formOf(draft, before, known)))
    return problems.length === 0 && !services
  }
  const open = (file: string) => setWay(paste(file) ? 'form' : 'paste')
  usePasteAnywhere(open)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    const before = readSharedLink(window.location.hash) ?? draftOf(orderId) ?? keptApp(orderId)
    if (before !== undefined) open(before)
  }, [])
  return { way, setWay, form, setForm, pasted, beside, read, paste, open }
}
