import { useMessages } from '../../i18n/useMessages.ts'
import { Section } from '../../ui/Section.tsx'
import { homeMessages } from './messages.ts'

const FIGURES = {
  second: 'M2 34h92M2 34L94 6M30 34V26M60 34V16',
  pledge: 'M28 3l26 10v12c0 8-12 12-26 13C14 37 2 33 2 25V13zM18 20l7 7 13-13',
  signed: 'M2 28c10-18 16-18 18-4s8 8 12-2 8-12 12 0 10 8 44 2',
  fast: 'M2 6h88v28H2zM12 14l8 6-8 6M27 26h14',
  record: 'M2 3h56v34l-7-4-7 4-7-4-7 4-7-4-7 4-7-4-7 4zM13 13h34M13 22h22',
  exit: 'M40 4H2v32h38M24 20h60M72 9l12 11-12 11',
} as const

/** Six things that hold for every order. */
export function Features() {
  const text = useMessages(homeMessages).features
  return (
    <Section large title={text.title}>
      <div className="grid gap-px border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {(Object.keys(FIGURES) as (keyof typeof FIGURES)[]).map((key) => (
          <div key={key} className="bg-paper px-5 py-5">
            <svg
              aria-hidden="true"
              viewBox="0 0 96 40"
              fill="none"
              strokeWidth="1.4"
              strokeLinecap="round"
              strokeLinejoin="round"
              className="mb-4 h-10 w-24 stroke-ink"
            >
              <path d={FIGURES[key]} />
            </svg>
            <h3 className="text-base">{text[key].title}</h3>
            <p className="mt-1.5 max-w-note text-ink-2">{text[key].text}</p>
          </div>
        ))}
      </div>
    </Section>
  )
}
