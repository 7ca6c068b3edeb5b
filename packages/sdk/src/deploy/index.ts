export { sealDeployText } from './sealDeployText.ts'
