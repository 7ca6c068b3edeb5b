import { useQuery } from '@tanstack/react-query'
import { presetsQuery } from '../../entities/order/queries.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { rackQuery } from './homeQueries.ts'
import { homeMessages } from './messages.ts'

/** As many as fit in two lines beside the rack, with the image of one's own. */
const MAX_SHOWN = 5

/** The other way in: by what is to run and a machine runs now. Each leads to the idle machines that take it, and from there on it goes along to the purchase. */
export function AppLinks() {
  const text = useMessages(homeMessages).run
  const { data } = useQuery(presetsQuery)
  const runs = useQuery(rackQuery).data?.runs
  return (
    <nav aria-label={text.label} className="flex min-h-36 flex-wrap items-center gap-2 max-sm:content-start sm:min-h-18">
      <span className="text-ink-2 max-sm:w-full">{text.title}</span>
      {data
        ?.filter(({ name }) => runs?.includes(name))
        .slice(0, MAX_SHOWN)
        .map(({ name, title }) => (
          <ButtonLink key={name} size="sm" to={`/nodelist?runs=${name}&idle=true&online=true`}>
            {title}
          </ButtonLink>
        ))}
      <ButtonLink size="sm" to="/nodelist?takes=own_images&idle=true&online=true">
        {text.own}
      </ButtonLink>
    </nav>
  )
}
