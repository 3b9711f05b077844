import { expect, test } from 'vitest';

import { readPage } from './bucket-xml.ts';

const HEAD =
  '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';

test('a list that was cut tells its files and how to go on', () => {
  const xml = `${HEAD}<IsTruncated>true</IsTruncated>
    <Contents>
      <Key>photos/a.jpg</Key><LastModified>2026-01-15T09:00:00.500Z</LastModified>
    </Contents>
    <Contents><LastModified>2026-01-15T09:00:01Z</LastModified><Key>photos/a&amp;b&#39;&#x41;</Key></Contents>
    <Contents><Key>other/c.jpg</Key><LastModified>2026-01-15T09:00:01Z</LastModified></Contents>
    <NextContinuationToken>1&amp;2/=</NextContinuationToken></ListBucketResult>`;
  expect(readPage(xml, 'photos/')).toEqual({
    files: [
      { name: 'a.jpg', keptAt: Date.UTC(2026, 0, 15, 9, 0, 0, 500) },
      { name: "a&b'A", keptAt: Date.UTC(2026, 0, 15, 9, 0, 1) },
    ],
    next: '1&2/=',
  });
});

test('a whole list is the end, whatever else stands in it', () => {
  const xml = `${HEAD}<IsTruncated>false</IsTruncated><NextContinuationToken>1</NextContinuationToken></ListBucketResult>`;
  expect(readPage(xml, 'photos/')).toEqual({ files: [], next: null });
});

test('what is no list is never an empty one', () => {
  expect(() => readPage('<html>Welcome</html>', 'photos/')).toThrow('something else than a list');
  expect(() => readPage(`${HEAD}<IsTruncated>true</IsTruncated>`, 'photos/')).toThrow(
    'says no more',
  );
});
