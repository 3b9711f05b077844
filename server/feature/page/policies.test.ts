import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

const names = { PRODUCT_NAME: 'Patra & Co', SUPPORT_EMAIL: 'help@patra.example' };
const { database, testApp } = useTestApp(openTestSqlite, {
  environment: { ...names, JURISDICTION_STATE: 'Kerala' },
});
const read = (path: string) => testApp.app.inject(path);

const termsOf = (text: string) => text.trim().split(/\s*[|\n]\s*/);

const PLAN_TERMS = `keep access to the end of the billing cycle
  An upgrade is charged immediately, prorated
  A downgrade takes effect at the end of the billing cycle
  trial can be cancelled before it ends to avoid charges
  There is no refund on subscription fees, except: a full refund of a technical or duplicate charge; a prorated refund after a service outage over 72 hours.`;
const ON_EVERY_PAGE = `Effective date: 7/9/2024 | help@patra.example | Patra & Co
  governed by Indian law | courts of Kerala, India`;
const AGE = 'minimum age for using Patra & Co is 14, or the local age of majority';

/** Each policy page must contain these terms of docs/develop/product.md#policy-terms. */
const TERMS = {
  '/Cancellation_Refund': `Cancellation and Refund Policy | ${PLAN_TERMS}
    reviewed within 7 business days and paid within 10 business days
    Activation issues are resolved within 24-48 hours | within 48 hours of delivery`,
  '/Shipping_delivery': `Shipping and Delivery Policy | Order processing 1-2 business days
    Standard delivery 5-7 business days | Express delivery 2-3 business days
    Standard shipping is free across India. Express shipping is charged depending on location.
    sold in India only | no international shipping of physical goods
    Activation issues are resolved within 24-48 hours
    damaged item must be reported within 48 hours of delivery`,
  '/privacy_policy': `Privacy Policy | ${AGE} | login phone number | Details that visitors leave`,
  '/terms_conditions': `Terms and Conditions | ${AGE} | sold in India only | ${PLAN_TERMS}`,
};
const PATHS = Object.keys(TERMS);

/** These are all numbers in docs/develop/product.md#policy-terms, with dates and ranges as they are written there. */
const TERM_NUMBERS = new Set('7/9/2024 72 7 10 24-48 48 1-2 5-7 2-3 14'.split(' '));

test.each(Object.entries(TERMS))('policy %s: has its terms and links', async (path, terms) => {
  const { statusCode, body, headers } = await read(path);
  const main = /<main.*<\/main>/s.exec(body)?.[0] ?? '';
  const plain = main.replace(/<[^>]*>/g, ' ').replaceAll('&amp;', '&');
  const text = plain.replaceAll('&#x27;', "'").replace(/\s+/g, ' ');
  const expected = [...termsOf(ON_EVERY_PAGE), ...termsOf(terms)];
  expect(expected.filter((term) => !text.includes(term))).toEqual([]);
  const numbers = text.match(/\d+(?:[/-]\d+)*/g) ?? [];
  expect(numbers.filter((number) => !TERM_NUMBERS.has(number))).toEqual([]);
  expect(text).not.toMatch(/Monday|Saturday|holidays|30 days|breach|liab|replace|promise/i);

  const anchors = [...body.matchAll(/<li><a href="#([^"]+)"/g)].map(([, id]) => id);
  const headings = [...body.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
  expect(anchors.length).toBeGreaterThan(4);
  expect(headings).toEqual(['contents', ...anchors]);
  for (const href of [...PATHS, '/login', 'mailto:help@patra.example'])
    expect(body).toContain(`href="${href}"`);
  const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}'`);
  expect(body).not.toMatch(/<script|\sstyle=|\son[a-z]+=/);
  // Search engines may index the page, and caches may store it.
  expect([statusCode, headers['x-robots-tag']]).toEqual([200, undefined]);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=3600',
  });
  const otherCase = path === path.toLowerCase() ? path.toUpperCase() : path.toLowerCase();
  const others = await Promise.all([`${path}/`, otherCase].map(read));
  expect(others.map((other) => other.statusCode)).toEqual([200, 404]);
});

test('policies: have what the operator sets: an address for abuse, a text as last section, the count of visits', async () => {
  const abuse = 'abuse@patra.example';
  const environment = {
    ABUSE_EMAIL: abuse,
    PRIVACY_ADDITION: 'Grievance officer: A. Rao.\n\n<b>Pune</b>',
    VIEWS: 'analytics',
  };
  const { app } = buildTestApp(database, { environment });
  const line = `<p>Report abuse: <a href="mailto:${abuse}">${abuse}</a></p>`;
  for (const path of PATHS) expect((await app.inject(path)).body).toContain(line);
  const { body } = await app.inject('/privacy_policy');
  const terms = '<p>Grievance officer: A. Rao.</p><p>&lt;b&gt;Pune&lt;/b&gt;</p></section></main>';
  const added = [`<h2 id="further-terms">Further terms</h2>${terms}`, 'what was counted in it'];
  for (const text of [...added, 'Visits are counted']) expect(body).toContain(text);
  expect((await app.inject('/terms_conditions')).body).not.toContain('Further terms');
  for (const plain of await Promise.all(PATHS.map(read)))
    expect(plain.body).not.toMatch(/Report abuse|Further terms|Visits are counted|was counted in/);
});
