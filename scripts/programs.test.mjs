import { expect, test } from 'vitest';

import { describeMissing, programsToInstall } from './programs.mjs';

const CHROMIUM = { path: '/c', packageName: 'chromium', isInstalledLocally: true };
const POSTGRES = { path: '/p', packageName: 'postgresql-15' };
const CEPH = { path: '/r', packageName: 'radosgw' };
const ALL = [CHROMIUM, POSTGRES, CEPH];
const NAMES = ['chromium', 'postgresql-15', 'radosgw'];

test.each([
  ['a shell of root: chromium is installed', {}, [CHROMIUM]],
  ['a shell of another user: none is installed', { canInstall: false }, []],
  ['CI as root: all are installed', { isCi: true }, ALL],
  ['CI without root: none is installed', { isCi: true, canInstall: false }, []],
])('missing programs: in %s', (_, machine, toInstall) => {
  const common = { isCi: false, canInstall: true, ...machine };
  expect(programsToInstall(ALL, common)).toEqual(toInstall);
});

test('missing programs: the reported command installs all of them, with sudo if the user is not root', () => {
  expect(describeMissing(NAMES, { isRoot: true })).toBe(
    'Missing: chromium, postgresql-15, radosgw. The tests that need them are skipped.\n' +
      'Install them with: apt-get install -y --no-install-recommends chromium postgresql-15 radosgw\n',
  );
  expect(describeMissing(['chromium'], { isRoot: false })).toContain(
    'Install them with: sudo apt-get install -y --no-install-recommends chromium\n',
  );
});
