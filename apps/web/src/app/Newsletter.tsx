import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale } from '../i18n/locale.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { api } from '../platform/api/api.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { appMessages } from './messages.ts'

export function Newsletter() {
  const text = useMessages(appMessages).newsletter
  const locale = useLocale()
  const [email, setEmail] = useState('')
  const [invalid, setInvalid] = useState(false)
  const subscribe = useMutation({ mutationFn: () => api.newsletter({ email: email.trim(), locale }) })
  const limited = subscribe.error !== null && 'code' in subscribe.error && subscribe.error.code === 'rate_limited'
  const error = invalid ? text.invalid : limited ? text.tooMany : subscribe.isError ? text.failed : undefined

  if (subscribe.isSuccess)
    return (
      <p ref={(thanks) => thanks?.focus()} role="status" tabIndex={-1} className="text-idle">
        {text.thanks}
      </p>
    )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const good = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email.trim()) && email.length <= 254
        setInvalid(!good)
        if (good && !subscribe.isPending) subscribe.mutate()
      }}
    >
      <Field label={text.title} hint={text.use} error={error}>
        <span className="flex gap-2.5">
          <span className="flex-1">
            <TextInput
              type="email"
              name="email"
              autoComplete="email"
              aria-label={text.label}
              placeholder={text.placeholder}
              value={email}
              onChange={setEmail}
            />
          </span>
          <Button type="submit" pending={subscribe.isPending}>
            {text.subscribe}
          </Button>
        </span>
      </Field>
    </form>
  )
}
