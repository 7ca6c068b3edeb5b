import { arrive, arriveStyles } from './arrive.ts'

/** The build replaces every `import()` of the app with this (vite/importArrived.ts). `files`: the module and all its imports. */
export async function importArrived<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  const all = files.map((file) => `/${file}`)
  const styles = all.filter((file) => file.endsWith('.css'))
  await Promise.all([arrive(all.filter((file) => !styles.includes(file))), arriveStyles(styles)])
  return load()
}
