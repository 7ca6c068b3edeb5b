import { useLocale } from '../../i18n/locale.ts'
import { useDarkTheme } from '../../lib/theme.ts'
import { STEP_PICTURES } from './stepPictures.ts'

/** Vite needs the names in place; `stepPictures.ts` has them with their steps. */
const PICTURES = import.meta.glob<string>(
  '../../../../../docs/images/{en,zh}/{light,dark}/{2-nodes,4-purchase,8-running,12-cancel}.webp',
  { query: '?url', import: 'default', eager: true },
)

/** The screen of one step, in the language and the theme of the page. Its title stands beside it. */
export default function StepPicture({ step }: { step: keyof typeof STEP_PICTURES }) {
  const locale = useLocale()
  const theme = useDarkTheme() ? 'dark' : 'light'
  const source = PICTURES[`../../../../../docs/images/${locale}/${theme}/${STEP_PICTURES[step]}.webp`]
  return <img src={source} alt="" width={1280} height={800} loading="lazy" decoding="async" className="size-full object-cover" />
}
