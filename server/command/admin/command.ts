import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';

import { Command } from 'commander';
import type { Logger } from 'pino';

import { Unavailable } from '#server/adapter/database/database.ts';
import { ApiError } from '#server/error.ts';
import { openLog, openLogOutput } from '#server/http/log/log.ts';
import { setPrivateUmask } from '#server/adapter/data/private-files.ts';
import { readSettings } from '#server/settings/settings.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StartError } from '#server/start-error.ts';
import { VERSION } from '#server/version.ts';

import { COMMANDS } from './commands.ts';
import { withAdminContext } from './connect.ts';
import { AdminError } from './context.ts';
import { diagnose } from './doctor.ts';
import { failed } from './finding.ts';
import type { Finding } from './finding.ts';
import { formatResult } from './format.ts';
import { json } from './parameter.ts';

/** The file descriptor of the log: standard output has only the result. */
const STANDARD_ERROR = 2;

const program = new Command('admin')
  .description('Operates a Tessera, also while it runs. Needs the settings of the service.')
  .version(VERSION)
  .showHelpAfterError('(add --help for all commands)');

program
  .command('doctor')
  .description('check the settings and what the service needs; exits with 1 if a check failed')
  .option(json.flags, json.help)
  .action(async (options: { readonly json?: true }) => {
    const findings = await examine();
    const lines = findings.map(({ check, state, detail }) => `${state} ${check}: ${detail}`);
    print(options.json ? findings : lines, options.json);
    if (findings.some(({ state }) => state === 'failed')) process.exitCode = 1;
  });

for (const name of Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]) addCommand(name);

function addCommand(name: keyof typeof COMMANDS): void {
  const { help, parameters, execute } = COMMANDS[name];
  const command = program.command(name).description(help);
  const argumentKeys: string[] = [];
  for (const [key, { flags, help: text = '', isRequired, fallback }] of Object.entries(
    parameters,
  )) {
    if (!flags.startsWith('-')) {
      argumentKeys.push(key);
      command.argument(flags, text);
    } else if (isRequired) command.requiredOption(flags, text);
    else command.option(flags, text, fallback);
  }
  command.action(async () => {
    const values: Record<string, unknown> = command.opts();
    for (const [index, key] of argumentKeys.entries()) values[key] = command.args[index];
    const settings = readSettings(process.env);
    const log = openCommandLog(settings);
    const confirm = (question: string) => confirmUnless(values['yes'] === true, question);
    const options = { settings, log, actor: operatorName(), confirm };
    const { result, isFailed } = await withAdminContext(options, (context) =>
      execute(context, values),
    );
    print(result, values['json'] === true);
    if (isFailed) process.exitCode = 1;
  });
}

async function examine(): Promise<readonly Finding[]> {
  try {
    const settings = readSettings(process.env);
    return await diagnose(settings, openCommandLog(settings));
  } catch (error) {
    if (error instanceof StartError) return [{ check: 'settings', ...failed(error.message) }];
    throw error;
  }
}

function openCommandLog({ logLevel, nodeName }: Settings): Logger {
  return openLog(logLevel, nodeName, openLogOutput(STANDARD_ERROR)).log;
}

function print(result: unknown, asJson = false): void {
  process.stdout.write(`${asJson ? JSON.stringify(result, null, 2) : formatResult(result)}\n`);
}

function operatorName(): string {
  const { SUDO_USER, USER } = process.env;
  if (SUDO_USER || USER) return SUDO_USER || USER || '';
  try {
    return userInfo().username;
  } catch {
    // In a container the id of the user may have no name.
    return `uid ${process.getuid?.() ?? ''}`;
  }
}

/** Throws AdminError unless the operator types yes. */
async function confirmUnless(isConfirmed: boolean, question: string): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY)
    throw new AdminError('Add --yes: nobody can confirm without a terminal.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} Type yes: `);
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new AdminError('Nothing was changed.');
}

try {
  setPrivateUmask();
  await program.parseAsync();
} catch (error) {
  const isForOperator =
    error instanceof AdminError ||
    error instanceof StartError ||
    error instanceof ApiError ||
    error instanceof Unavailable;
  process.stderr.write(`${isForOperator ? error.message : `It failed. ${String(error)}`}\n`);
  process.exitCode = 1;
}
