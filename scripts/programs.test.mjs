import { expect, test } from 'vitest';

import { describeMissing, planInstall } from './programs.mjs';

const CHROMIUM = { path: '/c', packageName: 'chromium', isInstalledLocally: true };
const POSTGRES = { path: '/p', packageName: 'postgresql-15' };
const CEPH = { path: '/r', packageName: 'radosgw' };
const ALL = [CHROMIUM, POSTGRES, CEPH];
const isThere = (path) => path !== POSTGRES.path;
const NAMES = ['chromium', 'postgresql-15', 'radosgw'];

test.each([
  {
    title: 'on a root shell: chromium is installed, the others are named',
    machine: { isCi: false, canInstall: true },
    plan: { toInstall: ['chromium'], toName: ['postgresql-15', 'radosgw'] },
  },
  {
    title: 'on a user’s shell: all are named, none is installed',
    machine: { isCi: false, canInstall: false },
    plan: { toInstall: [], toName: NAMES },
  },
  {
    title: 'in CI as root: all are installed',
    machine: { isCi: true, canInstall: true },
    plan: { toInstall: NAMES, toName: [] },
  },
  {
    title: 'in CI without root: all are named',
    machine: { isCi: true, canInstall: false },
    plan: { toInstall: [], toName: NAMES },
  },
])('missing programs: $title', ({ machine, plan }) => {
  expect(planInstall(ALL, { isThere: () => false, ...machine })).toEqual(plan);
});

test('missing programs: what is there is neither installed nor named', () => {
  expect(planInstall(ALL, { isThere, isCi: false, canInstall: true })).toEqual({
    toInstall: [],
    toName: ['postgresql-15'],
  });
  expect(planInstall(ALL, { isThere, isCi: true, canInstall: true })).toEqual({
    toInstall: ['postgresql-15'],
    toName: [],
  });
});

test('missing programs: one command installs all of them, with sudo where the user is not root', () => {
  expect(describeMissing(NAMES, { isRoot: true })).toBe(
    'Missing: chromium, postgresql-15, radosgw. The tests that need them are skipped.\n' +
      'Install them with: apt-get install -y --no-install-recommends chromium postgresql-15 radosgw\n',
  );
  expect(describeMissing(['chromium'], { isRoot: false })).toContain(
    'Install them with: sudo apt-get install -y --no-install-recommends chromium\n',
  );
});
