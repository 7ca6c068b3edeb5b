import type { Command } from 'commander'
import { CliError, EXIT } from '../exitCodes.ts'
import type { Session } from '../session.ts'

/**
 * A script for shell completion of commands, options and presets. It is static, without calls to this program, so it is as fast as the
 * shell.
 */
export function completion({ output, text }: Session, program: Command, presets: readonly string[], shell: string): void {
  const commands = program.commands
  const wordsOf = (command: Command) => [
    ...command.commands.map((one) => one.name()),
    ...[...command.options, ...program.options].flatMap(({ long }) => (long ? [long] : [])),
    ...(command.name() === 'deploy' ? presets : []),
  ]
  const names = commands.map((one) => one.name())
  const scripts: Record<string, () => string> = {
    bash: () => `_rackfair() {
  local words
  case "\${COMP_WORDS[1]}" in
${commands.map((one) => `    ${one.name()}) words="${wordsOf(one).join(' ')}" ;;`).join('\n')}
    *) words="${names.join(' ')}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${names.join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _rackfair rackfair`,
    zsh: () => `#compdef rackfair
_rackfair() {
  if (( CURRENT == 2 )); then
    compadd ${names.join(' ')}
    return
  fi
  case "$words[2]" in
${commands.map((one) => `    ${one.name()}) compadd -- ${wordsOf(one).join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _rackfair rackfair`,
    fish: () =>
      [
        `complete -c rackfair -n __fish_use_subcommand -f -a '${names.join(' ')}'`,
        ...commands.flatMap((one) =>
          wordsOf(one).map((word) =>
            word.startsWith('--')
              ? `complete -c rackfair -n '__fish_seen_subcommand_from ${one.name()}' -l ${word.slice(2)}`
              : `complete -c rackfair -n '__fish_seen_subcommand_from ${one.name()}' -a ${word}`,
          ),
        ),
      ].join('\n'),
  }
  const write = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (!write) throw new CliError(EXIT.usage, 'bad_request', text.oneOf('bash, zsh, fish'))
  const script = write()
  output.data({ shell, script }, script)
}
