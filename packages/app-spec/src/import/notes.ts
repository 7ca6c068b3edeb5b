/** Parts that were understood but have no effect here, or always apply. The screens have a text for each. */
export const APP_NOTES = [
  'always_restarted',
  'runs_once',
  'machine_decides',
  'no_effect',
  'outside_port',
  'closed_port',
  'name_ports',
  'walls',
  'writable',
  'not_granted',
  'became_secret',
  'name_registry',
  'probe_ignored',
  'one_disk',
  'empty_folder',
  'file_not_read',
  'one_copy',
  'not_run',
  'not_built',
] as const
export type AppNoteCode = (typeof APP_NOTES)[number]
