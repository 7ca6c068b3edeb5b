import { setLocale, useLocale } from '../i18n/locale.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { buttonClass } from '../ui/buttonClass.ts'
import { toast } from '../ui/toastStore.ts'
import { appMessages } from './messages.ts'

export function LanguageSwitch() {
  const text = useMessages(appMessages)
  const locale = useLocale()
  return (
    <button
      type="button"
      aria-label={text.language}
      title={text.language}
      onClick={() =>
        setLocale(locale === 'en' ? 'zh' : 'en').catch(() =>
          toast({ tone: 'bad', title: text.languageFailed.title, text: text.languageFailed.text }),
        )
      }
      className={buttonClass('quiet', 'md')}
    >
      {locale === 'en' ? 'EN' : '中文'}
    </button>
  )
}
