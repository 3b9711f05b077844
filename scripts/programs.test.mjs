import { expect, test } from 'vitest';

import { describeMissing, planInstall } from './programs.mjs';

const CHROMIUM = { path: '/c', packageName: 'chromium', isInstalledLocally: true };
const POSTGRES = { path: '/p', packageName: 'postgresql-15' };
const CEPH = { path: '/r', packageName: 'radosgw' };
const ALL = [CHROMIUM, POSTGRES, CEPH];
const isPresent = (path) => path !== POSTGRES.path;
const NAMES = ['chromium', 'postgresql-15', 'radosgw'];

test.each([
  ['a shell of root: chromium is installed, the others are reported', {}, ['chromium']],
  ['a shell of another user: all are reported, none is installed', { canInstall: false }, []],
  ['CI as root: all are installed', { isCi: true }, NAMES],
  ['CI without root: all are reported', { isCi: true, canInstall: false }, []],
  [
    'CI where two are present: the third is installed',
    { isCi: true, isPresent },
    ['postgresql-15'],
  ],
  ['a shell where two are present: the third is reported', { isPresent }, []],
])('missing programs: in %s', (_, machine, toInstall) => {
  const common = { isCi: false, canInstall: true, isPresent: () => false, ...machine };
  const absent = ALL.filter(({ path }) => !common.isPresent(path));
  const toReport = absent.map((one) => one.packageName).filter((name) => !toInstall.includes(name));
  expect(planInstall(ALL, common)).toEqual({ toInstall, toReport });
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
