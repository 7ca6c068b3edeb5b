import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { writePrivate } from './writePrivate.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 3650
const NAME_DAYS = 90
/** NameConstraints (RFC 5280, 4.2.1.10) in DER: names below `localhost`, and no others. Whoever trusts the authority trusts it with nothing else. */
const BELOW_LOCALHOST = Buffer.from('300fa00d300b82096c6f63616c686f7374', 'hex')
const NAME_CONSTRAINTS = '2.5.29.30'
const SERVER = '1.3.6.1.5.5.7.3.1'

/**
 * An authority of this machine alone, for names below `localhost`, which no other issues certificates for. It is made at the first start:
 * `file` holds its certificate, which browsers are told to trust, and beside it, with the ending `.key`, its key.
 */
export function createLocalAuthority(file: string) {
  const loaded = load(file)
  loaded.catch(() => {})
  return {
    /** Key and certificate of the name, in one text. */
    async issue(name: string): Promise<string> {
      const { x509, authority, signingKey } = await loaded
      const keys = await makeKeys()
      const made = await x509.X509CertificateGenerator.create(
        {
          ...{ subject: [{ CN: [name.slice(0, 64)] }], issuer: authority.subject, signingAlgorithm: ALGORITHM },
          ...{ publicKey: keys.publicKey, signingKey, ...validFor(NAME_DAYS) },
          extensions: [
            new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
            new x509.BasicConstraintsExtension(false, undefined, true),
            new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
            new x509.ExtendedKeyUsageExtension([SERVER]),
            await x509.AuthorityKeyIdentifierExtension.create(authority, false, crypto),
          ],
        },
        crypto,
      )
      return `${await pemOf(x509, keys)}\n${made.toString('pem')}\n`
    },
    /** It asks nobody. */
    challengeOf: () => undefined,
    proofOf: () => undefined,
  }
}

async function load(file: string) {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const keyFile = `${file.replace(/\.pem$/, '')}.key`
  if (!existsSync(file)) {
    const keys = await makeKeys()
    const made = await x509.X509CertificateGenerator.createSelfSigned(
      {
        ...{
          name: [{ CN: [`Rackfair on ${hostname()}`.slice(0, 64)] }],
          keys,
          signingAlgorithm: ALGORITHM,
          ...validFor(AUTHORITY_DAYS),
        },
        extensions: [
          new x509.BasicConstraintsExtension(true, 0, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
          new x509.Extension(NAME_CONSTRAINTS, true, BELOW_LOCALHOST),
          await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
        ],
      },
      crypto,
    )
    // The certificate last: with it the authority is whole.
    writePrivate(keyFile, await pemOf(x509, keys))
    writePrivate(file, `${made.toString('pem')}\n`)
  }
  const der = x509.PemConverter.decodeFirst(readFileSync(keyFile, 'utf8'))
  const signingKey = await crypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign'])
  return { x509, authority: new x509.X509Certificate(readFileSync(file, 'utf8')), signingKey }
}

const makeKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const pemOf = async (
  { PemConverter }: typeof import('@peculiar/x509'),
  { privateKey }: Awaited<ReturnType<typeof makeKeys>>,
): Promise<string> => PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')

/** From a little before now, as clocks of visitors may be behind. */
const validFor = (days: number) => ({
  notBefore: new Date(Date.now() - 3_600_000),
  notAfter: new Date(Date.now() + days * DAY_MS),
})
