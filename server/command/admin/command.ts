import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';

import type { Logger } from 'pino';

import { Unavailable } from '#server/adapter/database/database.ts';
import { ApiError } from '#server/error.ts';
import { openLog, openLogOutput } from '#server/http/log/log.ts';
import { setPrivateUmask } from '#server/adapter/data/private-files.ts';
import { readSettings } from '#server/settings/settings.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StartError } from '#server/start-error.ts';

import { createProgram } from './commands.ts';
import { withAdminContext } from './connect.ts';
import { AdminError } from './context.ts';
import { diagnose } from './doctor.ts';
import { formatResult } from './format.ts';
import { failed } from './site-check.ts';
import type { Finding } from './site-check.ts';

/** The file descriptor of the log: standard output has only the result. */
const STANDARD_ERROR = 2;

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
  .description('check the settings and what the service needs; exits with 1 if a check failed')
  .option('--json', 'print the result as JSON')
  .action(async ({ json }: { readonly json?: true }) => {
    const findings = await examine();
    const lines = findings.map(({ check, state, detail }) => `${state} ${check}: ${detail}`);
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
    // In a container the id of the user may have no name.
    return `uid ${process.getuid?.() ?? ''}`;
  }
}

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
  fail();
}
