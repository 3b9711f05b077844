import nodeModule from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * The page cache changes with every visitor, so V8 would collect garbage every one or two seconds, and on one core each
 * collection delays requests by up to 200 ms. This flag lets the heap double between two collections, in place of the
 * growth that V8 would choose (docs/develop/performance.md#a-million-cards).
 */
setFlagsFromString('--heap-growing-percent=100');

const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => void };
// Node 20 lacks this function. If the folder cannot be written, Node compiles the code at every start.
enableCompileCache?.(join(import.meta.dirname, '..', '..', '.cache', 'compiled'));
await import('./start/service.ts');
