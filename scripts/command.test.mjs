import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';

import { createFakeProject } from '#tests/support/fake-project.ts';

const NO_BUILD = 'There is no build in dist/. Run: npm ci && npm run build\n';
const OLD_BUILD = 'dist/ is older than the sources. To build it again: npm run build\n';

let project;
beforeEach(() => {
  project = createFakeProject();
});

const runScript = (file, ...args) => project.run(process.execPath, `scripts/${file}.mjs`, ...args);

describe.each(['backup', 'restore', 'move-data', 'admin'])('npm run %s', (name) => {
  const runCommand = () => runScript('command', name, '--keep', '14');
  const output = name === 'admin' ? 'admin --keep 14\n' : `command ${name} --keep 14\n`;

  test('without a build says what to run, and writes nothing', async () => {
    const files = project.listFiles();
    expect(await runCommand()).toEqual({ code: 1, output: '', errors: NO_BUILD });
    expect(project.listFiles()).toEqual(files);
  });

  test('without packages, and after a change of the sources, runs the build and writes nothing', async () => {
    await runScript('build');
    project.writeManifests({ 'node_modules/part': { version: '1.0.0' } });
    const files = project.listFiles();
    expect(await runCommand()).toEqual({ code: 3, output, errors: OLD_BUILD });
    expect(project.listFiles()).toEqual(files);
  });

  test('says nothing of its own after a build, or without sources', async () => {
    await runScript('build');
    expect(await runCommand()).toEqual({ code: 3, output, errors: '' });
    rmSync(join(project.folder, 'server'), { recursive: true });
    expect(await runCommand()).toEqual({ code: 3, output, errors: '' });
  });
});
