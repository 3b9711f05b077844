import { beforeEach, expect, test } from 'vitest';

import type { Database, Statement } from '#server/adapter/database/database.ts';

import { buildTestApp, useOwner } from './support/app.ts';
import type { TestApp } from './support/app.ts';
import { onEachDatabase } from './support/database.ts';
import { readProject } from './support/project.ts';
import type { ProjectFile } from './support/project.ts';
import { toSql } from './support/statement.ts';

/** A collection that is created empty or with options, so that it can grow. */
const COLLECTION =
  /(?<name>#?\w+)(?:: [\w<>, [\]|]+)? = new (?<kind>Map|Set|LRUCache)(?:<.*?>)?\((?<options>\)|\{[^]*?\}\))/g;
/** An LRU cache has one of them. */
const LRU_BOUND = /\bmax(?:Size)?:/;

/** What bounds a Map or a Set: a constant of its file, or a reason. */
const BOUNDS: Readonly<Record<string, string>> = {
  'adapter/database/sqlite-worker.js statements': 'statementsMax',
  'adapter/html/web-files.ts seen': 'the files of the build',
  'adapter/html/web-files.ts files': 'the files of the build',
  'adapter/image/job-process.ts #workers': 'its limiter',
  'adapter/event-streams.ts #streams': 'streamsMax',
  'adapter/queue/queue.ts #pending': 'REQUESTS_MAX',
  'adapter/queue/queue.ts #requests':
    'REQUESTS_MAX, and the tests of webhooks, of which an owner has few',
  'adapter/queue/queue.ts #grown': 'one id for each owner, and each run empties it',
  'adapter/queue/queue.ts #wokenBy': 'one id for each owner, and each run empties it',
  'adapter/storage/page-store.ts #writes': 'WAITING_MAX, and the removals of changed cards',
  'adapter/uploads.ts #running': 'one upload for each owner, of 32 at once',
  'feature/analytics/store.ts days': 'a call',
  'feature/analytics/visit-counter.ts #counts': 'PENDING_MAX',
  'feature/analytics/visit-counter.ts #visitors': 'PENDING_MAX',
  'feature/contact/added.ts listed': 'a call',
  'feature/contact/find.ts counts': 'TAGS_COUNTED_MAX',
  'feature/page/static-files.ts created': 'the files of the build',
  'http/cache/response-cache.ts #pending': 'the requests that are rendered at once',
  'http/cache/response-cache.ts #changed': 'one timer for each owner, for a second',
  'http/cache/response-cache.ts #storedByUser': 'the entries of #stored',
  'adapter/html/connect-notice.ts htmlByLanguage': 'the languages',
  'http/language.ts pages': 'the languages',
  'http/limit.ts #tasks': 'waitingMax',
  'http/log/event-log.ts pending': 'the routes',
  'http/log/log.ts held': 'HELD_EVENTS_MAX',
};

function findUnbounded(files: readonly ProjectFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(COLLECTION)].flatMap(({ groups: { name, kind, options = '' } = {} }) => {
      const bound = BOUNDS[`${path.replace('server/', '')} ${name}`];
      const isBounded =
        kind === 'LRUCache'
          ? LRU_BOUND.test(options)
          : bound !== undefined && (bound.includes(' ') || new RegExp(`\\b${bound}\\b`).test(text));
      return isBounded ? [] : [`${path} ${name}`];
    }),
  );
}

test('memory: each collection of the server has a bound in entries or bytes', () => {
  // A command runs once and ends.
  const files = readProject('server').filter(
    ({ path }) => !path.startsWith('server/command/') && !path.endsWith('.test.ts'),
  );
  expect(findUnbounded(files)).toEqual([]);
  const planted = [
    'const kept = new Map<string, Map<string, number>>();',
    'readonly #kept: Set<string> = new Set();',
    'const kept = new LRUCache<string, string>({ fetchMethod: read });',
  ].map((text) => ({ path: 'server/http/a.ts', text }));
  expect(findUnbounded(planted)).toHaveLength(planted.length);
});

/** Records the texts of statements. */
function recordTexts(database: Database) {
  const texts = new Set<string>();
  const add = (statement: Statement | string) => void texts.add(toSql(statement).sql);
  const recording: Database = {
    ...database,
    all: (statement) => (add(statement), database.all(statement)),
    one: (statement) => (add(statement), database.one(statement)),
    run: (statement) => (add(statement), database.run(statement)),
    batch: (statements) => (statements.forEach(add), database.batch(statements)),
  };
  return { recording, texts };
}

onEachDatabase((open) => {
  let database: Database;
  let texts: Set<string>;
  // The same object for all tests, filled before each.
  const testApp = {} as TestApp;
  beforeEach(async () => {
    ({ database } = await open());
    const recorder = recordTexts(database);
    ({ texts } = recorder);
    const environment = { VIEWS: 'contacts', LANGUAGES: 'ta' };
    Object.assign(testApp, buildTestApp(recorder.recording, { environment }));
  });
  const owner = useOwner(testApp);

  /** Makes each call that has a list, with this many items. */
  async function callWithLists(count: number): Promise<void> {
    const numbers = Array.from({ length: count }, (_, index) => index);
    const contacts = numbers.map((number) => ({
      clientId: `0f8fad5b-d9cb-469f-a165-${String(count * 1000 + number).padStart(12, '0')}`,
      name: `Visitor ${number}`,
      mobile: `98765${String(count * 100 + number).padStart(5, '0')}`,
      email: `v${number}@example.com`,
      companyName: '',
      tags: [],
      source: 'typed',
    }));
    const added = await owner.post('contacts/addContacts/:id', { contacts });
    const ids = added.json<{ contacts: { _id: string }[] }>().contacts.map(({ _id }) => _id);
    const ifMatch = numbers.map((number) => `"${number + 5}"`).join(', ');
    const headers = { 'if-match': ifMatch };
    const calls: [path: string, body: object, status: number][] = [
      ['contacts/checkContacts/:id', { contacts }, 200],
      ['contacts/findContacts/:id', { search: 'visitor' }, 200],
      ['contacts/changeContacts/:id', { contacts: ids, tag: 'Fair' }, 200],
      ['contacts/exportCsv/:id', { contacts: ids }, 200],
      ['contacts/exportVcard/:id', { contacts: ids }, 200],
      ['contacts/changeContacts/:id', { contacts: ids, delete: true }, 200],
      ['contacts/changeContacts/:id', { contacts: ids, delete: false }, 200],
      ['user/updateUser', { name: 'Asha' }, 412],
      ['user/:id/translations', { translations: [] }, 412],
    ];
    for (const [path, body, status] of calls) {
      const { statusCode } = await owner.post(path, body, { headers });
      expect([path, statusCode]).toEqual([path, status]);
    }
  }

  test('memory: the text of no statement depends on how many items a list has', async () => {
    // The preview picture of a changed card is rendered at some time, and reads the card.
    await owner.page('');
    await callWithLists(2);
    await callWithLists(3);
    const known = new Set(texts);
    for (const count of [1, 16]) await callWithLists(count);
    expect([...texts].filter((text) => !known.has(text))).toEqual([]);
    expect(Math.max(...Array.from(texts, ({ length }) => length))).toBeLessThan(4000);
  });
});
