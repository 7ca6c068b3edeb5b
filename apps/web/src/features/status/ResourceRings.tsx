import { useGlobal } from '../../entities/network/useGlobal.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Ring } from '../../ui/Ring.tsx'
import { statusMessages } from './messages.ts'
import { RESOURCES, resourceShares } from './resourceShares.ts'
import { useResourceText } from './useResourceText.ts'

/** The four resources of the network in one line, for the head of the node list. Not drawn from sample figures. */
export function ResourceRings() {
  const text = useMessages(statusMessages)
  const format = useFormat()
  const write = useResourceText()
  const { totals, sample } = useGlobal()
  const shares = totals && !sample ? resourceShares(totals) : undefined
  return (
    <ul
      aria-label={text.network}
      className="flex w-full flex-wrap gap-px overflow-hidden rounded-lg border border-line bg-line lg:min-w-dialog-wide"
    >
      {RESOURCES.map((resource, index) => {
        const figures = shares?.[index]
        return (
          <li
            key={resource}
            className="flex min-w-max flex-1 basis-36 items-center gap-2 bg-raised px-2.5 py-3 sm:gap-3.5 sm:px-4"
          >
            <Ring share={figures?.share ?? 0} />
            <div className="flex flex-col text-xs text-ink-3">
              <span className="flex h-5 items-center gap-1.5 text-sm font-semibold whitespace-nowrap text-ink">
                {text[resource]}
                {figures?.share !== undefined && <span className="num leading-none">{format.percent(figures.share)}</span>}
              </span>
              {figures && figures.share === undefined ? (
                <span className="min-h-9">{text.none}</span>
              ) : (
                <>
                  <span className="whitespace-nowrap sm:num">{figures ? text.used(write(resource, figures.used)) : '–'}</span>
                  <span className="whitespace-nowrap sm:num">{figures ? text.idling(write(resource, figures.idle)) : '–'}</span>
                </>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
