import { expect, test } from 'vitest';
import * as z from 'zod/mini';

import type { Endpoint } from '#contract/endpoint.ts';
import { parseInput } from '#server/http/route.ts';
import { ENDPOINTS } from '#tests/support/endpoints.ts';
import type { JsonSchema } from '#tests/support/json-schema.ts';
import { expectResults } from '#tests/support/results.ts';

import { failureSentence } from './failure-text.ts';

const sentence = (message: string, error = 'invalid_input') =>
  failureSentence({ status: 400, error: { error, message } });

test('failure: names a field as the page does, and leaves a sentence as it is', () => {
  expectResults(sentence, {
    'socialMediaHandles.Web must be an http or https link': 'Web must be an http or https link.',
    'companyName must be at most 120 characters': 'Company must be at most 120 characters.',
    'links.1.url must be a link that others can open':
      'Link 2 address must be a link that others can open.',
    'links.0.label must be text.': 'Link 1 text must be text.',
    'contacts.12.mobile must be text': 'What you typed must be text.',
    'This name is taken.': 'This name is taken.',
    'The body is not valid': 'The body is not valid',
    '': 'A proxy rejected this request.',
  });
  expect(sentence('gateway is down', 'unavailable')).toBe('gateway is down');
  const unanswered = { status: 500, error: null, isUnanswered: true } as const;
  expect(failureSentence(unanswered)).toMatch(/can't reach/);
});

function pathsOf(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, one]) => [
    key,
    ...pathsOf(one).map((path) => `${key}.${path}`),
  ]);
}

test('failure: no call that rejects a value has its machine name in the sentence', () => {
  const found = ENDPOINTS.flatMap((endpoint: Endpoint) => {
    const { body } = endpoint;
    if (body === undefined || body === 'multipart') return [];
    const schema = z.toJSONSchema(body, { io: 'input' }) as JsonSchema;
    return pathsOf(schema).flatMap((path) => {
      const wrong = path.split('.').reduceRight<unknown>((value, key) => ({ [key]: value }), 5);
      try {
        parseInput(body, wrong);
        return [];
      } catch (error) {
        const text = sentence(error instanceof Error ? error.message : '');
        const [first = ''] = /^[\w.]+/.exec(text) ?? [];
        return /^[a-z]|\./.test(first) ? [`${endpoint.path} ${path}: ${text}`] : [];
      }
    });
  });
  expect(found).toEqual([]);
});
