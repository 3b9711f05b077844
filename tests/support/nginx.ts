import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { newFolder } from './folder.ts';
import { withWorker } from './with-worker.ts';

/** Writes a main configuration of nginx around a file of /etc/nginx/conf.d/. Returns its path. */
export function writeNginxFile(folder: string, site: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  const global = `daemon off;\nuser root;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}`;
  writeFileSync(file, `${global}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}\n`);
  return file;
}

/** Runs nginx until the end of the test. Returns a function that reloads it with another site. */
export function runNginx(program: string, site: string): (site: string) => void {
  const folder = newFolder();
  const file = writeNginxFile(folder, site);
  const command = [program, '-e', join(folder, 'error.log'), '-c', file];
  const nginx = spawn(...withWorker(command, 'TERM'), { stdio: 'ignore' });
  onTestFinished(async () => {
    nginx.kill('SIGTERM');
    if (nginx.exitCode === null) await once(nginx, 'exit');
  });
  return (changed) => {
    writeNginxFile(folder, changed);
    nginx.kill('SIGHUP');
  };
}
