import { APP_LIMITS } from '@rackfair/app-spec/AppSpec'
import { z } from 'zod'
import { MAX_DEPLOY_TEXT_LENGTH } from './deployText.ts'
import { signatureString } from './scalars.ts'

/**
 * Body of `POST /v1/deployments`: exactly what the wallet signed, the signature, and the preimages of the text's hashes: `sealed` holds the
 * environment values (settings of a preset, or the secret values of an own application) as `envText` writes them, sealed by HPKE to the
 * agent's announced key and to the text, in base64url; `app` is the specification of the renter's own application, as `appText` writes it.
 * Plaintext values are not allowed.
 */
export const deploymentRequest = z.strictObject({
  text: z.string().min(1).max(MAX_DEPLOY_TEXT_LENGTH),
  signature: signatureString,
  sealed: z
    .string()
    .regex(/^[0-9A-Za-z_-]{64,}$/)
    .max(APP_LIMITS.sealedLength)
    .optional(),
  app: z.string().min(2).max(APP_LIMITS.bytes).optional(),
})
export type DeploymentRequest = z.infer<typeof deploymentRequest>
