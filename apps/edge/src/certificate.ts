import 'reflect-metadata'
import { createHash, webcrypto, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PemConverter, X509CertificateGenerator } from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const YEARS = 30

export interface ControlCertificate {
  key: string
  cert: string
  /** SHA-256 of the certificate, in hex: agents accept no other. */
  fingerprint: string
}

/** The certificate of the control port, made at the first start. Nobody signs it: agents are configured with its fingerprint. */
export async function loadCertificate(folder: string, name: string): Promise<ControlCertificate> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'control.pem')
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    pem = await makeCertificate(name)
    writeFileSync(`${file}.new`, pem, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  const fingerprint = createHash('sha256').update(new X509Certificate(pem).raw).digest('hex')
  return { key: pem, cert: pem, fingerprint }
}

/** Key and certificate in one text. */
async function makeCertificate(name: string): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const notBefore = new Date()
  const notAfter = new Date(notBefore.getTime() + YEARS * 365 * 86_400_000)
  const made = await X509CertificateGenerator.createSelfSigned(
    { name: [{ CN: [name.slice(0, 64)] }], keys, signingAlgorithm: ALGORITHM, notBefore, notAfter },
    webcrypto,
  )
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return `${PemConverter.encode(key, 'PRIVATE KEY')}\n${made.toString('pem')}\n`
}
