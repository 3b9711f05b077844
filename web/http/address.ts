import { addContact } from '#contract/contact.ts';
import type { Endpoint, RequestInput } from '#contract/endpoint.ts';

import { settings } from './settings.ts';

type Parts = Readonly<Record<string, string | number | undefined>>;

/** The whole address of a call, with its parameters and query filled in. */
export function callAddress<E extends Endpoint>(endpoint: E, given: RequestInput<E> = {}): string {
  const params = (given.params ?? {}) as Parts;
  const asked = (given.query ?? {}) as Parts;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const query = new URLSearchParams(
    Object.entries(asked).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  return `${base(endpoint)}${path}${query && `?${query}`}`;
}

/** Contacts are sent to {server}, everything else to {api} (specification, section 7). */
function base(endpoint: Endpoint): string {
  const { apiUrl, serverUrl } = settings();
  return (endpoint.path === addContact.path ? serverUrl : apiUrl).replace(/\/$/, '');
}
