import nodeModule from 'node:module';
import { join } from 'node:path';

const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => void };
// Node 20 lacks this function. If the folder cannot be written, Node compiles the code at every start.
enableCompileCache?.(join(import.meta.dirname, '..', '..', '.cache', 'compiled'));
await import('./start/service.ts');
