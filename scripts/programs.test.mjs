import { expect, test } from 'vitest';

import { describeMissing, planInstall } from './programs.mjs';

const CHROMIUM = { path: '/c', packageName: 'chromium', isInstalledLocally: true };
const POSTGRES = { path: '/p', packageName: 'postgresql-15' };
const CEPH = { path: '/r', packageName: 'radosgw' };
const ALL = [CHROMIUM, POSTGRES, CEPH];
const isPresent = (path) => path !== POSTGRES.path;
const NAMES = ['chromium', 'postgresql-15', 'radosgw'];

test.each([
  {
    title: 'in a shell of root: chromium is installed, the others are reported',
    machine: { isCi: false, canInstall: true },
    plan: { toInstall: ['chromium'], toReport: ['postgresql-15', 'radosgw'] },
  },
  {
    title: 'in a shell of another user: all are reported, none is installed',
    machine: { isCi: false, canInstall: false },
    plan: { toInstall: [], toReport: NAMES },
  },
  {
    title: 'in CI as root: all are installed',
    machine: { isCi: true, canInstall: true },
    plan: { toInstall: NAMES, toReport: [] },
  },
  {
    title: 'in CI without root: all are reported',
    machine: { isCi: true, canInstall: false },
    plan: { toInstall: [], toReport: NAMES },
  },
])('missing programs: $title', ({ machine, plan }) => {
  expect(planInstall(ALL, { isPresent: () => false, ...machine })).toEqual(plan);
});

test('missing programs: a present program is neither installed nor reported', () => {
  expect(planInstall(ALL, { isPresent, isCi: false, canInstall: true })).toEqual({
    toInstall: [],
    toReport: ['postgresql-15'],
  });
  expect(planInstall(ALL, { isPresent, isCi: true, canInstall: true })).toEqual({
    toInstall: ['postgresql-15'],
    toReport: [],
  });
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
