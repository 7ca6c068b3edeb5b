import { Suspense } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { useConfig } from '../platform/api/config.ts'
import { lazyPart } from '../platform/loading/lazyPart.ts'
import { ExternalLink } from '../ui/ExternalLink.tsx'
import { AfterFirstInteraction } from './AfterFirstInteraction.tsx'
import { appMessages } from './messages.ts'

const Newsletter = lazyPart(() => import('./Newsletter.tsx').then((module) => module.Newsletter))

const GUIDES = ['buyers', 'providers', 'operators', 'api', 'help'] as const
const PAGES = { buyers: 'buyers', providers: 'providers', operators: 'operators', api: 'api', help: 'errors' }

/**
 * The project's guides are always linked; contact and social links come from the installation's settings, and are left out where it has none.
 */
export function Footer() {
  const text = useMessages(appMessages)
  const config = useConfig()
  return (
    <footer className="no-print mt-14 border-t border-line">
      <div className="wrap-wide flex flex-wrap items-start justify-between gap-x-10 gap-y-8 py-10">
        <div className="min-h-28 w-96 max-w-full">
          <AfterFirstInteraction holder={null}>
            <Suspense fallback={null}>
              <Newsletter />
            </Suspense>
          </AfterFirstInteraction>
        </div>
        <nav aria-label={text.footer.guides} className="w-52">
          <p className="font-medium">{text.footer.guides}</p>
          <ul className="mt-1.5 flex flex-col text-ink-2">
            {GUIDES.map((guide) => (
              <li key={guide}>
                <a href={`${text.footer.guidesAt}${PAGES[guide]}/`} className="inline-flex py-1 hover:text-ink">
                  {text.footer[guide]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex flex-col gap-2 text-ink-2">
          {config !== undefined && config.contact !== null && (
            <p>
              <Contact address={config.contact} />
            </p>
          )}
          {config !== undefined && config.social.length > 0 && (
            <ul aria-label={text.footer.social} className="flex flex-wrap gap-4">
              {config.social.map((link) => (
                <li key={link.url}>
                  <ExternalLink to={link.url}>{link.name}</ExternalLink>
                </li>
              ))}
            </ul>
          )}
          <p className="max-w-note text-xs text-ink-3">{text.footer.line}</p>
          {config !== undefined && <p className="num text-xs text-ink-3">{text.footer.version(config.version)}</p>}
        </div>
      </div>
    </footer>
  )
}

function Contact({ address }: { address: string }) {
  const text = useMessages(appMessages)
  return (
    <>
      {text.footer.contact}:{' '}
      <a href={address.includes('@') ? `mailto:${address}` : address} className="underline underline-offset-4">
        {address}
      </a>
    </>
  )
}
