import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { Fields } from './form.tsx';

const html = renderToStaticMarkup(<Fields card={EMPTY_PROFILE} onChange={() => undefined} />);
const inputs = html.match(/<(?:input|textarea)[^>]*>/g) ?? [];

test.each(PROFILE_FIELD_NAMES)('Edit Profile: has an input for the field %s', (field) => {
  const { lengthMax, autoComplete, label } = PROFILE_FIELDS[field];
  const input = inputs.find((tag) => tag.includes(` name="${field}"`)) ?? '';
  expect(input, `no input for the field ${field}`).not.toBe('');
  expect(input.toLowerCase()).toContain(` maxlength="${lengthMax}"`);
  expect(input.toLowerCase()).toContain(` autocomplete="${autoComplete}"`);
  expect(html).toContain(`>${label}</label>`);
});

test('Edit Profile: has no other inputs', () => {
  expect(inputs).toHaveLength(PROFILE_FIELD_NAMES.length);
});
