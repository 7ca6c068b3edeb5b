import { tokens } from '../../styles/tokens.ts'
import { Card } from '../../ui/Card.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Section } from '../../ui/Section.tsx'

const SIZES = ['text-xs', 'text-sm', 'text-base', 'text-lg', 'text-xl', 'text-2xl', 'text-hero-small', 'text-hero'] as const

export function Foundations() {
  return (
    <Section title="Colours, type, spacing">
      <div className="cols-cards-small">
        {Object.keys(tokens.colors.light).map((name) => (
          <div key={name} className="flex items-center gap-3">
            <span className="size-9 shrink-0 rounded-md border border-line-2" style={{ background: `var(--${name})` }} />
            <span className="num text-xs">{name}</span>
          </div>
        ))}
      </div>
      <Card title="Logo">
        <Logo />
      </Card>
      <Card title="Type">
        {SIZES.map((size) => (
          <p key={size} className={`truncate tracking-tight ${size}`}>
            Rent the machine <span className="num">$1,204.50</span>
          </p>
        ))}
      </Card>
      <Card title="Spacing">
        <div className="flex flex-wrap items-end gap-2">
          {tokens.spacing
            .filter((step) => step > 0 && step <= 24)
            .map((step) => (
              <span key={step} className="flex flex-col items-center gap-1">
                <span className="bg-accent" style={{ width: `${step / 4}rem`, height: `${step / 4}rem` }} />
                <span className="num text-xs text-ink-3">{step}</span>
              </span>
            ))}
        </div>
      </Card>
    </Section>
  )
}
