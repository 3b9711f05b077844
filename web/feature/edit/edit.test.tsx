import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { Fields } from './fields.tsx';

test('Edit Profile: renders an input for each field and no other input', () => {
  const html = renderToStaticMarkup(
    <Fields card={EMPTY_PROFILE} saved={EMPTY_PROFILE} onChange={() => undefined} />,
  );
  const inputs = (html.match(/<(?:input|textarea)[^>]*>/g) ?? []).map((tag) =>
    ['name', 'maxlength', 'autocomplete']
      .map((name) => new RegExp(` ${name}="([^"]*)"`, 'i').exec(tag)?.[1])
      .join(' '),
  );
  const expected = PROFILE_FIELD_NAMES.map((field) => {
    const { lengthMax, autoComplete, label } = PROFILE_FIELDS[field];
    expect(html).toContain(`>${label}</label>`);
    return `${field} ${lengthMax} ${autoComplete}`;
  });
  expect(inputs.toSorted()).toEqual(expected.toSorted());
});
