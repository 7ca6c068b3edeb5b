import { changeKeyCall, grantKeyCall, PURSE_RIGHTS, type PurseKey } from '@rackfair/sdk'
import { ShieldCheck, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Address } from 'viem'
import { WriteStatus } from '../../entities/provider/WriteStatus.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/NumberInput.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { useTransaction } from '../../wallet/index.ts'
import { fieldsOf, type KeyFields, type KeyStart, MAX_NAME, maySpend, readKeyFields, STARTS, worstWei } from './keyForm.ts'
import { keyMessages } from './messages.ts'
import { useKeyNames } from './useKeyNames.ts'
import { useLimitWords } from './useLimitWords.ts'

export interface KeyFormProps {
  purse: Address
  /** The key whose limits change; undefined for a new one. */
  changed: PurseKey | undefined
  onClose: () => void
  /** With the private key of a new one. */
  onMade: (name: string, privateKey: string | undefined) => void
}

/** Limits of a key, with what they mean in words and at worst. */
export function KeyForm({ purse, changed, onClose, onMade }: KeyFormProps) {
  const text = useMessages(keyMessages)
  const format = useFormat()
  const now = useNow(30_000)
  const words = useLimitWords()
  const titleId = useId()
  const { nameOf, setName } = useKeyNames()
  const { state, busy, send } = useTransaction()
  const [start, setStart] = useState<KeyStart>('ci')
  const [fields, setFields] = useState<KeyFields>(() =>
    changed ? fieldsOf(changed, nameOf(changed.key), now) : { name: '', ...STARTS.ci },
  )
  const [isJudged, setIsJudged] = useState(false)
  const [opener] = useState(() => document.activeElement)
  const panel = useRef<HTMLDivElement>(null)
  const read = readKeyFields(fields, now)
  const problems = 'problems' in read ? read.problems : undefined
  const limits = 'limits' in read ? read.limits : undefined
  const set = (change: Partial<KeyFields>) => setFields((before) => ({ ...before, ...change }))
  const name = fields.name.trim()
  const spends = maySpend(fields.rights)

  const close = () => {
    onClose()
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  }
  const submit = async () => {
    // What is wrong is marked before it is looked for.
    flushSync(() => setIsJudged(true))
    if (!limits) {
      panel.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
      return
    }
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

  const amount = (key: 'total' | 'refill' | 'hour' | 'gpuHour') => (
    <Field label={text[key]} error={isJudged && problems?.has(key) ? text.totalWrong : undefined}>
      <NumberInput
        value={fields[key]}
        onChange={(typed) => set({ [key]: typed })}
        unit={text.units.usd}
        placeholder={key === 'total' ? undefined : key === 'refill' ? '0' : text.any}
        maxLength={24}
      />
    </Field>
  )
  return (
    <section
      ref={panel}
      aria-labelledby={titleId}
      className="sticky-panel"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !busy) close()
      }}
    >
      <Card>
        <div className="mb-4 flex items-center justify-between gap-3">
          <h2 id={titleId} className="text-base">
            {changed ? text.changeOf(nameOf(changed.key)) : text.newKey}
          </h2>
          <Button size="sm" variant="quiet" aria-label={text.close} icon={<X aria-hidden className="size-4" />} onClick={close} />
        </div>
        <div className="flex flex-col gap-4">
          {!changed && (
            <Choice
              label={text.starts}
              value={start}
              onChange={(next) => {
                setStart(next)
                set(STARTS[next])
              }}
              options={(['ci', 'agent', 'look'] as const).map((value) => ({ value, label: text.start[value] }))}
            />
          )}
          <Field label={text.name} hint={text.nameHint} error={isJudged && problems?.has('name') ? text.nameWrong : undefined}>
            <TextInput autoFocus value={fields.name} onChange={(typed) => set({ name: typed })} maxLength={MAX_NAME} />
          </Field>
          <fieldset>
            <legend className="mb-1 font-medium">{text.may}</legend>
            <div className="grid grid-cols-2 gap-x-4">
              {PURSE_RIGHTS.map((right) => (
                <Checkbox
                  key={right}
                  checked={fields.rights.includes(right)}
                  onChange={(isOn) =>
                    set({ rights: PURSE_RIGHTS.filter((one) => (one === right ? isOn : fields.rights.includes(one))) })
                  }
                >
                  {text.rights[right]}
                </Checkbox>
              ))}
            </div>
            <p aria-live="polite" className="text-xs text-bad empty:hidden">
              {problems?.has('rights') && text.rightsWrong}
            </p>
          </fieldset>
          {spends && (
            <>
              <div className="grid grid-cols-2 gap-3">
                {amount('total')}
                {amount('refill')}
              </div>
              <div className="grid grid-cols-2 gap-3">
                {amount('hour')}
                {amount('gpuHour')}
              </div>
            </>
          )}
          <div className="grid grid-cols-2 gap-3">
            {spends && (
              <Field label={text.hours} error={isJudged && problems?.has('hours') ? text.hoursWrong : undefined}>
                <NumberInput
                  decimals={false}
                  value={fields.hours}
                  onChange={(typed) => set({ hours: typed })}
                  unit={text.units.hours}
                  placeholder={text.any}
                  maxLength={6}
                />
              </Field>
            )}
            <Field label={text.days} error={isJudged && problems?.has('days') ? text.daysWrong : undefined}>
              <NumberInput
                decimals={false}
                value={fields.days}
                onChange={(typed) => set({ days: typed })}
                unit={text.units.days}
                maxLength={5}
              />
            </Field>
          </div>
          {limits && (
            <div className="flex flex-col gap-2 rounded-lg bg-sunk p-4">
              <p className="text-xs text-ink-3">{text.words}</p>
              <p>
                {spends
                  ? text.sentence(
                      name,
                      text.joined(words({ ...limits, rights: fields.rights, isAnyProvider: true }).spend),
                      format.date(limits.validUntil),
                    )
                  : text.looks(name, format.date(limits.validUntil))}{' '}
                {words({ ...limits, rights: fields.rights, isAnyProvider: true }).may}
              </p>
              <p className="flex gap-2 border-t border-line-2 pt-2 text-xs text-ink-2">
                <ShieldCheck aria-hidden className="size-4 shrink-0 text-idle" />
                {spends ? text.stolen(format.usd(worstWei(limits, now))) : text.stolenLooks}
              </p>
            </div>
          )}
          <Button variant="primary" size="lg" block pending={busy} onClick={() => void submit()}>
            {changed ? text.save : text.create}
          </Button>
          <p className="text-center text-xs text-ink-3">{changed ? text.onceChange : text.once}</p>
          <WriteStatus state={state} />
        </div>
      </Card>
    </section>
  )
}
