import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Certificates of one cluster, valid for two days, and the key pair that signs its service accounts. */
export function makeCertificates(folder: string, addresses: readonly string[]): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = (name: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`)
  const sign = (name: string, subject: string, extensions: string) => {
    key(name)
    writeFileSync(join(folder, `${name}.ext`), extensions)
    openssl('req', '-new', '-key', `${name}.key`, '-subj', subject, '-out', `${name}.csr`)
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'],
      ...['-extfile', `${name}.ext`, '-out', `${name}.crt`],
    )
  }
  key('ca')
  openssl('req', '-x509', '-new', '-key', 'ca.key', '-subj', '/CN=rackfair-test', '-days', '2', '-out', 'ca.crt')
  const names = addresses.map((address) => `IP:${address}`).join(',')
  sign('server', '/CN=kube-apiserver', `extendedKeyUsage=serverAuth\nsubjectAltName=${names}\n`)
  sign('kubelet-client', '/O=system:masters/CN=kube-apiserver', 'extendedKeyUsage=clientAuth\n')
  // The only kind that 1.20 can sign with immediately.
  openssl('genrsa', '-out', 'accounts.key', '2048')
}
