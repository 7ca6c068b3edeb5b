export { formatAppYaml } from './formatAppYaml.ts'
export { APP_NOTES, type AppDraft, type AppNote, type AppNoteCode, type Pasted, type PastedKind } from './Reading.ts'
export { readPasted } from './readPasted.ts'
export { shellLine, shellWords } from './shellWords.ts'
