import { useMessages } from '../../i18n/useMessages.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { homeMessages } from './messages.ts'

export function ProvideCall() {
  const text = useMessages(homeMessages).provide
  return (
    <section className="flex flex-wrap items-center justify-between gap-x-10 gap-y-5 rounded-lg border border-line bg-raised px-5 py-6 sm:px-8">
      <div className="max-w-form">
        <h2 className="text-xl tracking-tight">{text.title}</h2>
        <p className="mt-1.5 text-ink-2">{text.text}</p>
      </div>
      <ButtonLink to="/addprovider" size="lg">
        {text.button}
      </ButtonLink>
    </section>
  )
}
