import { writeFileSync } from 'node:fs'
import { themeCss } from './themeCss.ts'

writeFileSync(new URL('./theme.css', import.meta.url), themeCss())
