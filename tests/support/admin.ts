import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { DIST } from './server.ts';

export function runAdmin(environment: Readonly<Record<string, string>>, ...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', USER: 'asha', ...environment };
  const program = [join(DIST, 'admin.js'), ...args];
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, program, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}
