import nodeModule from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * The cache of pages changes with each visitor, so by default V8 collects its garbage every one or two seconds. On one
 * core, each collection makes requests wait for up to 200 ms. With this flag, the heap may double in between.
 */
setFlagsFromString('--heap-growing-percent=100');

const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => void };
// Node 20 lacks this function. If the folder cannot be written, Node compiles the code at every start.
enableCompileCache?.(join(import.meta.dirname, '..', '..', '.cache', 'compiled'));
await import('./start/service.ts');
