import { sendRequest } from './owner.ts';
import type { Owner } from './owner.ts';

/** What was asked and not answered as it should be. */
export interface Failure {
  readonly kind: 'read' | 'save' | 'contact';
  readonly why: string;
}

let addresses = 0;

/** Every request from an address of its own, as strangers have; the nodes trust the proxy. */
function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/**
 * People who read cards, owners who save, visitors who leave contacts, each as fast as they are
 * answered, until they are told to stop. Keeps what was acknowledged.
 */
export function startLoad(origin: string, owners: readonly Owner[]) {
  const failures: Failure[] = [];
  const saved = new Map<string, string>();
  const contacts: { owner: Owner; name: string }[] = [];
  const asked = { read: 0, save: 0, contact: 0 };
  const over = new AbortController();

  async function one(kind: Failure['kind'], path: string, init: RequestInit): Promise<boolean> {
    asked[kind] += 1;
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': nextAddress(),
      ...(init.headers as Record<string, string>),
    };
    try {
      const answer = await fetch(origin + path, { ...init, headers });
      const text = await answer.text();
      if (answer.ok) return true;
      failures.push({ kind, why: `${answer.status} ${text.slice(0, 200)}` });
    } catch (error) {
      failures.push({ kind, why: String(error) });
    }
    return false;
  }

  async function read(owner: Owner): Promise<void> {
    while (!over.signal.aborted) {
      await one('read', `/user/${owner._id}`, {});
      await one('read', `/api/user/${owner._id}`, {});
    }
  }

  async function save(owner: Owner): Promise<void> {
    for (let count = 1; !over.signal.aborted; count += 1) {
      const name = `Name ${count} of ${owner._id}`;
      const isSaved = await one('save', `/api/user/updateUser/${owner._id}`, {
        method: 'POST',
        headers: { authorization: owner.sessionToken },
        body: JSON.stringify({ name }),
      });
      // What was not acknowledged may have been kept or not; either is right.
      if (isSaved) saved.set(owner._id, name);
      else saved.delete(owner._id);
    }
  }

  async function leave(owner: Owner): Promise<void> {
    for (let count = 1; !over.signal.aborted && count <= 150; count += 1) {
      const name = `Visitor ${nextAddress()}`;
      const isKept = await one('contact', '/api/profile/addContact', {
        method: 'POST',
        body: JSON.stringify({
          userID: owner._id,
          contact: { name, mobile: '1', email: '', companyName: '' },
        }),
      });
      if (isKept) contacts.push({ owner, name });
    }
  }

  const people = owners.flatMap((owner) => [read(owner), read(owner), save(owner), leave(owner)]);

  /** What was acknowledged and is not there. */
  async function lost(): Promise<string[]> {
    const missing: string[] = [];
    for (const owner of owners) {
      const card = await sendRequest<{ name: string }>({ origin }, `/user/${owner._id}`);
      const wanted = saved.get(owner._id);
      if (wanted !== undefined && card.name !== wanted) missing.push(`${wanted} (is ${card.name})`);
      const names = await contactNames(origin, owner);
      const mine = contacts.filter((contact) => contact.owner === owner);
      missing.push(...mine.map(({ name }) => name).filter((name) => !names.has(name)));
    }
    return missing;
  }

  return {
    failures,
    asked,
    lost,
    stop: async () => {
      over.abort();
      await Promise.all(people);
    },
  };
}

async function contactNames(origin: string, owner: Owner): Promise<Set<string>> {
  const names = new Set<string>();
  let before = '';
  for (;;) {
    const page = await sendRequest<{ _id: string; name: string }[]>(
      { origin },
      `/profile/getContacts/${owner._id}${before}`,
      { token: owner.sessionToken },
    );
    for (const { name } of page) names.add(name);
    const last = page.at(-1);
    if (!last) return names;
    before = `?before=${last._id}`;
  }
}
