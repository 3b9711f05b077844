import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Module, createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** The parameters of the function around a CommonJS module (nodejs.org/api/modules.html). */
const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];
const HASH_LENGTH = 16;
/** The account that runs the service may differ from the one that built it. */
const READABLE_BY_ALL = 0o644;

/** A bundle that has run. */
interface RunningBundle {
  readonly exports: Readonly<Record<string, unknown>>;
  /** Whether V8 has loaded stored code. */
  readonly usesStoredCode: boolean;
  /** Stores the code that V8 has compiled until now, for the next runs. */
  readonly storeCode: () => void;
}

/**
 * Runs a CommonJS file with the code that `storeCode` stored, so that V8 need not compile it. V8
 * rejects the code of another version of V8 or with other flags, and then compiles the file.
 * Source: docs/decisions/013-code-cache.md.
 */
export function runBundle(file: string): RunningBundle {
  const source = readFileSync(file, 'utf8');
  // V8 itself compares only the length of the source.
  const hash = createHash('sha256').update(source).digest('hex').slice(0, HASH_LENGTH);
  const codeFile = `${file}.${hash}-${process.version}-${process.arch}.code`;
  const script = new Script(`(function (${PARAMETERS.join()}) {${source}\n})`, {
    filename: file,
    cachedData: existsSync(codeFile) ? readFileSync(codeFile) : undefined,
  });
  const require = createRequire(file);
  const bundle = new Module(file);
  // The chunks that are loaded on demand import from the bundle.
  require.cache[file] = bundle;
  const run = script.runInThisContext() as (...values: readonly unknown[]) => void;
  run(bundle.exports, require, bundle, file, dirname(file));
  bundle.loaded = true;
  return {
    exports: bundle.exports as Record<string, unknown>,
    usesStoredCode: script.cachedDataRejected === false,
    storeCode: () => {
      // V8 detects an incomplete file, but damaged code of the right length ends the process.
      const newFile = `${codeFile}.new`;
      writeFileSync(newFile, script.createCachedData(), { flush: true });
      chmodSync(newFile, READABLE_BY_ALL);
      renameSync(newFile, codeFile);
    },
  };
}
