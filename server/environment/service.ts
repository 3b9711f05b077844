import type { Means } from './reader.ts';
import type { Keys, KeyValues } from './key.ts';
import { StartError } from '#server/start-error.ts';

const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Readers of what a service outside needs. `because` says what demands it. */
export function outsideReaders({ given, refuse }: Means) {
  function needed(name: string, because: string): string {
    const text = given(name);
    if (text === null) throw new StartError(`${name} must be set, because ${because}.`);
    return text;
  }

  /** An https address without a slash at its end; http only on this machine. */
  function service(name: string, fallback: string): string {
    const text = given(name) ?? fallback;
    // Not repeated: an address that will not do may be one with a password in it.
    if (isServiceAddress(text)) return text.replace(/\/+$/, '');
    throw new StartError(
      `${name} must be an https address (http on this machine only) without password and query.`,
    );
  }

  return {
    needed,
    service,

    /** Addresses that a page may load from, each an origin like https://*.example.com. */
    origins(name: string): readonly string[] {
      const found = (given(name) ?? '').split(',').flatMap((part) => part.trim() || []);
      return found.every((one) => /^https?:\/\/(?:\*\.)?[\w.-]+(?::\d{1,5})?$/.test(one))
        ? found
        : refuse(name, 'must be origins such as https://*.example.com');
    },

    /** All the keys that a service needs. A value that will not do is not repeated. */
    keys<Name extends string>(keys: Keys<Name>, because: string): KeyValues<Name> {
      const values = Object.entries<Keys[string]>(keys).map(([name, key]) => {
        const value =
          key.fallback === undefined ? needed(name, because) : (given(name) ?? key.fallback);
        if (!key.pattern.test(value)) throw new StartError(`${name} ${key.must}.`);
        return [name, value];
      });
      return Object.fromEntries(values) as KeyValues<Name>;
    },
  };
}

function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username || password || search || hash) return false;
  return protocol === 'https:' || (protocol === 'http:' && THIS_MACHINE.has(hostname));
}
