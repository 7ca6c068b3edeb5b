import { fillText } from '../../i18n/fillText.tsx'
import { useMessages } from '../../i18n/useMessages.ts'
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts'
import { AppLinks } from './AppLinks.tsx'
import { Features } from './Features.tsx'
import { HowItWorks } from './HowItWorks.tsx'
import { LiveFigures } from './LiveFigures.tsx'
import { LiveRack } from './LiveRack.tsx'
import { homeMessages } from './messages.ts'
import { Prices } from './Prices.tsx'
import { ProvideCall } from './ProvideCall.tsx'
import { WishSearch } from './WishSearch.tsx'

/** `/` and `/home`: the market itself, how to get into it, and what it promises. */
export function HomeScreen() {
  const text = useMessages(homeMessages)
  useDocumentTitle(text.title)
  return (
    <div className="wrap flex flex-col gap-18 pt-10 pb-7 lg:pt-16">
      <div className="cols-hero">
        <div className="flex flex-col gap-8">
          <div className="flex flex-col gap-5">
            <h1 className="text-hero-small tracking-hero sm:text-hero">{fillText(text.headline, { break: <br /> })}</h1>
            <p className="max-w-form text-lg text-ink-2">{text.lead}</p>
          </div>
          <div className="flex flex-col gap-3">
            <WishSearch />
            <AppLinks />
          </div>
          <LiveFigures />
        </div>
        <LiveRack />
      </div>
      <Prices />
      <HowItWorks />
      <Features />
      <ProvideCall />
    </div>
  )
}
