import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { DIST } from './server.ts';

export interface AdminOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function runAdmin(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<AdminOutput> {
  const env = { PATH: process.env['PATH'] ?? '', USER: 'asha', ...environment };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(DIST, 'admin.js'), ...args],
      { env },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code);
        resolve({ code, stdout, stderr });
      },
    );
  });
}
