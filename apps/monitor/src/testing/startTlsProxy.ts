import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is missing here to start one; undefined if nothing is. */
export const whyNoTlsProxy = ['nginx', 'openssl'].find((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)

/** nginx in front of a port of this machine, as the guide for providers wants it: with TLS, and appending the visitor to X-Forwarded-For. */
export async function startTlsProxy(port: number, behind: number) {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-proxy-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=provider.example', '-days', '1', '-nodes', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...subject], {
    stdio: 'ignore',
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http { access_log off; ${temporary.join(' ')}
      server { listen 127.0.0.1:${port} ssl; ssl_certificate ${certificate}; ssl_certificate_key ${key};
        location / { proxy_pass http://127.0.0.1:${behind}; proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; } } }`,
  )
  const errors = join(folder, 'error.log')
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', errors, '-g', 'daemon off;'], { stdio: 'inherit' })
  const ended = new Promise((resolve) => nginx.once('exit', resolve))
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })
  while (nginx.exitCode === null && !(await isListening())) await sleep(20)
  return {
    async stop() {
      nginx.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
