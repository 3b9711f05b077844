import { Command } from 'commander';

import { VERSION } from '#server/version.ts';

import { COMMANDS } from './commands.ts';
import type { AdminContext, Options } from './context.ts';
import { resolveAddress } from './store.ts';

type RunCommand = (
  work: (context: AdminContext) => Promise<unknown>,
  options: Pick<Options, 'json' | 'yes'>,
) => Promise<void>;

export function createProgram(runCommand: RunCommand): Command {
  const program = new Command('admin')
    .description(
      'Manage the users and cards of a Tessera, while it runs or is stopped. Run the commands with the settings of the service. An <id> is the id of a user or a link to the card. You can type a <phone> in any spelling.',
    )
    .version(VERSION)
    .addHelpText('afterAll', `\nTessera ${VERSION}`)
    .showHelpAfterError('Add --help to list all commands and options.');
  for (const { usage, help, options = [], run } of COMMANDS) {
    const command = program.command(usage).description(help);
    for (const option of options) command.addOption(option);
    command.action(() => {
      const values = { reason: '', ...command.opts<Partial<Options>>() };
      const runWithIds = async (context: AdminContext) => {
        const toId = (argument: string) => resolveAddress(context.database, argument);
        const args = usage.includes('<id')
          ? await Promise.all(command.args.map(toId))
          : command.args;
        return run(context, args, values);
      };
      return runCommand(runWithIds, values);
    });
  }
  return program;
}
