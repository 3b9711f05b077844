import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Endpoint } from '#contract/endpoint.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'contract');

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'reply' in value;

const files = readdirSync(FOLDER).filter((name) => /^[a-z-]+\.ts$/.test(name));
const modules = await Promise.all(
  files.map(async (one) => (await import(join(FOLDER, one))) as Readonly<Record<string, unknown>>),
);

export const ENDPOINTS = modules.flatMap((module) => Object.values(module).filter(isEndpoint));
