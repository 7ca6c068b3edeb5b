import type { AppProblemCode } from '../../AppSpec.ts'
import type { AppNoteCode } from '../notes.ts'

/** What is to be said of a field behind its name: why it is refused and what to do, or what becomes of it. */
export const appSentences = {
  problems: {
    unsupported: 'is not supported here. Remove it if the application runs without it.',
    invalid: 'is not written in a form that can be read. Compare it with the documentation of its format.',
    missing: 'is missing. Add it.',
    duplicate: 'is given twice. Keep one.',
    too_many:
      'are more than allowed: 16 ports of which one is HTTP, 8 volumes, 32 files, 200 variables, 64 words, 64 documents. Remove some.',
    too_large:
      'is too large: at most 64 KiB in all, 32 KiB of variables, 32 KiB of files, 4,096 characters a word, 64 levels of nesting. Shorten it.',
    host_path: 'names a path of the host, such as its engine or its devices, which no application gets. Remove it.',
    host_file: 'is a single file that the order does not have. Give its text.',
    other_file: 'stands somewhere else, which is not read. Put what is in there into this file, values as variables.',
    needs_image: 'is built on your machine. Push the image to a registry and name it.',
    no_privilege:
      'is not granted here: it would break the isolation between orders. Remove it if the application runs without it; ports of the host’s network are named as ports.',
    no_value: 'has no value. Write one in its place.',
    bad_variable: 'has a $ that starts no variable. Write $$ for a dollar sign.',
    no_shell: 'needs a shell, and none runs here. Start one yourself: sh -c "…".',
    circular: 'has services that wait for each other, so that none can be the first. Let one of them start without waiting.',
    no_command: 'takes the image’s entry point away and leaves nothing to start. Name a command.',
    syntax: 'could be read in more than one way, or not at all. Write it as one plain file or command of its kind.',
    one_service:
      'is more than the one container that an order runs. Keep the service that you want here, and deploy each other one on an order of its own.',
  } satisfies Record<AppProblemCode, string>,
  notes: {
    always_restarted: 'always applies here: an application that ends is restarted.',
    runs_once: 'always applies here: a job runs once, and how it ended stays readable.',
    machine_decides: 'is what the order bought: all of the machine’s part.',
    no_effect: 'has no effect here.',
    outside_port: 'is assigned by the provider at the start.',
    closed_port: 'stays closed, as it is not meant for everybody. Reach it with ssh -L, or add the port to open it.',
    name_ports: 'opens the ports that the image names. Add those that are to be open.',
    walls: 'always applies here.',
    writable: 'can be written here: it lies on the order’s own disk.',
    not_granted: 'is not granted here; most applications run without it.',
    became_secret: 'becomes a secret: give its whole value when you deploy.',
    name_registry: 'is not read. For a private image, give the user name and the password of its registry.',
    probe_ignored: 'is replaced by the provider’s own check of the port.',
    one_disk: 'lies on the order’s disk.',
    empty_folder: 'begins with what the image has there, without the files of your machine. Bring them after the start.',
    file_not_read: 'was not given. Paste it, or give its values as variables.',
    file_signed: 'is a file whose text is part of what you sign. The application can read it and not change it.',
    files_beside: 'lies beside what the image has in that folder.',
    values_sealed: 'travels sealed: only the machine of your order can open it.',
    one_copy: 'is one here: an order runs one copy.',
    not_run: 'is not run here.',
    not_built: 'is not built here: the image of this name is fetched from its registry.',
  } satisfies Record<AppNoteCode, string>,
}
