import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { FIRST_TEMPLATE, fillTemplate, writeMailHref, writeWhatsappHref } from './follow-up.ts';

const VALUES = {
  name: 'मीरा & Co. 100%',
  company: '',
  event: '',
  'my name': 'Asha',
  'my card': 'https://x.example/@asha',
};

test('template: fills in its placeholders, and an empty value leaves no gap', () => {
  const fill = (text: string) => fillTemplate(text, VALUES);
  expect(fill(FIRST_TEMPLATE.text)).toBe(
    'Hello मीरा & Co. 100%, this is Asha. My card: https://x.example/@asha',
  );
  expect(fill('Hi {name} {company}, at {event}!\n{event}\n\n{company} {my name} {other} $&')).toBe(
    'Hi मीरा & Co. 100%, at!\n\nAsha {other} $&',
  );
  expect(fillTemplate('{name}', { ...VALUES, name: '{my card} $1' })).toBe('{my card} $1');
});

test('follow-up links: Python’s urllib decodes them to the text', () => {
  const text = 'नमस्ते “Ravi” & 100%?#\n+1 👋 ;=';
  const links = [
    writeWhatsappHref('+919845012345', text) ?? '',
    writeMailHref('ravi+x@kumar.example', text),
  ];
  const script = `import json, sys
from urllib.parse import urlsplit, parse_qs
print(json.dumps([[urlsplit(one).path, parse_qs(urlsplit(one).query, strict_parsing=True)] for one in json.load(sys.stdin)]))`;
  const input = JSON.stringify(links);
  const { stdout } = spawnSync('/usr/bin/python3', ['-c', script], { input, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual([
    ['/919845012345', { text: [text] }],
    ['ravi+x@kumar.example', { body: [text.replaceAll('\n', '\r\n')] }],
  ]);
  for (const mobile of ['98450', '', 'ask', '+12'])
    expect(writeWhatsappHref(mobile, '')).toBe(null);
});
