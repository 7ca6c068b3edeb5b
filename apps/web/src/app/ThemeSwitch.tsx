import { Monitor, Moon, Sun } from 'lucide-react'
import { useMessages } from '../i18n/useMessages.ts'
import { setThemeChoice, useThemeChoice } from '../platform/browser/theme.ts'
import { buttonClass } from '../ui/buttonClass.ts'
import { appMessages } from './messages.ts'

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const

export function ThemeSwitch() {
  const text = useMessages(appMessages)
  const choice = useThemeChoice()
  const Icon = ICONS[choice]
  return (
    <button
      type="button"
      aria-label={text.theme[choice]}
      title={text.theme[choice]}
      onClick={() => setThemeChoice(NEXT[choice])}
      className={buttonClass('quiet', 'md')}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  )
}
