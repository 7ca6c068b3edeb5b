import { changeKeyCall, grantKeyCall, type KeyLimits, type PurseKey } from '@rackfair/sdk'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Address } from 'viem'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useTransaction } from '../../wallet/index.ts'
import { fieldsOf, type KeyFields, type KeyProblem, type KeyStart, readKeyFields, STARTS } from './keyForm.ts'
import { keyMessages } from './messages.ts'
import { useKeyNames } from './useKeyNames.ts'

export interface KeyFormState {
  start: KeyStart
  /** Fills the form as this kind of key begins. */
  setStart: (start: KeyStart) => void
  fields: KeyFields
  set: (change: Partial<KeyFields>) => void
  /** What the fields ask for; undefined while one is wrong. */
  limits: KeyLimits | undefined
  problems: ReadonlySet<KeyProblem>
  /** Whether a field is marked: only once the form was sent. */
  isWrong: (field: KeyProblem) => boolean
}

/**
 * The form of a key, new or changed, and the transaction that it ends in.
 * `onWrong` is called once the wrong fields are marked; `onMade` with the private key of a new one.
 */
export function useKeyForm(
  purse: Address,
  changed: PurseKey | undefined,
  { onWrong, onMade }: { onWrong: () => void; onMade: (name: string, privateKey: string | undefined) => void },
) {
  const text = useMessages(keyMessages)
  const now = useNow(30_000)
  const { nameOf, setName } = useKeyNames()
  const { state, busy, send } = useTransaction()
  const [start, setStart] = useState<KeyStart>('ci')
  const [fields, setFields] = useState<KeyFields>(() =>
    changed ? fieldsOf(changed, nameOf(changed.key), now) : { name: '', ...STARTS.ci, at: 'any', providers: '' },
  )
  const [isJudged, setIsJudged] = useState(false)
  const read = readKeyFields(fields, now)
  const limits = 'limits' in read ? read.limits : undefined
  const problems: ReadonlySet<KeyProblem> = 'problems' in read ? read.problems : new Set()
  const set = (change: Partial<KeyFields>) => setFields((before) => ({ ...before, ...change }))
  const form: KeyFormState = {
    ...{ start, fields, set, limits, problems },
    setStart(next) {
      setStart(next)
      set(STARTS[next])
    },
    isWrong: (field) => isJudged && problems.has(field),
  }

  const submit = async () => {
    // What is wrong is marked before it is looked for.
    flushSync(() => setIsJudged(true))
    if (!limits) return onWrong()
    const name = fields.name.trim()
    if (changed) {
      const options = { description: text.describeChange(name), success: { title: text.changed } }
      if (!(await send(changeKeyCall(purse, changed.key, limits), options))) return
      setName(changed.key, name)
      onMade(name, undefined)
      return
    }
    const { generatePrivateKey, privateKeyToAddress } = await import('viem/accounts')
    const privateKey = generatePrivateKey()
    const address = privateKeyToAddress(privateKey)
    if (!(await send(grantKeyCall(purse, address, limits), { description: text.describeGrant(name) }))) return
    setName(address, name)
    onMade(name, privateKey)
  }
  return { form, now, state, busy, submit }
}
