import { setLocale, useLocale } from '../i18n/locale.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { buttonClass } from '../ui/buttonClass.ts'
import { appMessages } from './messages.ts'

export function LanguageSwitch() {
  const text = useMessages(appMessages)
  const locale = useLocale()
  return (
    <button
      type="button"
      aria-label={text.language}
      title={text.language}
      onClick={() => void setLocale(locale === 'en' ? 'zh' : 'en')}
      className={buttonClass('quiet', 'md')}
    >
      {locale === 'en' ? 'EN' : '中文'}
    </button>
  )
}
