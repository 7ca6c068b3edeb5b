import { arrive, arriveStyles } from './arrive.ts'

/** What every `import()` of the app becomes in the build (vite/importArrived.ts). `files`: the module's own and all that it imports. */
export async function importArrived<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  const all = files.map((file) => `/${file}`)
  const styles = all.filter((file) => file.endsWith('.css'))
  await Promise.all([arrive(all.filter((file) => !styles.includes(file))), arriveStyles(styles)])
  return load()
}
