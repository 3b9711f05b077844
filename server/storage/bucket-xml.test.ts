import { expect, test } from 'vitest';

import { parseBucketPage } from './bucket-xml.ts';

const HEAD =
  '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';

test('bucket list: a truncated page has its files and the token of the next page', () => {
  const xml = `${HEAD}<IsTruncated>true</IsTruncated>
    <Contents>
      <Key>photos/a.jpg</Key><LastModified>2026-01-15T09:00:00.500Z</LastModified>
    </Contents>
    <Contents><LastModified>2026-01-15T09:00:01Z</LastModified><Key>photos/a&amp;b&#39;&#x41;</Key></Contents>
    <Contents><Key>other/c.jpg</Key><LastModified>2026-01-15T09:00:01Z</LastModified></Contents>
    <NextContinuationToken>1&amp;2/=</NextContinuationToken></ListBucketResult>`;
  expect(parseBucketPage(xml, 'photos/')).toEqual({
    files: [
      { name: 'a.jpg', modifiedAt: Date.UTC(2026, 0, 15, 9, 0, 0, 500) },
      { name: "a&b'A", modifiedAt: Date.UTC(2026, 0, 15, 9, 0, 1) },
    ],
    nextToken: '1&2/=',
  });
});

test('bucket list: a page that is not truncated is the last one, even with a token', () => {
  const xml = `${HEAD}<IsTruncated>false</IsTruncated><NextContinuationToken>1</NextContinuationToken></ListBucketResult>`;
  expect(parseBucketPage(xml, 'photos/')).toEqual({ files: [], nextToken: null });
});

test('bucket list: a response that is not a list is an error, not an empty list', () => {
  expect(() => parseBucketPage('<html>Welcome</html>', 'photos/')).toThrow('is not a list');
  expect(() => parseBucketPage(`${HEAD}<IsTruncated>true</IsTruncated>`, 'photos/')).toThrow(
    'without a continuation token',
  );
});
