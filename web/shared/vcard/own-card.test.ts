import { expect, test } from 'vitest';

import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { readPeople } from './own-card.ts';

const PHOTO = Buffer.alloc(3_000_000, 'photo').toString('base64');
const folded = (text: string, width: number) =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\r\n ');
const file = (...lines: string[]) =>
  new Blob([['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')]);
const bytesOf = async (blob: Blob | null) =>
  blob && Buffer.from(await blob.arrayBuffer()).toString('base64');

/** Each file follows what the maker's program sends. */
const FILES = {
  iphone: file(
    'VERSION:3.0',
    'N:Rao;Asha;;;',
    'FN:Asha Rao',
    'ORG:Rao Design;',
    'TITLE:Architect',
    'EMAIL;type=INTERNET;type=HOME;type=pref:asha@rao.example',
    'TEL;type=CELL;type=VOICE;type=pref:+91 98450 12345',
    String.raw`NOTE:Houses\, mostly.\nOld ones too.`,
    'item1.URL;type=pref:https://rao.example',
    'item1.X-ABLabel:_$!<HomePage>!$_',
    'item2.URL:https://shop.rao.example/all',
    'item2.X-ABLabel:Shop',
    'item3.X-SOCIALPROFILE;type=linkedin;x-user=asharao:http://www.linkedin.com/in/asharao',
    'X-SOCIALPROFILE;type=twitter;x-user=asharao:http://twitter.com/asharao',
    'X-SOCIALPROFILE;type=Instagram;x-user=asha.rao:x-apple:asha.rao',
    `PHOTO;ENCODING=b;TYPE=JPEG:${folded(PHOTO, 74)}`,
  ),
  google: file(
    'VERSION:3.0',
    'FN:Asha Rao',
    'N:Rao;Asha;;;',
    'EMAIL;TYPE=INTERNET:asha@rao.example',
    'TEL;TYPE=CELL:+91 98450 12345',
    'item1.ORG:Rao Design',
    'item1.TITLE:Architect',
    String.raw`item2.URL:https\://www.facebook.com/asharao`,
    'item2.X-ABLabel:PROFILE',
    String.raw`item3.URL:https\://wa.me/919845012345`,
    String.raw`URL:maps.app.goo.gl/AbC`,
    'PHOTO:https://lh3.googleusercontent.com/contacts/abc',
  ),
  samsung: file(
    'VERSION:2.1',
    'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E0=A4=B0=E0=A4=BE=E0=A4=B5;=E0=A4=86=E0=A4=B6=E0=A4=BE;;;',
    'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E0=A4=86=E0=A4=B6=E0=A4=BE=20=E0=A4=B0=E0=A4=BE=E0=A4=B5',
    'TEL;CELL:+919845012345',
    'EMAIL;HOME:asha@rao.example',
    'ORG:Rao Design',
    'TITLE:Architect',
    `NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${folded('=E0=A4=86'.repeat(2100), 72).replaceAll('\r\n ', '=\r\n')}`,
    'URL:https://youtu.be/asha',
    `PHOTO;ENCODING=BASE64;JPEG:${folded(PHOTO, 70)}`,
    '',
  ),
  outlook: file(
    'VERSION:2.1',
    'N;LANGUAGE=en-us:Rao;Asha',
    'FN:Asha Rao',
    'ORG:Rao Design;Houses',
    'TITLE:Architect',
    'TEL;CELL;VOICE:+91 98450 12345',
    'URL;WORK:rao.example',
    'EMAIL;PREF;INTERNET:asha@rao.example',
    `PHOTO;TYPE=JPEG;ENCODING=BASE64:\r\n ${PHOTO}`,
    '',
  ),
};

const LABELLED_SITES = [
  'item1.URL:https://shop.example',
  'item1.X-ABLabel:Shop',
  'item2.URL:https://rao.example',
  'item2.X-ABLabel:Website',
];

const ASHA = {
  name: 'Asha Rao',
  designation: 'Architect',
  companyName: 'Rao Design',
  phone: '+91 98450 12345',
  email: 'asha@rao.example',
};
const LINKEDIN = 'http://www.linkedin.com/in/asharao';

const read = async (blob: Blob) => {
  const [person] = await readPeople(blob);
  const filling = person?.fill(EMPTY_PROFILE, []);
  return { ...filling, photo: (await bytesOf(person?.photo() ?? null)) === PHOTO };
};

