import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRegistry } from './startRegistry.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/**
 * Installs what users install, by the commands of the guide as they stand: in a copy of the checkout that has packed nothing before, with
 * npm's folder of programs below `folder`, and a registry that serves what is installed here. Returns the folder of programs, and a project
 * of a third party with the packages.
 */
export async function installPacked(folder: string, commands: readonly string[], extra: readonly string[] = []) {
  const checkout = join(folder, 'checkout')
  const project = join(folder, 'project')
  for (const made of [checkout, project]) mkdirSync(made)
  await shell(COPY, ROOT, { ...process.env, TO: checkout })
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))
  const registry = await startRegistry(ROOT)
  const env = {
    ...process.env,
    ...{ npm_config_prefix: join(folder, 'npm'), npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache') },
    ...{ npm_config_audit: 'false', npm_config_fund: 'false' },
  }
  try {
    for (const command of commands) await shell(command, checkout, env)
    await shell(`npm install ${checkout}/packs/*.tgz ${extra.join(' ')}`, project, env)
  } finally {
    registry.close()
  }
  return { project, bin: join(folder, 'npm', 'bin') }
}

/** The sources as they are, committed or not, with the packages of this checkout. */
const COPY = `
  git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -cf - 2>/dev/null | tar -xf - -C "$TO"
  ls -d {apps,packages}/*/node_modules contracts/node_modules bench/node_modules | tar -T - -cf - | tar -xf - -C "$TO"
  mkdir "$TO/.rackfair"
  ln -s "$PWD/node_modules" "$TO/node_modules"
  ln -s "$PWD/.rackfair/toolchain" "$TO/.rackfair/toolchain"`

async function shell(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn('bash', ['-euc', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${line} ended with ${code}:\n${printed}`)
}
