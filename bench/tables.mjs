// Thirty people sit down at each of ten tables. Each one has the page of the table open in a browser.
import { setTimeout as delay } from 'node:timers/promises';

import { withService } from './client.mjs';
import { percentile } from './numbers.mjs';

const TABLES = 10;
const PEOPLE = 30;
const PAUSE_MS = 100;

export function measureTables(setup) {
  return withService(setup, { connections: 1 }, async ({ service: { origin } }) => {
    const closing = new AbortController();
    const tables = await Promise.all(
      setup.owners.slice(0, TABLES).map((owner) => startTable(origin, owner)),
    );
    const seen = [];
    for (let number = 1; number < PEOPLE; number += 1) {
      for (const table of tables) {
        const name = `Visitor ${number} of the bench`;
        const joinedAt = performance.now();
        for (const person of table.people) person.expected.set(name, joinedAt);
        const reply = await post(`${origin}/api/table/joinTable`, {
          table: table.id,
          contact: { name, mobile: `98765 000${number}` },
        });
        table.people.push(openPage(origin, table.id, { reply, seen, signal: closing.signal }));
        await delay(PAUSE_MS);
      }
    }
    const others = (TABLES * (PEOPLE - 1) * (PEOPLE - 2)) / 2;
    while (seen.length < others) await delay(PAUSE_MS);
    closing.abort();
    return {
      'ten tables of thirty: a join until another person sees it, p50 ms': percentile(seen, 0.5),
      'ten tables of thirty: a join until another person sees it, p99 ms': percentile(seen, 0.99),
    };
  });
}

async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}

async function startTable(origin, { id, token }) {
  const url = `${origin}/api/table/createTable/${id}`;
  const reply = await post(url, { name: 'Bench' }, { authorization: token });
  return { id: (await reply.json()).table, people: [] };
}

/** Does what the script of the page does: it loads the page again after each event (web/feature/table/main.ts). */
function openPage(origin, table, { reply, seen, signal }) {
  const [cookie] = reply.headers.get('set-cookie').split(';');
  const expected = new Map();
  let isStale = false;
  let isLoading = false;
  const refresh = async () => {
    isStale = true;
    if (isLoading) return;
    isLoading = true;
    while (isStale) {
      isStale = false;
      const page = await fetch(`${origin}/table/${table}`, { headers: { cookie } });
      const text = await page.text();
      for (const [name, joinedAt] of expected) {
        if (!text.includes(name)) continue;
        expected.delete(name);
        seen.push(performance.now() - joinedAt);
      }
    }
    isLoading = false;
  };
  const listen = async () => {
    const stream = await fetch(`${origin}/api/table/${table}/live`, {
      headers: { cookie },
      signal,
    });
    const decoder = new TextDecoder();
    await refresh();
    for await (const chunk of stream.body)
      if (decoder.decode(chunk).includes('changed')) void refresh();
  };
  listen().catch((error) => {
    if (!signal.aborted) throw error;
  });
  return { expected };
}