test('contact file of one’s own: those of iPhone, Google, Samsung and Outlook fill a card, with handles by their host and the photo', async () => {
  expect(await read(FILES.iphone)).toEqual({
    profile: {
      ...ASHA,
      bio: 'Houses, mostly.\nOld ones too.',
      socialMediaHandles: {
        Web: 'https://rao.example',
        LinkedIn: LINKEDIN,
        X: 'http://twitter.com/asharao',
        Instagram: 'https://www.instagram.com/asha.rao',
      },
    },
    links: [{ label: 'Shop', url: 'https://shop.rao.example/all' }],
    count: 11,
    photo: true,
  });
  expect(await read(FILES.google)).toEqual({
    profile: {
      ...ASHA,
      socialMediaHandles: {
        Facebook: 'https://www.facebook.com/asharao',
        Whatsapp: '9845012345',
        Maps: 'https://maps.app.goo.gl/AbC',
      },
    },
    links: [],
    count: 8,
    photo: false,
  });
  expect(await read(FILES.samsung)).toEqual({
    profile: {
      ...ASHA,
      name: 'आशा राव',
      phone: '+919845012345',
      bio: 'आ'.repeat(2000),
      socialMediaHandles: { YouTube: 'https://youtu.be/asha' },
    },
    links: [],
    count: 7,
    photo: true,
  });
  expect(await read(FILES.outlook)).toEqual({
    profile: { ...ASHA, socialMediaHandles: { Web: 'https://rao.example' } },
    links: [],
    count: 6,
    photo: true,
  });
});

test('contact file of one’s own: fills empty fields only, and what is no link, no photo and no name of its own stays out', async () => {
  const filled = { ...EMPTY_PROFILE, name: 'Asha', socialMediaHandles: { LinkedIn: 'https://x' } };
  const [person] = await readPeople(FILES.iphone);
  const own = person?.fill(filled, null);
  expect(own?.profile).not.toHaveProperty('name');
  expect(own?.profile.socialMediaHandles).not.toHaveProperty('LinkedIn');
  expect(own?.links).toEqual([]);
  const full = Array.from({ length: 3 }, (_, at) => ({
    label: 'x',
    url: `https://x${at}.example`,
  }));
  expect(person?.fill(filled, full).links).toEqual([]);
  const [odd] = await readPeople(
    file(
      'VERSION:4.0',
      'TEL:+91 98450 12345',
      'URL:javascript:alert(1)',
      'URL:http://localhost/x',
      'URL:https://user:secret@rao.example',
      'PHOTO:data:image/png;base64,%%%',
      'NOTE: ',
    ),
  );
  expect(odd?.fill(EMPTY_PROFILE, [])).toEqual({
    profile: { phone: '+91 98450 12345' },
    links: [],
    count: 1,
  });
  expect(odd?.photo()).toBeNull();
  const data = file('VERSION:4.0', 'FN:A', String.raw`PHOTO:data:image/png;base64\,QUJD`);
  const [inline] = await readPeople(data);
  expect(await bytesOf(inline?.photo() ?? null)).toBe('QUJD');
  const linked = file('FN:A', 'PHOTO;VALUE=uri:https://rao.example/a.jpg', 'PHOTO;ENCODING=b:QUJD');
  const [second] = await readPeople(linked);
  expect(await bytesOf(second?.photo() ?? null)).toBe('QUJD');
  const [moved] = await readPeople(file('URL:https://cards.example/user/1', ...LABELLED_SITES));
  const { profile, links } = moved?.fill(EMPTY_PROFILE, []) ?? {};
  expect(profile?.socialMediaHandles).toEqual({ Web: 'https://rao.example' });
  expect(links?.map(({ label }) => label)).toEqual(['cards.example', 'Shop']);
  const several = await readPeople(new Blob([FILES.google, file('FN:B', 'KIND:group'), data]));
  expect(several.map(({ name, about }) => [name, about])).toEqual([
    ['Asha Rao', 'Rao Design · +91 98450 12345'],
    ['A', ''],
  ]);
  await expect(readPeople(new Blob(['a,b\r\n1,2\r\n']))).rejects.toThrow('CSV');
  await expect(readPeople(new Blob([]))).rejects.toThrow('empty');
});
