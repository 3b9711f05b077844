import { expect, test } from 'vitest';

import { expectResults } from '#tests/support/results.ts';

import { FIRST_TEMPLATE, fillTemplate, writeMailHref, writeWhatsappHref } from './follow-up.ts';

const OWN = { 'my name': 'Asha', 'my card': 'https://x.example/@asha' };
const VALUES = { ...OWN, name: 'मीरा & Co. 100%', company: '', event: '' };

test('template: fills in its placeholders, and an empty value leaves no gap', () => {
  const fill = (text: string) => fillTemplate(text, VALUES);
  expect(fill(FIRST_TEMPLATE.text)).toBe(
    'Hello मीरा & Co. 100%, this is Asha. My card: https://x.example/@asha',
  );
  const text =
    '\nHi {name} {company}, at {event}!\n{event} \n{event}\n \n{company}  {my name} {other} $&\n';
  expect(fill(text)).toBe('Hi मीरा & Co. 100%, at!\n\nAsha {other} $&');
  const hello = { ...VALUES, name: 'Ravi' };
  expectResults((template) => fillTemplate(template, hello), {
    'Hi {name},\n\n{company}\n\nBye': 'Hi Ravi,\n\nBye',
    'Hi {name}\n\n\n{company}\nBye': 'Hi Ravi\n\n\nBye',
    'Hello {name} ({company})': 'Hello Ravi',
    'Hello {name} ( {company} ), hi': 'Hello Ravi, hi',
    'Hello {name} ({company}, {event})': 'Hello Ravi',
    'Hello {name} (from {company})': 'Hello Ravi (from)',
    'Dear {name}, {company}, hello': 'Dear Ravi, hello',
    '{name}, {company}': 'Ravi',
    'Hi {name}, {company}, {event}!': 'Hi Ravi!',
    'a\n- {company}\n{event}\nb': 'a\nb',
    '{company}, {name}': 'Ravi',
    '{name} - {company} - {my name}': 'Ravi - Asha',
    'Hi {name}, ... {event}': 'Hi Ravi, ...',
    'Hi {Name}, I am { My Name }': 'Hi Ravi, I am Asha',
    'नमस्ते {name}, {company}।': 'नमस्ते Ravi।',
    '{name}\n()\n\n\nA, , b': 'Ravi\n()\n\n\nA, , b',
  });
  expect(fillTemplate('{name}', { ...VALUES, name: '{my card} $1' })).toBe('{my card} $1');
});

test('follow-up links: are decoded to the text', () => {
  const text = 'नमस्ते “Ravi” & 100%?#\n+1 👋 ;=';
  const whatsapp = new URL(writeWhatsappHref('https://wa.me/919845012345', text));
  const mail = new URL(writeMailHref('ravi+x@kumar.example', text) ?? '');
  expect([whatsapp.pathname, ...whatsapp.searchParams]).toEqual(['/919845012345', ['text', text]]);
  const body = text.replaceAll('\n', '\r\n');
  expect([mail.pathname, ...mail.searchParams]).toEqual(['ravi+x@kumar.example', ['body', body]]);
});

const mailHrefOf = (length: number) => writeMailHref('a@b.example', 'x'.repeat(length));

test('email link: has a text up to 2,000 characters of link, and none above', () => {
  const rest = 'mailto:a@b.example?body='.length;
  expect(mailHrefOf(2000 - rest)).toHaveLength(2000);
  expect([mailHrefOf(2001 - rest), writeMailHref('a@b.example', 'क'.repeat(220))]).toEqual([
    null,
    null,
  ]);
});
