import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';

import type { Logger } from 'pino';

import { Unavailable } from '#server/adapter/database/database.ts';
import { ApiError } from '#server/error.ts';
import { openLog, openLogOutput } from '#server/http/log/log.ts';
import { setPrivateUmask } from '#server/adapter/data/private-files.ts';
import { readSettings } from '#server/settings/settings.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StartError, causeNote } from '#server/start-error.ts';

import { createProgram } from './program.ts';
import { AdminError, withAdminContext } from './context.ts';
import { diagnose } from './doctor.ts';
import { formatResult, labelOf } from './format.ts';
import { failed } from './site-check.ts';
import type { Finding } from './site-check.ts';

/** The log goes to this file descriptor, so that standard output has only the result. */
const STANDARD_ERROR = 2;

const STATES = { ok: 'OK     ', warning: 'Warning', failed: 'Failed ' } as const;
/** Some checks have the name of a setting. */
const SETTING = /^[A-Z_]+$/;

const fail = () => {
  process.exitCode = 1;
};

const program = createProgram(async (work, { json, yes }) => {
  const settings = readSettings(process.env);
  const log = openCommandLog(settings);
  const confirm = (question: string) => confirmUnless(yes === true, question);
  const options = { settings, log, actor: operatorName(), confirm, fail };
  print(await withAdminContext(options, work), json);
});

program
  .command('doctor')
  .description(
    'Check the settings and everything that the service needs. Exit with 1 if a check fails.',
  )
  .option('--json', 'Print the result as JSON.')
  .action(async ({ json }: { readonly json?: true }) => {
    const findings = await examine();
    const lines = findings.map(
      ({ check, state, detail }) =>
        `${STATES[state]} ${SETTING.test(check) ? check : labelOf(check)}: ${detail}`,
    );
    print(json ? findings : lines, json);
    if (findings.some(({ state }) => state === 'failed')) fail();
  });

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

function print(result: unknown, json?: true): void {
  process.stdout.write(`${json ? JSON.stringify(result, null, 2) : formatResult(result)}\n`);
}

function operatorName(): string {
  const { SUDO_USER, USER } = process.env;
  if (SUDO_USER || USER) return SUDO_USER || USER || '';
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have an id without a name.
    return `uid ${process.getuid?.() ?? ''}`;
  }
}

async function confirmUnless(isConfirmed: boolean, question: string): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY)
    throw new AdminError(
      'This command asks for confirmation, which needs a terminal. Add --yes to confirm here.',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} Type yes to continue: `);
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
  const note = error instanceof ApiError || error instanceof Unavailable ? causeNote(error) : '';
  process.stderr.write(
    `${isForOperator ? error.message : `The command failed. ${String(error)}`}${note}\n`,
  );
  fail();
}
