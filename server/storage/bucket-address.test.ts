import { expect, test } from 'vitest';

import { bucketUrl } from './bucket-address.ts';

const at = (endpoint: string, isPathStyle: boolean, key = 'photos/a.jpg') =>
  bucketUrl({ bucket: 'cards', endpoint, region: 'us-east-1', isPathStyle }, key).href;

test('the bucket stands in the path', () => {
  expect([
    at('https://store.example.com', true),
    at('http://127.0.0.1:9000', true),
    at('https://example.com/storage/s3', true),
    at('https://store.example.com', true, ''),
  ]).toEqual([
    'https://store.example.com/cards/photos/a.jpg',
    'http://127.0.0.1:9000/cards/photos/a.jpg',
    'https://example.com/storage/s3/cards/photos/a.jpg',
    'https://store.example.com/cards',
  ]);
});

test('or before the name of the host', () => {
  expect([
    at('https://s3.ap-south-1.amazonaws.com', false),
    at('http://store:9000', false),
    at('https://s3.ap-south-1.amazonaws.com', false, ''),
  ]).toEqual([
    'https://cards.s3.ap-south-1.amazonaws.com/photos/a.jpg',
    'http://cards.store:9000/photos/a.jpg',
    'https://cards.s3.ap-south-1.amazonaws.com/',
  ]);
});
