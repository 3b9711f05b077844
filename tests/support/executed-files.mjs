// This script runs inside the service (`node --import`) and prints a URL. Each GET of it returns the source files
// of which a function has run since the previous GET. It covers only the main thread.
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(import.meta.dirname, '..', '..');
const DIST = join(ROOT, 'dist', 'server');
const SOURCE = /^(?:server|domain|view|contract)\//;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** For each built file, a function that returns the source file of an offset. */
const finders = new Map();

function finderOf(path) {
  const known = finders.get(path);
  if (known) return known;
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  const text = readFileSync(path, 'utf8');
  const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  const find = (offset) => {
    let [line, end] = [0, lineStarts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if (lineStarts[middle] <= offset) line = middle;
      else end = middle;
    }
    const { originalSource } = map.findEntry(line, offset - lineStarts[line]);
    return originalSource && relative(ROOT, join(dirname(path), originalSource));
  };
  finders.set(path, find);
  return find;
}

async function executedFiles() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = new Set();
  for (const { url, functions } of result) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    // The file that loads the build has no source map.
    if (dirname(path) !== DIST || !existsSync(`${path}.map`)) continue;
    for (const { ranges } of functions)
      if (ranges[0].count > 0) files.add(finderOf(path)(ranges[0].startOffset));
  }
  return [...files]
    .filter((file) => SOURCE.test(file))
    .toSorted((one, other) => one.localeCompare(other));
}

const control = createServer(async (_request, response) => {
  response.end(JSON.stringify(await executedFiles()));
});
control.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Executed files: http://127.0.0.1:${control.address().port}\n`);
});
// This server must not keep the process of the service alive.
control.unref();
